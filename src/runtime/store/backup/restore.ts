/** A data folder made of a copy that `weir db copy` wrote. */
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { placeInside, writeInside } from '../../../protocol/write-inside.ts';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { type BackupFile, restoreStore } from '../sqlite/backup.ts';
import { liveSuffixes } from '../sqlite/wasm/guard.ts';
import type { SqlJsFiles } from '../sqlite/wasm/sqlite.ts';

export interface Restored {
  readonly data: string;
  /** How many files of code came with the store; none of a copy that carries only the store. */
  readonly files: number;
}

/**
 * @throws WeirError `conflict` when the data folder has a store already, `data_folder_in_use`, `bad_input`
 *   for a folder that cannot be used, `store_failed` for what is no copy, or is damaged
 */
export async function restoreBackup(
  data: string,
  backup: string,
  sqlJs: SqlJsFiles,
): Promise<Restored> {
  if (!existsSync(backup)) throw new WeirError('bad_input', `There is no file ${backup}.`);
  const folder = await openDataFolder(data);
  try {
    const store = join(folder.path, 'weir.db');
    const there = [store, store + liveSuffixes['-wal']].find((path) => existsSync(path));
    if (there !== undefined) {
      throw new WeirError(
        'conflict',
        `${there} is there already: move it away, or choose another data folder with --data.`,
      );
    }
    let files = 0;
    await restoreStore(backup, store, sqlJs, async (file) => {
      await put(folder.path, file);
      files++;
    });
    return { data: folder.path, files };
  } finally {
    await folder.release();
  }
}

async function put(root: string, { path, mode, content }: BackupFile): Promise<void> {
  // A link of the copy is restored as it is, and nothing is restored through one that leads out of the data folder.
  const place = await placeInside(root, path, { followsLast: false }).catch((error: unknown) => {
    const message = `The copy has a file outside of the data folder: ${path}. Nobody's backup has one: do not use the copy.`;
    throw new WeirError('bad_input', message, undefined, error);
  });
  await mkdir(dirname(place), { recursive: true });
  await rm(place, { recursive: true, force: true });
  if (content instanceof Uint8Array) await writeInside(root, path, content, { mode });
  // Junctions need no privilege on Windows, and whole paths.
  else if (process.platform === 'win32') {
    await symlink(resolve(dirname(place), content.link), place, 'junction');
  } else await symlink(content.link, place);
}
