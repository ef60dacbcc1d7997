/** Files that come in pieces: gathered beside the data, and put into the file store when they are whole. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { placeInside, writeInside } from '../../../protocol/write-inside.ts';
import type { CarryRecord } from './records.ts';
import type { CarryState, OpenFile } from './state.ts';

/** Bytes of a piece, as the step cuts them. */
const pieceBytes = 524_288;

export interface FilePlaces {
  /** The file store of workflows. */
  readonly filesDir: string;
  /** For files that are not whole. */
  readonly partsDir: string;
}

export type FileOutcome = 'piece' | 'taken' | 'already' | 'refused';

/**
 * Takes one piece. A file that is there is never overwritten.
 * @returns what became of the file, and of what is remembered of files
 */
export async function takePiece(
  { filesDir, partsDir }: FilePlaces,
  files: CarryState['files'],
  { path, c, size, data }: Extract<CarryRecord, { t: 'file' }>,
): Promise<{ outcome: FileOutcome; files: CarryState['files'] }> {
  const name = path.replace(/^\/+/, '');
  const bytes = Buffer.from(data, 'base64');
  const pieces = Math.max(1, Math.ceil(size / pieceBytes));
  const isWhole = bytes.length === Math.min(pieceBytes, Math.max(0, size - c * pieceBytes));
  const place = await placeInside(filesDir, name).catch(() => undefined);
  const known = files.open.find((one) => one.path === path);
  const isOther = known !== undefined && known.size !== size;
  if (!isWhole || c >= pieces || place === undefined || isOther) {
    return { outcome: 'refused', files };
  }
  if (files.done.includes(path)) return { outcome: 'piece', files };
  if (known === undefined && (await isThere(place))) {
    return { outcome: 'already', files: { ...files, done: [...files.done, path] } };
  }
  const part = join(partsDir, createHash('sha256').update(path).digest('hex'));
  await mkdir(partsDir, { recursive: true, mode: 0o700 });
  await writeAt(part, bytes, c * pieceBytes);
  const has: OpenFile = { path, size, pieces: [...new Set([...(known?.pieces ?? []), c])] };
  const others = files.open.filter((one) => one.path !== path);
  if (has.pieces.length < pieces) {
    return { outcome: 'piece', files: { ...files, open: [...others, has] } };
  }
  const isWritten = await writeInside(filesDir, name, createReadStream(part), {
    replace: false,
  }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  await rm(part, { force: true });
  return {
    outcome: isWritten ? 'taken' : 'already',
    files: { ...files, open: others, done: [...files.done, path] },
  };
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function writeAt(path: string, bytes: Buffer, position: number): Promise<void> {
  const file = await open(path, (await isThere(path)) ? 'r+' : 'w', 0o600);
  try {
    await file.write(bytes, 0, bytes.length, position);
  } finally {
    await file.close();
  }
}
