/** Writes into a folder that others fill, without leaving it through a link. */
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { WeirError } from './errors.ts';

export interface WriteOptions {
  /** Permission bits of a new file. */
  readonly mode?: number;
  /** Whether a file that exists is overwritten; otherwise writing fails with `EEXIST`. */
  readonly replace?: boolean;
}

/**
 * Finds where a path below a folder really is, with each link followed that stays in the folder.
 * @param path relative, or absolute below the root
 * @param options `followsLast: false` for a link at its end that is itself replaced or removed
 * @returns an absolute path; a missing file or folder is not made
 * @throws WeirError `bad_input` for a path that leaves the folder, by `..` or by a link
 */
export async function placeInside(
  root: string,
  path: string,
  { followsLast = true }: { readonly followsLast?: boolean } = {},
): Promise<string> {
  const way = relative(root, resolve(root, path));
  const refuse = (why: string): never => {
    throw new WeirError('bad_input', `${join(root, way)} ${why} ${root}. Choose another place.`);
  };
  if (!isBelow(way)) refuse('is not inside');
  const top = await realOrMissing(root);
  if (top === undefined) return resolve(root, way);
  let at = top;
  const parts = way.split(sep);
  for (const [index, part] of parts.entries()) {
    const next = join(at, part);
    const found = await lstat(next).catch(unlessMissing);
    if (found === undefined) return join(at, ...parts.slice(index));
    const isLast = index === parts.length - 1;
    if (!found.isSymbolicLink() || (isLast && !followsLast)) {
      at = next;
      continue;
    }
    const real = await realOrMissing(next);
    if (real === undefined || !isBelow(relative(top, real))) {
      refuse('is behind a link that leads out of');
    }
    at = real ?? next;
  }
  return at;
}

/**
 * Writes a file below a folder, and makes the folders that its path names.
 * @returns where the file is
 * @throws WeirError `bad_input` for a path that leaves the folder, by `..` or by a link; `conflict` where a file and a
 *   folder would have the same name
 */
export async function writeInside(
  root: string,
  path: string,
  content: string | Uint8Array | NodeJS.ReadableStream,
  { mode = 0o666, replace = true }: WriteOptions = {},
): Promise<string> {
  const place = await placeInside(root, path);
  // A link that somebody puts there meanwhile is not followed. Windows has no such flag, and asks for a privilege to link.
  const noFollow = (constants.O_NOFOLLOW as number | undefined) ?? 0;
  const how = replace ? constants.O_TRUNC : constants.O_EXCL;
  try {
    await mkdir(dirname(place), { recursive: true });
    const file = await open(place, constants.O_WRONLY | constants.O_CREAT | how | noFollow, mode);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EISDIR' || code === 'ENOTDIR' || (code === 'EEXIST' && replace);
    if (!isTaken) throw error;
    const message = `${place} cannot be written: a file and a folder would have the same name. Rename one of them.`;
    throw new WeirError('conflict', message, undefined, error);
  }
  return place;
}

/**
 * Writes a file that a person named: below the folder as `writeInside` does, and elsewhere as named.
 * @param file absolute path
 * @throws WeirError as `writeInside`
 */
export async function writeNamed(
  folder: string,
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  await writeInside(isBelow(relative(folder, file)) ? folder : dirname(file), file, content);
}

/**
 * Refuses a path below the folder that a link leads out of it; one that a person named elsewhere is allowed.
 * @param path absolute
 * @throws WeirError `bad_input`
 */
export async function requireNamed(folder: string, path: string): Promise<void> {
  if (isBelow(relative(folder, path))) await placeInside(folder, path);
}

function isBelow(way: string): boolean {
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve('/', way) !== way;
}

async function realOrMissing(path: string): Promise<string | undefined> {
  return realpath(path).catch(unlessMissing);
}

function unlessMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
}
