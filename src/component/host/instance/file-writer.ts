import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';

/** Suffix of files that are being written: lists leave them out. */
const partMark = '.weir-part-';

export function isPart(name: string): boolean {
  return name.includes(partMark);
}

/**
 * Writes a file that is there when all of it is, on disk: until then its name is that of what was there before.
 * Folders above it are made.
 */
export function fileWriter(path: string): Writable {
  const part = `${path}${partMark}${randomUUID()}`;
  let file: FileHandle | undefined;
  let isThere = false;
  const begin = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    file = await open(part, 'w', 0o600);
  };
  const add = async (chunk: Uint8Array): Promise<void> => {
    // From where the last one ended.
    await file?.writeFile(chunk);
  };
  const close = async (): Promise<void> => {
    const opened = file;
    file = undefined;
    await opened?.close();
  };
  const finish = async (): Promise<void> => {
    await file?.datasync();
    await close();
    await rename(part, path);
    isThere = true;
  };
  const end = async (): Promise<void> => {
    await close();
    if (!isThere) await rm(part, { force: true });
  };
  return new Writable({
    construct: callbackify(begin),
    write: (chunk: Uint8Array, _encoding, done) => callbackify(add)(chunk, done),
    final: callbackify(finish),
    destroy: (error, done) => callbackify(end)((failed) => done(error ?? failed)),
  });
}
