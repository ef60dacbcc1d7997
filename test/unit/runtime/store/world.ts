import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ComponentDefinition } from '../../../../src/protocol/definition.ts';
import { openStore } from '../../../../src/runtime/store/open-store.ts';
import type { FileIo } from '../../../../src/runtime/store/sqlite/io.ts';
import type {
  DroppedEvent,
  InvocationCommit,
  NewEvent,
  SourceRecord,
  Store,
  WebhookRecord,
} from '../../../../src/runtime/store/store.ts';

export const sqlJs = {
  js: resolve('node_modules/sql.js/dist/sql-wasm-debug.js'),
  wasm: resolve('node_modules/sql.js/dist/sql-wasm-debug.wasm'),
};

/** A folder of its own, removed with the test. */
export function tempFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'weir-store-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function open(file: string, io?: FileIo): Promise<Store> {
  return openStore({ file, sqlJs, now: Date.now, ...(io === undefined ? {} : { io }) });
}

interface World {
  readonly store: Store;
  readonly file: string;
  /** Closes it and opens it again. */
  readonly reopen: () => Promise<Store>;
}

/** A new store that is closed with the test. */
export async function newStore(): Promise<World> {
  const file = join(tempFolder(), 'weir.db');
  const store = await open(file);
  let latest = store;
  onTestFinished(() => latest.close());
  const reopen = async () => {
    await latest.close();
    latest = await open(file);
    return latest;
  };
  return { store, file, reopen };
}

/** A new store with one source, `dc_1`. */
export async function storeWithSource(): Promise<World> {
  const world = await newStore();
  await world.store.sources.insert(source('dc_1'));
  return world;
}

export const definition: ComponentDefinition = {
  name: 'Ticker',
  key: 'ticker',
  type: 'source',
  version: '0.0.1',
  description: null,
  dedupe: 'unique',
  props: [{ name: 'http', type: '$.interface.http' }],
  hooks: [],
  hasRun: true,
  hasAdditionalProps: false,
};

export function source(id: string, changes: Partial<SourceRecord> = {}): SourceRecord {
  return {
    id,
    componentId: 'sc_1',
    name: `Source ${id}`,
    slug: `source-${id}`,
    deploying: false,
    active: true,
    configuredProps: { city: 'Köln' },
    definition,
    interfaces: [{ id: `hi_${id}`, prop: 'http', kind: 'http' }],
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_001,
    ...changes,
  };
}

export function webhook(id: string): WebhookRecord {
  return {
    id,
    url: 'http://127.0.0.1:1/',
    name: null,
    description: null,
    active: true,
    signingSecret: 'sealed',
    createdAt: 1,
    updatedAt: 2,
  };
}

export function event(id: string, changes: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    indexedAt: Number(id.split('-')[0]),
    emitId: `emit-${id}`,
    channel: '',
    payload: JSON.stringify({ id }),
    webhooks: [],
    sources: [],
    ...changes,
  };
}

export function drop(id: string, changes: Partial<DroppedEvent> = {}): DroppedEvent {
  return {
    id,
    at: Number(id.split('-')[0]),
    channel: '',
    payload: '{}',
    reason: 'Seen.',
    ...changes,
  };
}

/** Accepts an invocation of `dc_1` and commits it with the given effect. */
export async function run(
  store: Store,
  effect: Partial<InvocationCommit> & { readonly events?: readonly NewEvent[] } = {},
) {
  const sourceId = effect.sourceId ?? 'dc_1';
  const { n } = store.accept({ sourceId, cause: 'manual', at: 1000 });
  const made = await store.commit({
    n,
    sourceId,
    status: 'succeeded',
    startedAt: 1001,
    endedAt: 1002,
    events: [],
    drops: [],
    db: [],
    logs: [],
    ...effect,
  });
  return { n, ...made };
}
