/** A data folder made of a copy that `weir db copy` wrote. */
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
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
  const place = join(root, path);
  if (!place.startsWith(root + sep)) {
    throw new WeirError('bad_input', `The copy has a file outside of the data folder: ${path}.`);
  }
  await mkdir(dirname(place), { recursive: true });
  await rm(place, { recursive: true, force: true });
  if (content instanceof Uint8Array) await writeFile(place, content, { mode });
  // Junctions need no privilege on Windows, and whole paths.
  else if (process.platform === 'win32') {
    await symlink(resolve(dirname(place), content.link), place, 'junction');
  } else await symlink(content.link, place);
}
