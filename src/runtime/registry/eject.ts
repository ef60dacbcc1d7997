/** A component of others becomes files of the workspace: what its code needs, its license and its README (P27.12). */
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { temporaryIn } from '../base/temporary-folders.ts';
import { closureOf } from './closure.ts';
import { folderTree } from './folder/folder-tree.ts';
import { nearest, readmeNames } from './tree.ts';

export interface Ejected {
  /** Absolute path of the component's file. */
  readonly path: string;
  /** Below the folder. */
  readonly files: readonly string[];
}

/**
 * @param path absolute, of the component's file in the cache
 * @param file the same, in its package, repository or folder
 * @param folder absolute path; it appears whole, or not at all
 * @throws WeirError `bad_input` for a path that is not absolute, `conflict` when something is there
 */
export async function ejectFiles(
  path: string,
  file: string,
  folder: string,
  signal: AbortSignal,
): Promise<Ejected> {
  if (!isAbsolute(folder)) {
    throw new WeirError('bad_input', `into must be absolute, not "${folder}".`);
  }
  if ((await stat(folder).catch(() => undefined)) !== undefined) {
    throw new WeirError(
      'conflict',
      `${folder} is there already: name another folder with --into, or move it away.`,
    );
  }
  const root = path.slice(0, path.length - file.length);
  const tree = await folderTree(root, signal);
  const { files } = await closureOf(tree, file, signal);
  const readme = nearest(tree, file, readmeNames);
  const all = new Map(files);
  if (readme !== undefined) {
    for (const [name, data] of await tree.read([readme], signal)) all.set(name, data);
  }
  const above = commonFolder([...all.keys()]);
  const below = (name: string): string => name.slice(above.length);
  await mkdir(dirname(folder), { recursive: true });
  const temporary = temporaryIn(dirname(folder));
  try {
    for (const [name, data] of all) {
      const target = join(temporary, ...below(name).split('/'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, data);
    }
    signal.throwIfAborted();
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return {
    path: join(folder, ...below(file).split('/')),
    files: [...all.keys()].map(below).sort(),
  };
}

/** Undone before anything ran from it. */
export async function removeEjected(folder: string): Promise<void> {
  if (basename(folder) !== '') await rm(folder, { recursive: true, force: true });
}

/** With a "/" at its end; empty for the root. */
function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  let length = first.length;
  for (const parts of others) {
    while (length > 0 && first.slice(0, length).some((part, at) => parts[at] !== part)) length -= 1;
  }
  return first
    .slice(0, length)
    .map((part) => `${part}/`)
    .join('');
}
