import { resolve } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { copyTo } from './copy.ts';
import type { Engine } from './engine.ts';
import { storeFailure } from './failure.ts';
import { GroupCommit } from './group-commit.ts';
import { createHotPath } from './commit/commit.ts';
import { createFile, LiveFile } from './live-file.ts';
import { Marks } from './numbers.ts';
import { migrate } from './migrations.ts';
import { judge, look } from './preflight.ts';
import { createEventSearch } from './search/event-search.ts';
import { SourceKeys } from './emitter-keys.ts';
import { HostFiles } from './wasm/host-files.ts';
import { diskIo, type FileIo } from './wasm/io.ts';
import { loadSqlite, type SqlJsFiles } from './wasm/sqlite.ts';
import type { Store } from '../store.ts';
import { Tallies } from './row-counts.ts';
import { createAccounts } from './tables/accounts.ts';
import { createAutoSubscriptions } from './tables/auto-subscriptions.ts';
import { createComponents } from './tables/components.ts';
import { createDataStores } from './tables/data-stores.ts';
import { createDeliveries } from './tables/deliveries.ts';
import { createEvents } from './tables/events.ts';
import { createInvocations } from './tables/invocations.ts';
import { createLogs } from './tables/logs.ts';
import { createSettings } from './tables/settings.ts';
import { createSources } from './tables/sources.ts';
import { createSubscriptions } from './tables/subscriptions.ts';
import { createWebhooks } from './tables/webhooks.ts';

export interface StoreOptions {
  /** Path of the store; its folder must exist. */
  readonly file: string;
  readonly sqlJs: SqlJsFiles;
  /** Epoch ms. */
  readonly now: () => number;
  /** Told once, when the disk refuses: from then on every write does, until the store is opened again. */
  readonly onFailure?: (failure: WeirError) => void;
  /** The real disk unless a test says otherwise. */
  readonly io?: FileIo;
}

/**
 * Opens the store, recovers what a crash left, makes a new one where none is.
 * @throws WeirError('store_failed') with one sentence: not a database, another program's, a newer
 * version's, damaged, cut short, read-only, no rights, full disk. The file is left as it is then.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const file = resolve(options.file);
  const files = new HostFiles(options.io ?? diskIo);
  try {
    const state = judge(file, look(files.io, file));
    const sqlite = await loadSqlite(options.sqlJs, files);
    if (state === 'absent') createFile(sqlite, file, migrate);
    const live = new LiveFile(sqlite, file, state);
    try {
      migrate(live.db);
      proveWrites(live, options.now());
      return storeOn(live, files.io, options.onFailure);
    } catch (error) {
      live.leave();
      throw error;
    }
  } catch (error) {
    files.abandon();
    throw storeFailure(file, error, files.lastError);
  }
}

function proveWrites(live: LiveFile, now: number): void {
  const write = "INSERT OR REPLACE INTO settings (key, value) VALUES ('opened_at', ?)";
  live.prove((db, token) => db.prepare(write).run(token), new Date(now).toISOString());
}

function storeOn(
  live: LiveFile,
  io: FileIo,
  onFailure: StoreOptions['onFailure'] = () => undefined,
): Store {
  const { db, path } = live;
  const groups = new GroupCommit(live, (error) => {
    const failure = storeFailure(path, error, live.systemError);
    onFailure(failure);
    return failure;
  });
  const keys = new SourceKeys(db);
  const engine: Engine = { db, groups, keys, marks: new Marks(db, keys), tallies: new Tallies(db) };
  let closing: Promise<void> | undefined;
  const logs = createLogs(engine);
  const webhooks = createWebhooks(engine);
  const search = createEventSearch(engine);
  return {
    flush: () => groups.flush(),
    inPlace: () => live.inPlace,
    fail: (reason) => groups.fail(reason),
    get failure() {
      return groups.failure;
    },
    copyTo: (file) => groups.alone(() => copyTo(io, resolve(file), (to) => live.copyTo(to))),
    close() {
      closing ??= close();
      return closing;
    },
    settings: createSettings(engine),
    components: createComponents(engine),
    sources: createSources(engine),
    invocations: createInvocations(engine),
    events: createEvents(engine, search),
    search,
    logs,
    webhooks,
    subscriptions: createSubscriptions(engine),
    autoSubscriptions: createAutoSubscriptions(engine),
    deliveries: createDeliveries(engine, webhooks),
    accounts: createAccounts(engine),
    dataStores: createDataStores(engine),
    ...createHotPath(engine, logs, webhooks),
  };

  async function close(): Promise<void> {
    const closed = new WeirError('store_failed', `The store ${path} is closed.`);
    try {
      await groups.alone(() => {
        groups.stop(closed);
        live.close();
      });
    } catch (error) {
      await groups.idle();
      live.abandon();
      throw storeFailure(path, error, live.systemError);
    }
  }
}
