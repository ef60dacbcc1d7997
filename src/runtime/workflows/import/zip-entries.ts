/** The directory of a ZIP file (PKWARE APPNOTE 4.3), read without reading the files in it. */
import type { FileHandle } from 'node:fs/promises';

export interface ZipEntry {
  /** With "/". */
  readonly path: string;
  /** Start of its local header, in bytes. */
  readonly at: number;
  /** Bytes in the ZIP. */
  readonly packed: number;
  /** Bytes that it says it has when it is unpacked. */
  readonly size: number;
  /** Otherwise it is stored as it is. */
  readonly isDeflated: boolean;
}

/** Length of the record at the end; a comment of up to 65,535 bytes may follow. */
const endBytes = 22;
const mostCommentBytes = 0xffff;
/** Length of an entry, before its name, extra fields and comment. */
const entryBytes = 46;
const mostDirectoryBytes = 32 * 1024 * 1024;

/** @throws Error with what is wrong, as a part of a sentence */
export async function zipEntries(zip: FileHandle, mostFiles: number): Promise<ZipEntry[]> {
  const { size: length } = await zip.stat();
  const tail = await bytesAt(zip, Math.max(0, length - endBytes - mostCommentBytes), length);
  const end = lastIndexOf(tail, 0x06054b50);
  if (end < 0) throw new Error('its end is missing');
  const count = tail.readUInt16LE(end + 10);
  const directoryBytes = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  // ZIP64 archives, which such numbers announce, are larger still.
  if (count > mostFiles || directoryBytes > mostDirectoryBytes || start === 0xffffffff) {
    throw new Error(`more than ${mostFiles} files are in it, or it is larger than 4 GB`);
  }
  const directory = await bytesAt(zip, start, start + directoryBytes);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count;) {
    if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== 0x02014b50) {
      throw new Error('its directory is damaged');
    }
    const nameEnd = at + entryBytes + directory.readUInt16LE(at + 28);
    const path = directory.toString('utf8', at + entryBytes, nameEnd).replaceAll('\\', '/');
    const flags = directory.readUInt16LE(at + 8);
    const method = directory.readUInt16LE(at + 10);
    if ((flags & 1) !== 0) throw new Error(`"${path}" is encrypted`);
    if (method !== 0 && method !== 8) throw new Error(`"${path}" is packed in an unknown way`);
    const packed = directory.readUInt32LE(at + 20);
    const size = directory.readUInt32LE(at + 24);
    const place = directory.readUInt32LE(at + 42);
    if (place + packed > length) throw new Error(`"${path}" is cut off`);
    entries.push({ path, at: place, packed, size, isDeflated: method === 8 });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function bytesAt(zip: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  const { bytesRead } = await zip.read(bytes, 0, bytes.length, start);
  if (bytesRead < bytes.length) throw new Error('it is cut off');
  return bytes;
}

function lastIndexOf(bytes: Buffer, signature: number): number {
  for (let at = bytes.length - endBytes; at >= 0; at -= 1) {
    if (bytes.readUInt32LE(at) === signature) return at;
  }
  return -1;
}
