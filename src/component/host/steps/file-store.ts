/** `$.files`: the files that the workflows of a data folder share (P14.9). */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { AskRuntime } from '../channel/requests.ts';
import { isPart } from '../instance/file-writer.ts';
import { below, requireInside, type StoredFile, storedFile } from '../instance/stored-file.ts';
import { isDictionary, plainText } from '../values.ts';

export interface FileStore {
  /** Neither creates nor checks the file. Throws RangeError for a path that leads out of the store. */
  open(path?: unknown): StoredFile;
  /** The file that another step has returned. */
  openDescriptor(descriptor?: unknown): StoredFile;
  /** By name; nothing of a folder that is not there. */
  dir(path?: unknown): AsyncIterable<FileStoreEntry>;
}

export interface FileStoreEntry {
  readonly name: string;
  /** Below the store, with `/`. */
  readonly path: string;
  /** Size of a file, in bytes. */
  readonly size?: number;
  readonly modifiedAt?: Date;
  readonly file?: StoredFile;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** @param root absolute */
export function fileStore(root: string, ask: AskRuntime): FileStore {
  const open = (path: unknown, type?: string): StoredFile => {
    if (typeof path !== 'string' || path === '') {
      throw new TypeError('$.files.open: the path of a file is required.');
    }
    return storedFile(root, path, ask, type);
  };
  return {
    open: (path) => open(path),
    openDescriptor(descriptor) {
      const { path, type } = isDictionary(descriptor) ? descriptor : {};
      return open(path, typeof type === 'string' ? type : undefined);
    },
    dir: (path) =>
      entriesOf(root, path === undefined ? '' : plainText(path), (found) => open(found)),
  };
}

async function* entriesOf(
  root: string,
  path: string,
  open: (path: string) => StoredFile,
): AsyncGenerator<FileStoreEntry> {
  const folder = below(root, path);
  await requireInside(root, folder, path);
  for (const entry of await list(folder)) {
    const { name } = entry;
    if (isPart(name)) continue;
    const local = join(folder, name);
    const shown = relative(root, local).split(sep).join('/');
    const kind = { isFile: () => entry.isFile(), isDirectory: () => entry.isDirectory() };
    if (!entry.isFile()) {
      yield { name, path: shown, ...kind };
      continue;
    }
    const found = await stat(local).catch(() => undefined);
    // Deleted meanwhile.
    if (found === undefined) continue;
    const { size, mtime: modifiedAt } = found;
    yield { name, path: shown, size, modifiedAt, file: open(shown), ...kind };
  }
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
