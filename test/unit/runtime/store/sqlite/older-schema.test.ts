import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TakenEmitter } from '../../../../../src/runtime/store/ownership.ts';
import { migrate, migrationsTo } from '../../../../../src/runtime/store/sqlite/migrations.ts';
import { Connection } from '../../../../../src/runtime/store/sqlite/wasm/connection.ts';
import { HostFiles } from '../../../../../src/runtime/store/sqlite/wasm/host-files.ts';
import { diskIo } from '../../../../../src/runtime/store/sqlite/wasm/io.ts';
import { loadSqlite } from '../../../../../src/runtime/store/sqlite/wasm/sqlite.ts';
import type { SqlValue } from '../../../../../src/runtime/store/sqlite/wasm/statement.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { open, sqlJs } from '../../../../support/open-store.ts';
import { definition, event, run, scheduled } from '../../../../support/records.ts';

type Rows = readonly Readonly<Record<string, SqlValue>>[];

const invocation = { cause: 'manual', status: 'succeeded', attempt: 1, emitted: 0, dropped: 0 };
const emitted = { is_drop: 0, channel: '', dedupe_id: null, summary: null, ts: null, reason: null };
const webhook = { url: 'http://127.0.0.1:1/', name: null, description: null, active: 1 };
const delivery = { webhook_id: 'wh_1', next_at: null, last_status: null, last_error: null };
const source = {
  component_id: 'sc_1',
  deploying: 0,
  active: 1,
  configured_props: '{"city":"Köln"}',
  definition: JSON.stringify(definition),
  created_at: 11,
  updated_at: 12,
};

/** Attempts before schema 4 have the body within the record. */
const attempt = (body?: string) => ({
  at: 5,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/',
    headers: { a: 'b' },
    ...(body === undefined ? {} : { body }),
  },
  response: null,
  totalMs: 3,
  error: { class: 'network', message: 'refused' },
});

/**
 * Rows of every table, as version 4 had them: log lines and events counted over all sources, and the
 * newest ones written down before rows were deleted.
 */
