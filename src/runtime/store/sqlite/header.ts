/** The header of a SQLite file, its first 100 bytes (sqlite.org/fileformat2.html §1.3), as on the disk. */
export interface Header {
  readonly pageSize: number;
  /** In pages; undefined where a very old SQLite wrote last and did not keep it. */
  readonly pages: number | undefined;
  /** Format version: 1 ordinary, 2 WAL mode, 3 a live store of ours (guard.ts). */
  readonly version: number;
  readonly userVersion: number;
  readonly applicationId: number;
}

export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/** Undefined when the bytes are no SQLite header. */
export function parseHeader(bytes: Buffer): Header | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 16) !== MAGIC) return undefined;
  const pageSize = bytes.readUInt16BE(16);
  const pagesAreValid = bytes.readUInt32BE(24) === bytes.readUInt32BE(92);
  return {
    pageSize: pageSize === 1 ? 65_536 : pageSize,
    pages: pagesAreValid ? bytes.readUInt32BE(28) : undefined,
    version: bytes.readUInt8(19),
    userVersion: bytes.readUInt32BE(60),
    applicationId: bytes.readUInt32BE(68),
  };
}
