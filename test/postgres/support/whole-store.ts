/** A store of SQLite with rows of every table, and what all of its tables have. */
import type { Connection } from '../../../src/runtime/store/sqlite/wasm/connection.ts';
import type { SqlValue } from '../../../src/runtime/store/sqlite/wasm/statement.ts';
import { newFile } from '../../../src/runtime/store/sqlite/new-file.ts';
import { withDatabase } from '../../../src/runtime/store/sqlite/backup.ts';
import { definition } from '../../support/records.ts';
import { sqlJs } from '../../support/open-store.ts';

export type Rows = Readonly<Record<string, SqlValue>>[];

const text = 'Zürich \u{1F600} \0 \uFDD0 "quoted" \\ end';
const json = (value: unknown): string => JSON.stringify(value);
const times = { created_at: 1_700_000_000_001, updated_at: 1_700_000_000_002 };
const big = 2 ** 52 + 1;

const emitter = { active: 1, slug: '', ...times };
const source = {
  component_id: 'sc_1',
  deploying: 0,
  configured_props: json({ city: 'Köln' }),
  definition: json(definition),
  ...emitter,
};
const run = {
  emitter: 1,
  cause: 'http',
  hook: null,
  attempt: 1,
  replay_of: null,
  created_at: 10,
  started_at: 11,
  ended_at: 12,
  emitted: 0,
  dropped: 0,
  error: null,
  first_event: null,
  first_log: 1,
  logs: 0,
  scheduled: 0,
  status: 'succeeded',
};
const event = {
  emitter: 1,
  seq: 0,
  is_drop: 0,
  channel: '',
  bytes: 2,
  invocation: 1,
  indexed_at: 12,
  emit_id: 'emit',
  dedupe_id: null,
  summary: null,
  ts: null,
  reason: null,
  payload: '{}',
};
const step = {
  execution: 4,
  namespace: 'code',
  run: 1,
  attempt: 1,
  status: 'succeeded',
  started_at: 20,
  ended_at: 21,
  leg: 1,
  exports: null,
  return_value: null,
  decision: null,
  error: null,
  pause: null,
  sends: null,
  first_log: null,
  logs: 0,
  props: null,
};
const scheduledEmit = {
  emitter: 1,
  invocation: 1,
  bytes: 2,
  scheduled_at: 12,
  hops: 1,
  channel: '',
  dedupe_id: null,
  summary: null,
  ts: null,
  payload: '{}',
};
const delivery = {
  webhook_id: 'wh_1',
  emitter: 1,
  seq: 0,
  status: 'delivered',
  attempts: 2,
  next_at: null,
  created_at: 13,
  last_status: 200,
  last_error: null,
};

