/** The named keys of a data folder that no runtime has: the first key is made before a server is reached from outside. */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { WeirError } from '../../protocol/errors.ts';
import type { OperationName, Params, Result } from '../../protocol/catalogue.ts';
import { localCaller } from '../server/access/caller.ts';
import { Keys } from '../server/access/keys.ts';
import { loadKey } from '../accounts/key-file.ts';
import { systemClock } from '../base/clock.ts';
import { openDataFolder } from '../store/data-folder/data-folder.ts';
import { keyHandlers } from '../api/operations/keys.ts';
import { createOperations, type Handlers } from '../api/operations/operations.ts';
import { keyCheckOf } from '../accounts/key-check.ts';
import { engineAt, openFolderStore, type SqlJsFiles } from '../store/engines.ts';
import type { Store } from '../store/store.ts';

export interface KeyOperations {
  readonly call: <N extends Extract<OperationName, `keys.${string}`>>(
    name: N,
    params: Params<N>,
  ) => Promise<Result<N>>;
}

type Opened = Pick<Store, 'settings' | 'flush' | 'close'>;

/**
 * Opens a database that no node serves; a serving node has the keys in its memory.
 * @throws WeirError('conflict')
 */
async function openAlone(url: string, version: string): Promise<Opened> {
  const key = keyCheckOf(await loadKey({ env: process.env, home: homedir() }));
  const engine = await engineAt(url);
  const node = await engine.join({ url, clock: systemClock, version, key });
  try {
    if (await node.lead()) {
      const store = await node.openStore(() => undefined);
      const flush = (): Promise<void> => store.flush();
      return { settings: store.settings, flush, close: () => node.leave() };
    }
  } catch (error) {
    await node.leave().catch(() => undefined);
    throw error;
  }
  await node.leave();
  throw new WeirError(
    'conflict',
    'A node serves this database: run "weir keys" with the data folder of one that runs.',
  );
}

/**
 * Holds the data folder as a runtime does, for as long as it is used.
 * @throws WeirError what a start would, `data_folder_in_use` for one that a runtime has
 */
export async function withKeys<T>(
  {
    data,
    store: url,
    version,
  }: { readonly data: string; readonly store: string | undefined; readonly version: string },
  sqlJs: SqlJsFiles,
  use: (operations: KeyOperations) => Promise<T>,
): Promise<T> {
  const folder = await openDataFolder(data);
  try {
    const store: Opened = await (url === undefined
      ? openFolderStore({
          data: folder.path,
          sqlJs,
          clock: systemClock,
          // A failed write reports its own error.
          onFailure: () => undefined,
        })
      : openAlone(url, version));
    try {
      const { settings } = store;
      const keys = new Keys({ settings, now: () => systemClock.now(), random: randomBytes });
      const operations = createOperations(
        // `KeyOperations` has no other handlers.
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
