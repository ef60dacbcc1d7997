import { resolve } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { copyTo } from './copy.ts';
import type { Engine } from './engine.ts';
import { storeFailure, storeFault } from './failure.ts';
import { checkedBy, markChecked } from './checked-mark.ts';
import { refuseDamaged } from './inspect-database.ts';
import { GroupCommit } from './group-commit.ts';
import { createHotPath } from './commit/commit.ts';
import { createFile, LiveFile } from './live-file.ts';
import { Numbers } from './numbers.ts';
import { createOwnership } from './ownership.ts';
import { createSchema, latestVersion, migrate } from './migrations.ts';
import { refuseMoved } from './moved-mark.ts';
import { judge, look } from './preflight.ts';
import { createEventSearch, ensureEventIndex } from './search/event-search.ts';
import { EmitterKeys } from './emitter-keys.ts';
import type { Connection } from './wasm/connection.ts';
import { HostFiles } from './wasm/host-files.ts';
import { diskIo, type FileIo } from './wasm/io.ts';
import { loadSqlite, type SqlJsFiles } from './wasm/sqlite.ts';
import type { Store } from '../store.ts';
import { RowCounts } from './row-counts.ts';
import { createDeliveries } from './tables/deliveries.ts';
import { createEvents } from './tables/events.ts';
import { createExecutions } from './tables/executions.ts';
import { createInvocations } from './tables/invocations.ts';
import { createLogs } from './tables/logs.ts';
import { createScheduledEmits } from './tables/scheduled-emits.ts';
import { createSends } from './tables/sends.ts';
import { createStreams } from './tables/streams.ts';
import { createActionRuns } from '../tables/action-runs.ts';
import { openConfiguration } from '../tables/configuration.ts';
import { emittersOf, tableEngine } from './table-engine.ts';
import type { BaseServices } from '../../base/services.ts';

export interface StoreOptions extends Pick<BaseServices, 'clock'> {
  /** Path of the store; its folder must exist. */
  readonly file: string;
  readonly sqlJs: SqlJsFiles;
  /**
   * Called once, when the disk refuses a write: from then on every write fails, until the store is opened again.
   * @param fault the thrown error, if it was not the disk but a mistake of Weir
   */
  readonly onFailure?: (failure: WeirError, fault?: unknown) => void;
  /** The real disk unless a test says otherwise. */
  readonly io?: FileIo;
}

/**
 * Opens the store, recovers what a crash left, makes a new one where none is.
 * @throws WeirError('store_failed') with one sentence: not a database, another program's, a newer
 * version's, damaged, cut short, moved to PostgreSQL, read-only, no rights, full disk. The file is left as it is then.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const file = resolve(options.file);
  const files = new HostFiles(options.io ?? diskIo);
  try {
    refuseMoved(file);
    const state = judge(file, look(files.io, file));
    const sqlite = await loadSqlite(options.sqlJs, files);
    if (state === 'absent') createFile(sqlite, file, createSchema);
    // Opening it changes the file.
    const checked = state === 'clean' ? checkedBy(file) : undefined;
    const live = new LiveFile(sqlite, file, state);
    try {
      if (checked !== readerOf(live.db)) refuseDamaged(live.db, file);
      migrate(live.db);
      ensureEventIndex(live.db);
      proveWrites(live, options.clock.now());
      return await storeOn(live, state !== 'live', files.io, options);
    } catch (error) {
      live.leave();
      throw error;
    }
  } catch (error) {
    files.abandon();
    throw storeFailure(file, error, files.lastError);
  }
}

/** The reader of the file: this SQLite, and the tables that this version knows. */
function readerOf(db: Connection): string {
  const version = db.prepare('SELECT sqlite_version() AS version');
  return `${version.get((row) => row.text('version'))}/${latestVersion}`;
}

function proveWrites(live: LiveFile, now: number): void {
  const write = "INSERT OR REPLACE INTO settings (key, value) VALUES ('opened_at', ?)";
  live.prove((db, token) => db.prepare(write).run(token), new Date(now).toISOString());
}

/** Every opening of the store owns all of it, under a token of its own. */
function nextFence(db: Connection): number {
  const next = db.prepare(
    `INSERT INTO settings (key, value) VALUES ('fence', '1')
     ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
  );
  let fence: number | undefined;
  db.transaction(() => {
    fence = next.get((row) => Number(row.text('value')));
  });
  if (fence === undefined) throw new Error('The fence of the store is missing.');
  return fence;
}

async function storeOn(
  live: LiveFile,
  wasClosed: boolean,
  io: FileIo,
  { clock, onFailure = () => undefined }: StoreOptions,
): Promise<Store> {
  const { db, path } = live;
  const groups = new GroupCommit(live, clock, (error, by) => {
    const ours = by === 'program';
    const failure = ours ? storeFault(path, error) : storeFailure(path, error, live.systemError);
    onFailure(failure, ours ? error : undefined);
    return failure;
  });
  const fence = nextFence(db);
  const keys = new EmitterKeys(db, fence);
  const numbers = new Numbers(db);
  const engine: Engine = { db, groups, keys, numbers, counts: new RowCounts(db), fence, wasClosed };
  let closing: Promise<void> | undefined;
  const search = createEventSearch(engine);
  const logs = createLogs(engine);
  const invocations = createInvocations(engine);
  const { tables, timers } = await openConfiguration(
    tableEngine(engine),
    emittersOf(engine, search),
    () => groups.flush(),
  );
  const sends = createSends(engine);
  const streams = createStreams(engine);
  const deliveries = createDeliveries(engine, tables.webhooks);
  const scheduledEmits = createScheduledEmits(engine);
  return {
    flush: () => groups.flush(),
    inPlace: () => live.inPlace,
    fail: (reason) => groups.fail(reason),
    get failure() {
      return groups.failure;
    },
    unreachable: undefined,
    copyTo: (file) => groups.alone(() => copyTo(io, resolve(file), (to) => live.copyTo(to))),
    close() {
      closing ??= close();
      return closing;
    },
    ownership: createOwnership(engine, invocations, deliveries, scheduledEmits, sends),
    ...tables,
    actionRuns: createActionRuns(tableEngine(engine), {
      row: {},
      // This opening of the store is the only one.
      lost: (own) => ['n NOT IN (SELECT value FROM json_each(?))', JSON.stringify([...own])],
    }),
    invocations,
    executions: createExecutions(engine, invocations, logs),
    sends,
    streams,
    events: createEvents(engine, search),
    scheduledEmits,
    logs,
    deliveries,
    ...createHotPath(engine, logs, timers, tables.webhooks, sends, streams),
  };

  async function close(): Promise<void> {
    const closed = new WeirError('store_failed', `The store ${path} is closed.`);
    try {
      await groups.alone(() => {
        groups.stop(closed);
        db.transaction(() => numbers.giveBack());
        const [reader, { inPlace }] = [readerOf(db), live];
        live.close();
        if (inPlace) markChecked(path, reader);
      });
    } catch (error) {
      await groups.idle();
      live.abandon();
      throw storeFailure(path, error, live.systemError);
    }
  }
}