const version4: Readonly<Record<string, Rows>> = {
  settings: [{ key: 'port', value: '4711' }],
  marks: [
    { name: 'invocation', value: 30 },
    { name: 'event', value: 70 },
    { name: 'log', value: 40 },
    { name: 'delivery', value: 8 },
    { name: 'event_id', value: '5000-7' },
    { name: 'event_text', value: 52 },
    { name: 'event_text_entries', value: 2 },
  ],
  components: [
    {
      row: 1,
      id: 'sc_1',
      hash: 'h1',
      path: '/a.mjs',
      definition: JSON.stringify(definition),
      created_at: 3,
    },
  ],
  sources: [
    { ...source, row: 2, id: 'dc_1', name: 'One', slug: 'one' },
    { ...source, row: 5, id: 'dc_2', name: 'Two', slug: 'two', active: 0, deploying: 1 },
  ],
  interfaces: [
    {
      id: 'ti_1',
      source: 2,
      prop: 'timer',
      kind: 'timer',
      interval_seconds: null,
      cron: '* * * * *',
      timezone: 'UTC',
      next_at: 60_000,
    },
    { id: 'hi_1', source: 2, prop: 'http', kind: 'http' },
    { id: 'ti_2', source: 5, prop: 'timer', kind: 'timer', interval_seconds: 1.5 },
  ],
  invocations: [
    {
      ...invocation,
      source: 2,
      n: 20,
      status: 'failed',
      created_at: 1,
      started_at: 2,
      ended_at: 3,
      emitted: 2,
      dropped: 1,
      error: '{"name":"Error","message":"no"}',
      first_event: 50,
      first_log: 31,
      logs: 2,
    },
    { ...invocation, source: 2, n: 22, status: 'queued', created_at: 4, logs: 0, replay_of: 20 },
    {
      ...invocation,
      source: 5,
      n: 21,
      cause: 'hook',
      hook: 'deploy',
      status: 'queued',
      attempt: 2,
      created_at: 4,
      logs: 0,
    },
  ],
  triggers: [
    { n: 20, meta: '{"kind":"event"}', body: '{"a":1}' },
    {
      n: 22,
      meta: JSON.stringify({ kind: 'http', prop: 'http', method: 'POST', url: 'u', path: '/' }),
      body: Uint8Array.from([0, 255]),
    },
  ],
  events: [
    {
      ...emitted,
      n: 50,
      source: 2,
      ms: 100,
      seq: 0,
      bytes: 14,
      invocation: 20,
      indexed_at: 100,
      emit_id: 'e1',
      dedupe_id: 'x',
      summary: 'First order',
      ts: 12.5,
      payload: '{"city":"Bern"}',
    },
    {
      ...emitted,
      n: 51,
      source: 2,
      ms: 100,
      seq: 1,
      is_drop: 1,
      bytes: 2,
      invocation: 20,
      indexed_at: 100,
      emit_id: '',
      dedupe_id: 7,
      reason: 'Seen.',
      payload: '{}',
    },
    {
      ...emitted,
      n: 52,
      source: 2,
      ms: 100,
      seq: 2,
      channel: 'c',
      bytes: 1,
      invocation: 20,
      indexed_at: 100,
      emit_id: 'e2',
      payload: '1',
    },
    {
      ...emitted,
      n: 53,
      source: 2,
      ms: 100,
      seq: 3,
      is_drop: 2,
      channel: '$errors',
      bytes: 1,
      invocation: 20,
      indexed_at: 100,
      emit_id: 'e3',
      payload: '2',
    },
  ],
  db: [
    { source: 2, prop: 'db', key: 'k', json: '{"deep":true}' },
    { source: 5, prop: 'db', key: '__proto__', json: '1' },
  ],
  dedupe: [
    { source: 2, strategy: 'unique', greatest: null, last: null },
    { source: 5, strategy: 'greatest', greatest: 1e15, last: 'z' },
  ],
  dedupe_ids: [
    { source: 2, seq: 7, id: 'a' },
    { source: 2, seq: 8, id: 'b' },
  ],
  logs: [
    { source: 2, n: 31, invocation: 20, at: 1, kind: 'console', level: 'info', text: 'one' },
    { source: 2, n: 32, invocation: 20, at: 2, kind: 'error', level: 'error', text: 'two' },
    { source: 5, n: 33, invocation: null, at: 3, kind: 'system', level: 'warn', text: 'three' },
  ],
  webhooks: [
    {
      ...webhook,
      id: 'wh_1',
      signing_secret: 's',
      old_secret: 'o',
      old_secret_until: 99,
      created_at: 1,
      updated_at: 2,
    },
  ],
  subscriptions: [{ id: 'sub_1', emitter_id: 'dc_1', listener_id: 'wh_1', channel: 'c' }],
  auto_subscriptions: [{ id: 'as_1', listener_id: 'wh_1', channel: '$errors' }],
  deliveries: [
    {
      ...delivery,
      n: 5,
      source: 2,
      ms: 100,
      seq: 0,
      status: 'retrying',
      attempts: 2,
      created_at: 9,
    },
    {
      ...delivery,
      n: 6,
      source: 2,
      ms: 100,
      seq: 2,
      status: 'pending',
      attempts: 0,
      created_at: 9,
    },
    {
      ...delivery,
      n: 7,
      source: 2,
      ms: 90,
      seq: 0,
      status: 'delivered',
      attempts: 1,
      created_at: 8,
      last_status: 200,
    },
  ],
  attempts: [
    { delivery: 5, record: JSON.stringify(attempt('{}')), body: null },
    { delivery: 5, record: JSON.stringify(attempt()), body: '{"b":1}' },
  ],
  accounts: [{ id: 'apn_1', app: 'slack', name: 'N', sealed: 's', created_at: 1, updated_at: 2 }],
  data_stores: [{ id: 'ds_1', name: 'one', created_at: 1 }],
  data_store_records: [
    { store: 'ds_1', key: 'k', json: '1', expires_at: null },
    { store: 'ds_1', key: 'l', json: '2', expires_at: 50 },
  ],
  published: [{ key: 'app-name', version: '0.0.1', component_id: 'sc_1' }],
};

/** A store that version 4 of the schema left, closed. */
async function storeOfVersion4(): Promise<string> {
  const file = join(temporaryFolder(), 'weir.db');
  const files = new HostFiles(diskIo);
  files.map('/old.db', file, false);
  const db = new Connection(await loadSqlite(sqlJs, files), '/old.db', (error) => error);
  migrate(db, migrationsTo(4));
  db.transaction(() => {
    for (const [table, rows] of Object.entries(version4)) {
      for (const row of rows) {
        const columns = Object.keys(row);
        const places = columns.map(() => '?').join(', ');
        db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(
          ...Object.values(row),
        );
      }
    }
    db.run(`INSERT INTO event_text (docid, source, text)
      SELECT n, 's' || source, coalesce(summary, '') || ' ' || payload FROM events WHERE n <= 52`);
  });
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'event_text%'")
    .all((row) => row.text('name'));
  db.close();
  // A table that is added to version 4 here or there has to be filled here as well.
  expect(tables.toSorted()).toEqual(Object.keys(version4).toSorted());
  return file;
}

