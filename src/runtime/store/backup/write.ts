import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { addFiles } from '../sqlite/backup.ts';
import type { SqlJsFiles } from '../sqlite/wasm/sqlite.ts';
import type { UsesStore } from '../store.ts';
import { codeFiles } from './code-files.ts';

export interface BackupOptions extends UsesStore<'copyTo' | 'components'> {
  /** Runs a task during which no code is removed from the data folder. */
  readonly keepingCode: <T>(task: () => Promise<T>) => Promise<T>;
  readonly sqlJs: SqlJsFiles;
  /** The data folder, links resolved. */
  readonly root: string;
  /** Must not exist. */
  readonly file: string;
}

/**
 * A backup that restores alone: the store, and the code of what is deployed and published.
 * @returns its size in bytes
 * @throws WeirError what `copyTo` throws, `store_failed` when the code cannot be added; nothing is left then
 */
export function writeBackup(options: BackupOptions): Promise<number> {
  const { store, sqlJs, root } = options;
  const copy = resolve(options.file);
  return options.keepingCode(async () => {
    await store.copyTo(copy);
    try {
      // Code of the copy, and of components that were saved since.
      return await addFiles(copy, codeFiles(root, store.components.all()), sqlJs);
    } catch (error) {
      await rm(copy, { force: true });
      throw new WeirError(
        'store_failed',
        `The code could not be added to ${copy} (${messageOf(error)}): the data folder itself is unharmed.`,
        undefined,
        error,
      );
    }
  });
}
