/** Unpacks a ZIP of a stranger into a folder: piece by piece, and no more of it than the limits allow. */
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { FileOnDisk } from './write-files.ts';
import { type ZipEntry, zipEntries } from './zip-entries.ts';

/** All files together, uncompressed, because the sizes in the ZIP's directory may be wrong. */
const mostBytes = 512 * 1024 * 1024;
const mostFiles = 50_000;
const localHead = 30;

/**
 * @param folder an empty one that nobody else uses
 * @returns where the content of each file is, by its path with "/"
 * @throws WeirError `bad_input` for a file that is not a ZIP, is too large, or has paths that lead elsewhere; `cancelled`
 */
export async function readZip(
  path: string,
  folder: string,
  signal: AbortSignal,
): Promise<Map<string, FileOnDisk>> {
  const refuse = (why: string, error?: unknown): never => {
    throw new WeirError('bad_input', `${path} cannot be imported: ${why}`, undefined, error);
  };
  const zip = await open(path).catch((error: unknown) => refuse(messageOf(error), error));
  try {
    const entries = (await zipEntries(zip, mostFiles)).filter((one) => !isAside(one.path));
    const wrong = faultOf(entries.map((one) => one.path));
    if (wrong !== undefined) refuse(wrong);
    const files = new Map<string, FileOnDisk>();
    let total = 0;
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      // By number: names that one system cannot store are no trouble here.
      const file = join(folder, String(index));
      const size = await unpack(zip, path, entry, file, mostBytes - total, signal);
      total += size;
      files.set(entry.path, { file, size });
    }
    return files;
  } catch (error) {
    if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.', undefined, error);
    if (WeirError.is(error)) throw error;
    return refuse(`it is not a whole ZIP file (${messageOf(error)}).`, error);
  } finally {
    await zip.close();
  }
}

/** @returns how many bytes came out */
async function unpack(
  zip: FileHandle,
  zipPath: string,
  { path, at, packed, size, isDeflated }: ZipEntry,
  file: string,
  most: number,
  signal: AbortSignal,
): Promise<number> {
  const head = Buffer.alloc(localHead);
  const { bytesRead } = await zip.read(head, 0, localHead, at);
  if (bytesRead < localHead || head.readUInt32LE(0) !== 0x04034b50) {
    throw new Error(`there is no file where "${path}" should begin`);
  }
  const start = at + localHead + head.readUInt16LE(26) + head.readUInt16LE(28);
  let written = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      written += chunk.length;
      if (written > most) {
        const limit = `more than ${mostFiles} files or ${mostBytes / 1024 / 1024} MB are in it`;
        done(new Error(limit));
      } else if (written > size) {
        done(new Error(`"${path}" is larger than its directory says`));
      } else done(null, chunk);
    },
  });
  const target = createWriteStream(file, { mode: 0o600 });
  if (packed === 0) await pipeline([], counted, target, { signal });
  else {
    const source = createReadStream(zipPath, { start, end: start + packed - 1 });
    if (isDeflated) await pipeline(source, createInflateRaw(), counted, target, { signal });
    else await pipeline(source, counted, target, { signal });
  }
  if (written !== size) throw new Error(`"${path}" is cut off`);
  return written;
}

/** A problem with the paths together, as a sentence. */
function faultOf(paths: readonly string[]): string | undefined {
  const bad = paths.find(leadsElsewhere);
  if (bad !== undefined) return `the path "${bad}" in it leads elsewhere.`;
  const all = new Set(paths);
  if (all.size < paths.length) return 'it has two files of the same name.';
  for (const path of all) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const above = path.slice(0, at);
      if (all.has(above)) return `"${above}" in it is a file and a folder.`;
    }
  }
  return undefined;
}

function leadsElsewhere(path: string): boolean {
  const parts = path.split('/');
  return path === '' || path.startsWith('/') || /^[A-Za-z]:/.test(path) || parts.includes('..');
}

/** Entries of folders, what macOS puts into archives, and what nobody wrote. */
function isAside(path: string): boolean {
  const isOfTools = /(?:^|\/)(?:__MACOSX|node_modules|\.git)\//.test(path);
  return path.endsWith('/') || isOfTools || path.endsWith('.DS_Store');
}