/** Several rows of each table: all kinds, every column once with a value and once without where it may be. */
const rows: Readonly<Record<string, Rows>> = {
  settings: [
    { key: 'fence', value: '7' },
    { key: 'keys', value: json([{ name: text, hash: 'sealed' }]) },
  ],
  numbers: [
    { name: 'delivery', next: 100 },
    { name: 'event', next: 1000 },
    { name: 'invocation', next: big },
  ],
  components: [
    { row: 1, id: 'sc_1', hash: 'h1', path: '/a.ts', definition: json(definition), created_at: 3 },
    { row: 4, id: 'sc_2', hash: 'h2', path: null, definition: json(definition), created_at: 4 },
  ],
  published: [{ key: 'ticker', version: '0.0.1', component_id: 'sc_2' }],
  emitters: [
    { row: 1, id: 'dc_1', newest_ms: 5000, newest_seq: 3 },
    { row: 2, id: 'p_1', newest_ms: null, newest_seq: null },
    { row: 9, id: 'dc_2', newest_ms: null, newest_seq: null },
  ],
  sources: [
    { row: 1, id: 'dc_1', name: text, ...source, slug: 'one' },
    { row: 9, id: 'dc_2', name: 'Two', ...source, slug: 'two', active: 0, deploying: 1 },
  ],
  workflows: [
    { row: 2, id: 'p_1', name: 'Flow', path: '/flow', deployment: 'd_1', ...emitter, slug: 'flow' },
  ],
  workflow_deployments: [
    {
      row: 1,
      id: 'd_1',
      workflow: 'p_1',
      definition: json({ steps: [] }),
      components: json({ one: 'sc_1', two: 'sc_2', three: 'sc_1' }),
      created_at: 5,
      test: 0,
    },
    {
      row: 2,
      id: 'd_2',
      workflow: 'p_1',
      definition: json({ steps: [] }),
      components: '{}',
      created_at: 6,
      test: 1,
    },
  ],
  workflow_components: [
    { deployment: 'd_1', component_id: 'sc_1' },
    { deployment: 'd_1', component_id: 'sc_2' },
  ],
  workflow_subscriptions: [{ subscription: 'sub_2', workflow: 'p_1' }],
  interfaces: [
    {
      row: 1,
      id: 'ti_1',
      source: 1,
      prop: 'timer',
      kind: 'timer',
      interval_seconds: 0.25,
      cron: null,
      timezone: null,
      next_at: 1_900_000_000_000,
    },
    {
      row: 2,
      id: 'ti_2',
      source: 9,
      prop: 'timer',
      kind: 'timer',
      interval_seconds: null,
      cron: '* * * * *',
      timezone: 'Europe/Zurich',
      next_at: null,
    },
  ],
  webhooks: [
    {
      row: 1,
      id: 'wh_1',
      url: 'http://127.0.0.1:1/',
      name: text,
      description: 'd',
      active: 1,
      signing_secret: 'sealed',
      ...times,
      old_secret: 'old',
      old_secret_until: 99,
    },
    {
      row: 2,
      id: 'wh_2',
      url: 'http://127.0.0.1:2/',
      name: null,
      description: null,
      active: 0,
      signing_secret: 'sealed',
      ...times,
      old_secret: null,
      old_secret_until: null,
    },
  ],
  subscriptions: [
    { row: 1, id: 'sub_1', emitter_id: 'dc_1', listener_id: 'wh_1', channel: '' },
    { row: 2, id: 'sub_2', emitter_id: 'dc_1', listener_id: 'p_1', channel: text },
  ],
  auto_subscriptions: [{ row: 1, id: 'as_1', listener_id: 'wh_1', channel: '$errors' }],
  accounts: [
    { row: 1, id: 'apn_1', app: 'slack', name: 'Me', sealed: 'sealed', ...times, oauth: null },
    { row: 2, id: 'apn_2', app: 'github', name: 'You', sealed: 'sealed', ...times, oauth: '{}' },
  ],
  data_stores: [{ row: 1, id: 'ds_1', name: 'Store', created_at: 7 }],
  data_store_records: [
    { store: 'ds_1', key: '', json: 'null', expires_at: null },
    { store: 'ds_1', key: text, json: json({ text }), expires_at: 1_900_000_000_000 },
  ],
  invocations: [
    // Two events, a drop, and what waits to be an event; then one that failed, one that waits, one that was cut off.
    { ...run, n: 1, emitted: 2, dropped: 1, first_event: 1, logs: 2, scheduled: 1 },
    { ...run, n: 2, cause: 'timer', status: 'failed', error: json({ name: 'E', message: text }) },
    { ...run, n: 3, status: 'queued', started_at: null, ended_at: null, first_log: null },
    {
      ...run,
      n: 4,
      emitter: 2,
      cause: 'event',
      status: 'paused',
      ended_at: null,
      first_log: null,
      emitted: 1,
      first_event: 6,
    },
    { ...run, n: 5, emitter: 9, cause: 'hook', hook: 'activate', attempt: 2, replay_of: 1 },
    { ...run, n: 6, status: 'running', started_at: null, ended_at: null, first_log: null },
    { ...run, n: big - 1, cause: 'event', status: 'cancelled' },
  ],
  triggers: [
    {
      n: 1,
      meta: json({ kind: 'http', prop: 'http', method: 'POST', path: '/a?', headers: { a: text } }),
      body: new Uint8Array([0, 1, 2, 255, 128]),
    },
    { n: 2, meta: json({ kind: 'timer', prop: 'timer' }), body: null },
    {
      n: 3,
      meta: json({ kind: 'http', prop: 'http', method: 'GET', path: '/', noStore: true }),
      body: new Uint8Array(),
    },
    { n: 4, meta: json({ kind: 'event' }), body: json({ big: text.repeat(1000) }) },
    { n: big - 1, meta: json({ kind: 'event', hops: 3 }), body: '{}' },
  ],
  events: [
    { ...event, n: 1, ms: 12, dedupe_id: text, summary: text, ts: 1.5, payload: json({ text }) },
    { ...event, n: 2, ms: 12, seq: 1, dedupe_id: 5, channel: text },
    { ...event, n: 3, ms: 13, is_drop: 1, emit_id: '', reason: 'Seen.', dedupe_id: 2.5 },
    { ...event, n: 5, ms: 14, is_drop: 2, channel: '$errors' },
    { ...event, n: 6, ms: 20, emitter: 2, invocation: 4 },
  ],
  scheduled_emits: [
    { ...scheduledEmit, n: 4, due_at: 1_900_000_000_000, dedupe_id: text, summary: text, ts: 2.5 },
  ],
  leg_events: [{ execution: 1, first: 4, count: 1 }],
  logs: [
    { emitter: 1, n: 1, invocation: 1, at: 11, kind: 'console', level: 'info', text },
    { emitter: 1, n: 2, invocation: 1, at: 11, kind: 'console', level: 'warn', text: '' },
    { emitter: 2, n: 1, invocation: null, at: 11, kind: 'runtime', level: 'error', text: 'x' },
  ],
  db: [
    { emitter: 1, prop: 'db', key: '', json: 'null' },
    { emitter: 1, prop: 'db', key: text, json: json({ text }) },
    { emitter: 2, prop: 'step/db', key: '__proto__', json: '1' },
  ],
  dedupe: [
    { emitter: 1, strategy: 'unique', greatest: null, last: null },
    { emitter: 9, strategy: 'greatest', greatest: 7.25, last: text },
  ],
  dedupe_ids: [
    { emitter: 1, seq: 5, id: text },
    { emitter: 1, seq: 6, id: '' },
  ],
  deliveries: [
    { ...delivery, n: 1, ms: 12 },
    {
      ...delivery,
      n: 2,
      ms: 13,
      status: 'retrying',
      next_at: 99,
      last_status: null,
      last_error: 'x',
    },
  ],
  attempts: [
    { row: 1, delivery: 1, record: json({ at: 1, request: {} }), body: text },
    { row: 2, delivery: 1, record: json({ at: 2, request: {} }), body: '' },
    { row: 3, delivery: 2, record: json({ at: 3, request: {} }), body: '{}' },
  ],
  executions: [
    {
      n: 4,
      emitter: 2,
      deployment: 'd_1',
      legs: 1,
      wake_at: 1_900_000_000_000,
      reason: null,
      override: '{}',
      test: null,
      response: json({ status: 200 }),
    },
    {
      n: 8,
      emitter: 2,
      deployment: 'd_2',
      legs: 2,
      wake_at: null,
      reason: 'cancelled',
      override: null,
      test: '{}',
      response: null,
    },
  ],
  step_runs: [
    {
      ...step,
      seq: 1,
      path: 'one',
      exports: json({ text }),
      return_value: '1',
      logs: 1,
      first_log: 1,
    },
    { ...step, seq: 2, path: 'two', status: 'paused', pause: '{}', sends: '[]', props: '{}' },
    { ...step, seq: 3, path: 'three', status: 'failed', error: '{}', decision: 'x' },
  ],
  outgoing_requests: [{ execution: 4, seq: 1, requests: '[]' }],
  resume_hits: [
    {
      execution: 4,
      path: 'two',
      run: 1,
      action: 'resume',
      at: 22,
      meta: json({ kind: 'http' }),
      body: new Uint8Array([1, 0, 2]),
    },
    { execution: 4, path: 'two', run: 2, action: 'cancel', at: 23, meta: null, body: null },
  ],
  sends: [
    {
      n: 3,
      emitter: 2,
      execution: 4,
      path: 'one',
      send: '{}',
      status: 'sent',
      answer: '{}',
      error: text,
      created_at: 20,
      ended_at: 21,
    },
    {
      n: 4,
      emitter: 2,
      execution: 4,
      path: 'one',
      send: '{}',
      status: 'pending',
      answer: null,
      error: null,
      created_at: 20,
      ended_at: null,
    },
  ],
  stream_messages: [{ n: 8, emitter: 2, channel: text, payload: json({ text }) }],
  error_notifications: [{ emitter: 2, error: text, at: 24 }],
  action_runs: [
    {
      n: 3,
      name: text,
      key: text,
      version: '0.0.1',
      path: text,
      agent: text,
      props: text,
      status: 'failed',
      started_at: 25,
      ended_at: 26,
      error: text,
      exports: text,
      return_value: text,
      logs: text,
      requests: text,
    },
  ],
  agent_offers: [{ row: 1, what: text, accounts: '{"gitlab":"apn_1"}', live: '["gitlab-get"]' }],
};

