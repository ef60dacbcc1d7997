/** Files that come in pieces: gathered beside the data, and put into the file store when they are whole. */
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { placeInside } from '../../../protocol/write-inside.ts';
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

export type FileOutcome =
  | 'piece'
  | 'taken'
  | 'already'
  /** The reason, as the end of a sentence. */
  | { readonly refused: string };

interface Taken {
  readonly outcome: FileOutcome;
  readonly files: CarryState['files'];
}

/**
 * Takes one piece. A file that is there is never overwritten. A file whose size has changed since its first pieces begins again.
 * @returns what became of the file, and of what is remembered of files
 */
export async function takePiece(
  { filesDir, partsDir }: FilePlaces,
  files: CarryState['files'],
  { path, c, size, data }: Extract<CarryRecord, { t: 'file' }>,
): Promise<Taken> {
  const name = path.replace(/^\/+/, '');
  const bytes = Buffer.from(data, 'base64');
  const pieces = Math.max(1, Math.ceil(size / pieceBytes));
  const isWhole = bytes.length === Math.min(pieceBytes, Math.max(0, size - c * pieceBytes));
  if (!isWhole || c >= pieces) return refused(files, 'one of its pieces was cut or changed');
  const place = await placeInside(filesDir, name).catch(() => undefined);
  if (place === undefined) return refused(files, 'its path leaves the file store or is too long');
  if (files.done.includes(path)) return { outcome: 'piece', files };
  const known = files.open.find((one) => one.path === path && one.size === size);
  const found = known === undefined ? await lstat(place).catch(() => undefined) : undefined;
  if (found !== undefined) return foundThere(files, path, found);
  const part = join(partsDir, createHash('sha256').update(path).digest('hex'));
  await mkdir(partsDir, { recursive: true, mode: 0o700 });
  if (known === undefined) await rm(part, { force: true });
  await writeAt(part, bytes, c * pieceBytes);
  const has: OpenFile = { path, size, pieces: [...new Set([...(known?.pieces ?? []), c])] };
  const others = files.open.filter((one) => one.path !== path);
  if (has.pieces.length < pieces) {
    return { outcome: 'piece', files: { ...files, open: [...others, has] } };
  }
  const rest = { ...files, open: others };
  const isPut = await put(part, place);
  await rm(part, { force: true });
  if (!isPut) return foundThere(rest, path, await lstat(place).catch(() => undefined));
  return { outcome: 'taken', files: { ...rest, done: [...files.done, path] } };
}

/**
 * Gives a whole file its place at once, so that a crash leaves no half of it.
 * @returns false where something else has its name, or the name of one of its folders
 */
async function put(part: string, place: string): Promise<boolean> {
  try {
    await mkdir(dirname(place), { recursive: true });
    // Not every file system has hard links.
    await link(part, place).catch(() => copyFile(part, place, constants.COPYFILE_EXCL));
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes(code)) return false;
    throw error;
  }
}

/** @param found undefined where another file has the name of one of its folders */
function foundThere(files: CarryState['files'], path: string, found: Stats | undefined): Taken {
  if (found?.isFile() !== true) {
    return refused(files, 'a file and a folder would have the same name');
  }
  return { outcome: 'already', files: { ...files, done: [...files.done, path] } };
}

function refused(files: CarryState['files'], reason: string): Taken {
  return { outcome: { refused: reason }, files };
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
