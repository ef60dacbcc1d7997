/** Layout of a WAL (sqlite.org/fileformat2.html §4): a header, then frames of a header and a page. */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALT = { from: 16, to: 24 };

/** Numbers of the pages a WAL holds; frames left from before it was started again do not count. */
export function pagesInWal(wal: Buffer, pageSize: number): Set<number> {
  const pages = new Set<number>();
  const salt = wal.subarray(SALT.from, SALT.to);
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    if (wal.compare(salt, 0, salt.length, at + 8, at + 16) !== 0) break;
    pages.add(wal.readUInt32BE(at));
  }
  return pages;
}