/** Made anew by whoever opens the store. */
const index = /^(event_text|indexed_events|sqlite_)/;

const tablesOf = (db: Connection): string[] =>
  db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all((row) => row.text('name'))
    .filter((name) => !index.test(name));

export const tablesWithRows = Object.keys(rows).toSorted();

export async function writeWholeStore(file: string): Promise<void> {
  await newFile(file, sqlJs, async (db) => {
    db.run('BEGIN');
    for (const [table, all] of Object.entries(rows)) {
      for (const row of all) {
        const names = Object.keys(row);
        const places = names.map(() => '?').join(', ');
        db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`).run(
          ...Object.values(row),
        );
      }
    }
    db.run('COMMIT');
  });
}

/** Every row of every table of a closed store, but of the search index: each as text, with types. */
export function contentOf(file: string): Promise<Record<string, string[]>> {
  return withDatabase(file, sqlJs, async (db) => {
    const content: Record<string, string[]> = {};
    for (const table of tablesOf(db)) {
      const columns = db
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all((row) => row.text('name'));
      const quoted = columns.map((name) => `'${name}=' || quote(${name})`).join(` || ' ' || `);
      // `quote` ends a text at NUL.
      const whole = columns
        .map((name) => `coalesce(hex(CAST(${name} AS BLOB)), '')`)
        .join(` || ' ' || `);
      content[table] = db
        .prepare(`SELECT ${quoted} || ' ' || ${whole} AS line FROM ${table}`)
        .all((row) => row.text('line'))
        .toSorted();
    }
    return content;
  });
}

/** Columns in which no row has a value, each as `table.column`: what they keep would not be tried. */
export function emptyColumnsOf(file: string): Promise<string[]> {
  return withDatabase(file, sqlJs, async (db) =>
    tablesOf(db).flatMap((table) =>
      db
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all((row) => row.text('name'))
        .filter((name) => {
          const used = db.prepare(`SELECT count(${name}) AS values_there FROM ${table}`);
          return used.get((row) => row.number('values_there')) === 0;
        })
        .map((name) => `${table}.${name}`),
    ),
  );
}