test('a store of schema 4 has every record when it is opened', async () => {
  const store = await open(await storeOfVersion4());
  onTestFinished(() => store.close());

  expect(store.settings.get('port')).toBe('4711');
  const component = { id: 'sc_1', hash: 'h1', path: '/a.mjs', definition, createdAt: 3 };
  expect(store.components.all()).toEqual([component]);
  const published = { key: 'app-name', version: '0.0.1', componentId: 'sc_1' };
  expect(store.components.published('app-name')).toEqual(published);
  const one = {
    id: 'dc_1',
    componentId: 'sc_1',
    name: 'One',
    slug: 'one',
    deploying: false,
    active: true,
    configuredProps: { city: 'Köln' },
    definition,
    createdAt: 11,
    updatedAt: 12,
    interfaces: [
      {
        id: 'ti_1',
        prop: 'timer',
        kind: 'timer',
        cron: '* * * * *',
        timezone: 'UTC',
        nextAt: 60_000,
      },
      { id: 'hi_1', prop: 'http', kind: 'http' },
    ],
  };
  const two = {
    ...one,
    id: 'dc_2',
    name: 'Two',
    slug: 'two',
    deploying: true,
    active: false,
    interfaces: [{ id: 'ti_2', prop: 'timer', kind: 'timer', intervalSeconds: 1.5 }],
  };
  expect(store.sources.all()).toEqual([one, two]);
  expect(store.webhooks.all()).toEqual([
    {
      id: 'wh_1',
      url: 'http://127.0.0.1:1/',
      name: null,
      description: null,
      active: true,
      signingSecret: 's',
      oldSecret: { sealed: 'o', until: 99 },
      createdAt: 1,
      updatedAt: 2,
    },
  ]);
  expect(store.subscriptions.all()).toEqual([
    { id: 'sub_1', emitterId: 'dc_1', listenerId: 'wh_1', channel: 'c' },
  ]);
  expect(store.autoSubscriptions.all()).toEqual([
    { id: 'as_1', listenerId: 'wh_1', channel: '$errors' },
  ]);
  expect(store.accounts.all()).toEqual([
    { id: 'apn_1', app: 'slack', name: 'N', sealed: 's', createdAt: 1, updatedAt: 2 },
  ]);
  expect(store.dataStores.find('one')).toEqual({ id: 'ds_1', name: 'one', createdAt: 1 });
  const page = { after: null, limit: 9 };
  expect(await store.dataStores.entries('ds_1', 49, page)).toEqual([
    ['k', '1'],
    ['l', '2'],
  ]);
  expect(await store.dataStores.count('ds_1', 50)).toBe(1);

  const record = {
    emitterId: 'dc_1',
    cause: 'manual',
    hook: null,
    request: null,
    attempt: 1,
    replayOf: null,
    startedAt: null,
    endedAt: null,
    emitted: 0,
    dropped: 0,
    error: null,
  };
  const first = {
    ...record,
    n: 20,
    status: 'failed',
    createdAt: 1,
    startedAt: 2,
    endedAt: 3,
    emitted: 2,
    dropped: 1,
    error: { name: 'Error', message: 'no' },
  };
  const second = {
    ...record,
    n: 22,
    status: 'queued',
    request: { method: 'POST', path: '/' },
    createdAt: 4,
    replayOf: 20,
  };
  const hook = {
    ...record,
    emitterId: 'dc_2',
    n: 21,
    cause: 'hook',
    hook: 'deploy',
    status: 'queued',
    attempt: 2,
    createdAt: 4,
  };
  expect((await store.invocations.list('dc_1', { limit: 9 })).rows).toEqual([second, first]);
  expect(await store.invocations.trigger(20)).toEqual({ kind: 'event', json: '{"a":1}' });
  const request = { kind: 'http', prop: 'http', method: 'POST', url: 'u', path: '/' };
  const trigger = { ...request, body: Uint8Array.from([0, 255]) };

  const stored = {
    emitterId: 'dc_1',
    invocation: 20,
    indexedAt: 100,
    channel: '',
    dedupeId: null,
    summary: null,
    ts: null,
    dropped: null,
  };
  const notice = { ...stored, id: '100-3', emitId: 'e3', channel: '$errors', payload: '2' };
  expect(await store.events.ofInvocation(20)).toEqual([
    {
      ...stored,
      id: '100-0',
      emitId: 'e1',
      dedupeId: 'x',
      summary: 'First order',
      ts: 12.5,
      payload: '{"city":"Bern"}',
    },
    { ...stored, id: '100-1', emitId: '', dedupeId: 7, payload: '{}', dropped: 'Seen.' },
    { ...stored, id: '100-2', emitId: 'e2', channel: 'c', payload: '1' },
  ]);
  const errors = await store.events.list('dc_1', { limit: 9, channel: '$errors' });
  expect(errors.rows).toEqual([notice]);
  for (const indexed of [false, true]) {
    if (indexed) expect(await store.events.index('dc_1', 9)).toBe(false);
    const found = await store.events.list('dc_1', { limit: 9, search: 'order bern' });
    expect(found.rows.map(({ id }) => id)).toEqual(['100-0']);
  }
  const line = { emitterId: 'dc_1', invocation: 20 };
  expect(await store.logs.ofInvocation(20)).toEqual([
    { ...line, id: 31, at: 1, kind: 'console', level: 'info', text: 'one' },
    { ...line, id: 32, at: 2, kind: 'error', level: 'error', text: 'two' },
  ]);
  expect((await store.logs.list('dc_2', { limit: 9 })).rows).toEqual([
    {
      id: 33,
      emitterId: 'dc_2',
      invocation: null,
      at: 3,
      kind: 'system',
      level: 'warn',
      text: 'three',
    },
  ]);

  const open5 = {
    n: 5,
    webhookId: 'wh_1',
    emitterId: 'dc_1',
    eventId: '100-0',
    status: 'retrying',
    attempts: 2,
    nextAt: null,
    createdAt: 9,
    lastStatus: null,
    lastError: null,
  };
  const open6 = { ...open5, n: 6, eventId: '100-2', status: 'pending', attempts: 0 };
  const over = {
    ...open5,
    n: 7,
    eventId: '90-0',
    status: 'delivered',
    attempts: 1,
    createdAt: 8,
    lastStatus: 200,
  };
  expect((await store.deliveries.list({ limit: 9 })).rows).toEqual([over, open6, open5]);
  const message = { emitId: 'e1', payload: '{"city":"Bern"}', hops: 1 };
  expect(await store.deliveries.outgoing(5)).toEqual({ delivery: open5, message });
  expect(await store.deliveries.attempts(5)).toEqual([attempt('{}'), attempt('{"b":1}')]);

  const taken = new Map<string, TakenEmitter>();
  await store.ownership.takeAll((one) => taken.set(one.id, one));
  expect(taken.get('dc_1')).toEqual({
    id: 'dc_1',
    fence: 1,
    released: true,
    db: { db: { k: '{"deep":true}' } },
    dedupe: { strategy: 'unique', ids: ['a', 'b'] },
    // Ids were those of all sources then.
    newestEvent: { ms: 5000, seq: 7 },
    lastInvocation: second,
    unfinished: [{ record: second, trigger: { ...trigger, body: new Uint8Array(0) } }],
    openDeliveries: [open5, open6],
    waitingEmits: { count: 0, bytes: 0, nextAt: undefined },
    pendingSends: [],
  });
  const ofTwo = taken.get('dc_2');
  expect(Object.entries(ofTwo?.db['db'] ?? {})).toEqual([['__proto__', '1']]);
  expect(ofTwo).toMatchObject({
    dedupe: { strategy: 'greatest', ids: [], greatest: 1e15, last: 'z' },
    newestEvent: { ms: 5000, seq: 7 },
    lastInvocation: hook,
    unfinished: [{ record: hook, trigger: undefined }],
    openDeliveries: [],
  });
});

test('a store of schema 4 goes on with its numbers', async () => {
  const file = await storeOfVersion4();
  let store = await open(file);
  onTestFinished(() => store.close());
  for (const [n, delivery] of [
    [31, 9],
    [32, 10],
  ]) {
    const events = [event(`${6000 + (n ?? 0)}-0`, { webhooks: ['wh_1'] })];
    const dedupe = { strategy: 'unique', append: ['c'] };
    const logs = [{ at: 1, kind: 'console', level: 'info', text: 'x' } as const];
    const made = await run(store, { events, dedupe, logs, scheduled: [scheduled(9000)] });
    expect(made.n).toBe(n);
    expect(made.deliveries[0]?.delivery.n).toBe(delivery);
    expect(made.logIds[0]).toBeGreaterThan(32);
    expect(await store.events.ofInvocation(made.n)).toHaveLength(1);
    await store.close();
    store = await open(file);
  }
  const taken = await store.ownership.take('dc_1');
  expect(taken.dedupe.ids).toEqual(['a', 'b', 'c', 'c']);
  expect(taken.waitingEmits).toMatchObject({ count: 2, nextAt: 9000 });
});
