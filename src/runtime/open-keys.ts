/** The named keys of a data folder that no runtime has: the first key is made before a server is reached from outside. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import { localCaller } from './access/caller.ts';
import { Keys } from './access/keys.ts';
import { systemClock } from './clock.ts';
import { openDataFolder } from './data-folder/data-folder.ts';
import { keyHandlers } from './operations/keys.ts';
import { createOperations, type Handlers } from './operations/operations.ts';
import { openStore } from './store/sqlite/open-store.ts';
import type { SqlJsFiles } from './store/sqlite/wasm/sqlite.ts';

export interface KeyOperations {
  readonly call: <N extends Extract<OperationName, `keys.${string}`>>(
    name: N,
    params: Params<N>,
  ) => Promise<Result<N>>;
}

/**
 * Holds the data folder as a runtime does, for as long as it is used.
 * @throws WeirError what a start would, `data_folder_in_use` for one that a runtime has
 */
export async function withKeys<T>(
  data: string,
  sqlJs: SqlJsFiles,
  use: (operations: KeyOperations) => Promise<T>,
): Promise<T> {
  const folder = await openDataFolder(data);
  try {
    const store = await openStore({
      file: join(folder.path, 'weir.db'),
      sqlJs,
      clock: systemClock,
      // What fails is told by the write that fails.
      onFailure: () => undefined,
    });
    try {
      const { settings } = store;
      const keys = new Keys({ settings, now: () => systemClock.now(), random: randomBytes });
      const operations = createOperations(
        // Of others `KeyOperations` knows nothing.
        keyHandlers({ keys }) as Handlers,
        () => undefined,
        () => store.flush(),
      );
      const context = {
        caller: localCaller,
        signal: new AbortController().signal,
        progress: () => undefined,
      };
      return await use({
        call: async (name, params) =>
          (await operations.call(name, params, context)) as Result<typeof name>,
      });
    } finally {
      await store.close();
    }
  } finally {
    await folder.release();
  }
}
