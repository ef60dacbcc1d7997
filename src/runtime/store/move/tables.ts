/**
 * What a store consists of, as both engines have it. A table is read with the same columns from either, so that what
 * was written can be compared with what was read; columns named here are those of PostgreSQL. Made anew and not moved
 * are the words of the search, and where SQLite keeps the events of a run (see to-sqlite.ts).
 */
import type { ColumnType } from '../postgres/arrays.ts';
import { movedTo } from '../postgres/moved-setting.ts';

export interface MovedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** In which SQLite takes its rows best. */
  readonly order: string;
  /** SQL for the row of the emitter that a row belongs to; undefined of what belongs to none. */
  readonly emitter?: string;
  /** How SQLite has it, where that is not a table of this name with these columns. */
  readonly sqlite?: Source;
  readonly postgres?: Source;
}

export interface Source {
  /** A table, a join or a subquery. */
  readonly from?: string;
  /** SQL for columns that have another name or form there. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** Settings that say something of a move, and so stay where they are. */
export const ownSettings = {
  /** In PostgreSQL: which move brought it here. */
  movedFrom: 'moved_from',
  /** In PostgreSQL: where it is now. */
  movedTo,
  /** In PostgreSQL: the next numbers of the embedded store, and its fence, for the way back. */
  numbers: 'embedded_numbers',
} as const;

/** Of the embedded store: each opening writes them. */
const ofOpenings = ['opened_at', 'fence'];

const settingsBut = (keys: readonly string[]): Source => ({
  from: `(SELECT * FROM settings WHERE key NOT IN ('${keys.join("', '")}')) s`,
});

const int = 'bigint';
const { text, float8, boolean, bytea } = {
  text: 'text',
  float8: 'float8',
  boolean: 'boolean',
  bytea: 'bytea',
} as const;

const record = { row: int, id: text } as const;
const ofEmitter = { order: 'emitter, n', emitter: 'emitter' };
const ofExecution = '(SELECT x.emitter FROM executions x WHERE x.n = execution)';
const interval = { interval_seconds: float8, cron: text, timezone: text, next_at: int } as const;
const dedupeId = { dedupe_text: text, dedupe_number: float8 } as const;
/** SQLite has both in one column. */
const dedupeIdInSqlite = {
  dedupe_text: `CASE typeof(dedupe_id) WHEN 'text' THEN dedupe_id END`,
  dedupe_number: `CASE WHEN typeof(dedupe_id) IN ('integer', 'real') THEN dedupe_id END`,
};

const configuration: readonly MovedTable[] = [
  {
    name: 'settings',
    columns: { key: text, value: text },
    order: 'key',
    sqlite: settingsBut(ofOpenings),
    postgres: settingsBut(Object.values(ownSettings)),
  },
  {
    name: 'components',
    columns: { ...record, hash: text, path: text, definition: text, created_at: int },
    order: 'row',
  },
  {
    name: 'published',
    columns: { key: text, version: text, component_id: text },
    order: 'key',
  },
  {
    name: 'emitters',
    columns: { ...record, newest_ms: int, newest_seq: int },
    order: 'row',
    emitter: 'row',
  },
  {
    name: 'sources',
    columns: {
      ...record,
      component_id: text,
      name: text,
      slug: text,
      deploying: boolean,
      active: boolean,
      configured_props: text,
      definition: text,
      created_at: int,
      updated_at: int,
    },
    order: 'row',
    emitter: 'row',
  },
  {
    name: 'workflows',
    columns: {
      ...record,
      name: text,
      slug: text,
      path: text,
      active: boolean,
      deployment: text,
      created_at: int,
      updated_at: int,
    },
    order: 'row',
    emitter: '(SELECT e.row FROM emitters e WHERE e.id = workflows.id)',
  },
  {
    name: 'workflow_deployments',
    columns: {
      ...record,
      workflow: text,
      definition: text,
      components: text,
      test: boolean,
      created_at: int,
    },
    order: 'row',
    emitter: '(SELECT e.row FROM emitters e WHERE e.id = workflow)',
  },
  {
    name: 'workflow_subscriptions',
    columns: { subscription: text, workflow: text },
    order: 'subscription',
  },
  {
    name: 'interfaces',
    columns: { ...record, emitter: int, prop: text, kind: text, ...interval },
    order: 'row',
    emitter: 'emitter',
    sqlite: { from: '(SELECT *, source AS emitter FROM interfaces) i' },
  },
  {
    name: 'webhooks',
    columns: {
      ...record,
      url: text,
      name: text,
      description: text,
      active: boolean,
      signing_secret: text,
      old_secret: text,
      old_secret_until: int,
      created_at: int,
      updated_at: int,
    },
    order: 'row',
  },
  {
    name: 'subscriptions',
    columns: { ...record, emitter_id: text, listener_id: text, channel: text },
    order: 'row',
  },
  {
    name: 'auto_subscriptions',
    columns: { ...record, listener_id: text, channel: text },
    order: 'row',
  },
  {
    name: 'accounts',
    columns: {
      ...record,
      app: text,
      name: text,
      sealed: text,
      oauth: text,
      created_at: int,
      updated_at: int,
    },
    order: 'row',
  },
  {
    name: 'agent_offers',
    columns: { row: int, what: text, accounts: text, live: text },
    order: 'row',
  },
  { name: 'data_stores', columns: { ...record, name: text, created_at: int }, order: 'row' },
  {
    name: 'data_store_records',
    columns: { store: text, key: text, json: text, expires_at: int },
    order: 'store, key',
  },
];

const history: readonly MovedTable[] = [
  {
    // What was asked for and how it ended; of one that has not, SQLite may still know of an end that was taken back.
    name: 'invocations',
    columns: {
      emitter: int,
      n: int,
      cause: text,
      hook: text,
      status: text,
      attempt: int,
      replay_of: int,
      created_at: int,
      started_at: int,
      ended_at: int,
      emitted: int,
      dropped: int,
      error: text,
      first_log: int,
      logs: int,
      meta: text,
      body: bytea,
    },
    ...ofEmitter,
    sqlite: {
      from: 'invocations LEFT JOIN triggers USING (n)',
      columns: {
        started_at:
          'CASE WHEN ended_at IS NULL THEN started_at ELSE coalesce(started_at, ended_at) END',
        error: 'CASE WHEN ended_at IS NOT NULL THEN error END',
        first_log: 'CASE WHEN ended_at IS NOT NULL THEN coalesce(first_log, 0) END',
        logs: 'CASE WHEN ended_at IS NOT NULL THEN logs END',
      },
    },
    postgres: {
      from: '(SELECT i.*, a.meta, a.body FROM invocations i JOIN accepted a ON a.emitter = i.emitter AND a.n = i.n) i',
    },
  },
  {
    name: 'events',
    columns: {
      emitter: int,
      ms: int,
      seq: int,
      kind: int,
      channel: text,
      bytes: int,
      invocation: int,
      indexed_at: int,
      emit_id: text,
      ...dedupeId,
      summary: text,
      ts: float8,
      reason: text,
      payload: text,
    },
    // Those of a run lie together in SQLite, notices behind them.
    order: 'invocation, CASE WHEN kind = 2 THEN 1 ELSE 0 END, ms, seq',
    emitter: 'emitter',
    sqlite: {
      from: '(SELECT *, is_drop AS kind FROM events) e',
      columns: dedupeIdInSqlite,
    },
  },
  {
    name: 'scheduled_emits',
    columns: {
      emitter: int,
      due_at: int,
      n: int,
      bytes: int,
      invocation: int,
      scheduled_at: int,
      hops: int,
      channel: text,
      ...dedupeId,
      summary: text,
      ts: float8,
      payload: text,
    },
    ...ofEmitter,
    sqlite: { columns: dedupeIdInSqlite },
  },
  {
    name: 'logs',
    columns: { emitter: int, n: int, invocation: int, at: int, kind: text, level: text, text },
    ...ofEmitter,
  },
  {
    name: 'db',
    columns: { emitter: int, prop: text, key: text, json: text },
    order: 'emitter, prop, key',
    emitter: 'emitter',
  },
  {
    name: 'dedupe',
    columns: { emitter: int, strategy: text, greatest: float8, last: text },
    order: 'emitter',
    emitter: 'emitter',
  },
  {
    name: 'dedupe_ids',
    columns: { emitter: int, seq: int, id: text },
    order: 'emitter, seq',
    emitter: 'emitter',
  },
  {
    name: 'deliveries',
    columns: {
      n: int,
      webhook_id: text,
      emitter: int,
      ms: int,
      seq: int,
      status: text,
      attempts: int,
      next_at: int,
      created_at: int,
      last_status: int,
      last_error: text,
    },
    order: 'n',
    emitter: 'emitter',
  },
  {
    // In the order they were made, from 1 for each delivery.
    name: 'attempts',
    columns: { delivery: int, number: int, record: text, body: text },
    order: 'delivery, number',
    emitter: '(SELECT d.emitter FROM deliveries d WHERE d.n = delivery)',
    sqlite: {
      from: '(SELECT *, row_number() OVER (PARTITION BY delivery ORDER BY row) AS number FROM attempts) a',
      // Before schema 4 it lay within the record.
      columns: { body: `coalesce(body, json_extract(record, '$.request.body'), '')` },
    },
    postgres: {
      from: '(SELECT delivery, row_number() OVER (PARTITION BY delivery ORDER BY number) AS number, record, body FROM attempts) a',
    },
  },
  {
    name: 'executions',
    columns: {
      n: int,
      emitter: int,
      deployment: text,
      legs: int,
      wake_at: int,
      reason: text,
      override: text,
      test: text,
      response: text,
    },
    order: 'n',
    emitter: 'emitter',
  },
  {
    name: 'step_runs',
    columns: {
      execution: int,
      seq: int,
      path: text,
      namespace: text,
      run: int,
      attempt: int,
      status: text,
      started_at: int,
      ended_at: int,
      leg: int,
      exports: text,
      return_value: text,
      decision: text,
      error: text,
      pause: text,
      sends: text,
      props: text,
      first_log: int,
      logs: int,
    },
    order: 'execution, seq',
    emitter: ofExecution,
  },
  {
    name: 'outgoing_requests',
    columns: { execution: int, seq: int, requests: text },
    order: 'execution, seq',
    emitter: ofExecution,
  },
  {
    name: 'resume_hits',
    columns: {
      execution: int,
      path: text,
      run: int,
      action: text,
      at: int,
      meta: text,
      body: bytea,
    },
    order: 'execution, path, run',
    emitter: ofExecution,
  },
  {
    name: 'sends',
    columns: {
      n: int,
      emitter: int,
      execution: int,
      path: text,
      send: text,
      status: text,
      answer: text,
      error: text,
      created_at: int,
      ended_at: int,
    },
    order: 'n',
    emitter: 'emitter',
  },
  {
    name: 'action_runs',
    columns: {
      n: int,
      name: text,
      key: text,
      version: text,
      path: text,
      agent: text,
      props: text,
      status: text,
      started_at: int,
      ended_at: int,
      error: text,
      exports: text,
      return_value: text,
      logs: text,
      requests: text,
    },
    order: 'n',
  },
  {
    name: 'stream_messages',
    columns: { emitter: int, n: int, channel: text, payload: text },
    ...ofEmitter,
  },
  {
    name: 'error_notifications',
    columns: { emitter: int, error: text, at: int },
    order: 'emitter, error',
    emitter: 'emitter',
  },
];

/** In the order they are written: what rows refer to comes before them. */
export const movedTables: readonly MovedTable[] = [...configuration, ...history];

/** Column `owner` is the row of the emitter it belongs to. @param sorted in the table's order, which costs a sort */
export function selectOf(table: MovedTable, engine: 'sqlite' | 'postgres', sorted = false): string {
  const { from = table.name, columns = {} } = table[engine] ?? {};
  const expressions = Object.keys(table.columns).map((name) =>
    columns[name] === undefined ? name : `${columns[name]} AS ${name}`,
  );
  const select = `SELECT ${expressions.join(', ')}, ${table.emitter ?? 'NULL'} AS owner FROM ${from}`;
  return sorted ? `${select} ORDER BY ${table.order}` : select;
}
