import { eventText } from './search/event-text.ts';
import { newSchema, newSchemaVersion } from './new-schema.ts';
import type { Connection } from './wasm/connection.ts';

/** "Weir" in the header of the file, so that another program's database is recognized. */
export const applicationId = 0x57656972;

/**
 * The schema, step by step. A step that was released is never changed; a new one is added below.
 * `user_version` is the number of steps a store has.
 *
 * Two habits keep an event's way cheap: what a component's run touches names its source by a small
 * integer (`sources.row`), and the big part of an invocation (its trigger) lies apart from the small
 * row that is updated when it ends.
 */
const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
    // Numbers and ids that were given out, so that deleting the newest rows never makes one return.
    `CREATE TABLE marks (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE components (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, path TEXT,
      definition TEXT NOT NULL, created_at INTEGER NOT NULL)`,
    `CREATE TABLE sources (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, component_id TEXT NOT NULL,
      name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE, deploying INTEGER NOT NULL,
      active INTEGER NOT NULL, configured_props TEXT NOT NULL,
      definition TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE TABLE interfaces (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source INTEGER NOT NULL,
      prop TEXT NOT NULL, kind TEXT NOT NULL, interval_seconds REAL, cron TEXT, timezone TEXT,
      next_at INTEGER)`,
    `CREATE INDEX interfaces_of_source ON interfaces (source)`,
    // By source and number, and no index: each would cost an event as much as the row itself.
    `CREATE TABLE invocations (
      source INTEGER NOT NULL, n INTEGER NOT NULL, cause TEXT NOT NULL, hook TEXT,
      status TEXT NOT NULL, attempt INTEGER NOT NULL, replay_of INTEGER,
      created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
      emitted INTEGER NOT NULL, dropped INTEGER NOT NULL, error TEXT,
      first_event INTEGER, first_log INTEGER, logs INTEGER NOT NULL,
      PRIMARY KEY (source, n)) WITHOUT ROWID`,
    `CREATE TABLE triggers (n INTEGER PRIMARY KEY, meta TEXT NOT NULL, body)`,
    // `id` is `<ms>-<seq>`; `is_drop` and `bytes` are in the index for counting without the rows.
    // `is_drop` is 1 for a drop and 2 for an event on a reserved channel.
    `CREATE TABLE events (
      n INTEGER PRIMARY KEY, source INTEGER NOT NULL, ms INTEGER NOT NULL, seq INTEGER NOT NULL,
      is_drop INTEGER NOT NULL, channel TEXT NOT NULL, bytes INTEGER NOT NULL,
      invocation INTEGER NOT NULL, indexed_at INTEGER NOT NULL, emit_id TEXT NOT NULL, dedupe_id,
      summary TEXT, ts REAL, reason TEXT, payload TEXT NOT NULL)`,
    `CREATE INDEX events_of_source ON events (source, ms, seq, is_drop, channel, bytes)`,
    `CREATE TABLE db (
      source INTEGER NOT NULL, prop TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (source, prop, key)) WITHOUT ROWID`,
    `CREATE TABLE dedupe (
      source INTEGER PRIMARY KEY, strategy TEXT NOT NULL, greatest REAL, last TEXT)`,
    `CREATE TABLE dedupe_ids (
      source INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (source, seq)) WITHOUT ROWID`,
    `CREATE TABLE logs (
      source INTEGER NOT NULL, n INTEGER NOT NULL, invocation INTEGER, at INTEGER NOT NULL,
      kind TEXT NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (source, n)) WITHOUT ROWID`,
    `CREATE TABLE webhooks (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, url TEXT NOT NULL, name TEXT,
      description TEXT, active INTEGER NOT NULL, signing_secret TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE TABLE subscriptions (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, emitter_id TEXT NOT NULL,
      listener_id TEXT NOT NULL, channel TEXT NOT NULL,
      UNIQUE (emitter_id, listener_id, channel))`,
    `CREATE TABLE deliveries (
      n INTEGER PRIMARY KEY, webhook_id TEXT NOT NULL, source INTEGER NOT NULL,
      ms INTEGER NOT NULL, seq INTEGER NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL,
      next_at INTEGER, created_at INTEGER NOT NULL, last_status INTEGER, last_error TEXT)`,
    `CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id)`,
    `CREATE INDEX deliveries_open ON deliveries (n) WHERE status IN ('pending', 'retrying')`,
    `CREATE TABLE attempts (row INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, record TEXT NOT NULL)`,
    `CREATE INDEX attempts_of_delivery ON attempts (delivery)`,
    `CREATE TABLE accounts (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, app TEXT NOT NULL, name TEXT NOT NULL,
      sealed TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
  ],
  [
    `CREATE TABLE data_stores (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL)`,
    `CREATE TABLE data_store_records (
      store TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, expires_at INTEGER,
      PRIMARY KEY (store, key)) WITHOUT ROWID`,
    `CREATE INDEX data_store_records_expiring ON data_store_records (expires_at)
      WHERE expires_at IS NOT NULL`,
  ],
  [
    // The words of events, without the events themselves.
    `CREATE VIRTUAL TABLE event_text USING fts4(
      content="", matchinfo="fts3", order="desc", tokenize=unicode61, source, text)`,
    `ALTER TABLE webhooks ADD COLUMN old_secret TEXT`,
    `ALTER TABLE webhooks ADD COLUMN old_secret_until INTEGER`,
    `CREATE TABLE auto_subscriptions (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, listener_id TEXT NOT NULL,
      channel TEXT NOT NULL, UNIQUE (listener_id, channel))`,
    `CREATE TABLE published (
      key TEXT PRIMARY KEY, version TEXT NOT NULL, component_id TEXT NOT NULL) WITHOUT ROWID`,
  ],
  // The body as it was sent: within the JSON of `record` it had to be escaped.
  [`ALTER TABLE attempts ADD COLUMN body TEXT`],
  [
    // Sources are not the only emitters: what an emitter has names it by `emitters.row`. The newest
    // event id is written down before events are deleted; otherwise the events themselves tell.
    `CREATE TABLE emitters (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, newest_ms INTEGER, newest_seq INTEGER)`,
    `INSERT INTO emitters (row, id, newest_ms, newest_seq)
      SELECT row, id, (SELECT CAST(value AS INTEGER) FROM marks WHERE name = 'event_id'),
        (SELECT CAST(substr(value, instr(value, '-') + 1) AS INTEGER) FROM marks
         WHERE name = 'event_id') FROM sources`,
    // The words are indexed again, emitter by emitter, when there is time.
    `DROP TABLE event_text`,
    ...['invocations', 'events', 'db', 'dedupe', 'dedupe_ids', 'logs', 'deliveries'].map(
      (table) => `ALTER TABLE ${table} RENAME COLUMN source TO emitter`,
    ),
    ...eventText,
    // Up to which event the words of an emitter are indexed, and how many entries the index has of it;
    // under 0 the entries of emitters that are gone.
    `CREATE TABLE indexed_events (
      emitter INTEGER PRIMARY KEY, ms INTEGER NOT NULL, seq INTEGER NOT NULL,
      entries INTEGER NOT NULL)`,
    // Numbers that are set aside, so that deleting the newest rows never makes one return.
    `CREATE TABLE numbers (name TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID`,
    `INSERT INTO numbers (name, next) SELECT name, value + 1 FROM marks
      WHERE name IN ('invocation', 'event', 'delivery')`,
    `DROP TABLE marks`,
    `CREATE INDEX deliveries_of_emitter ON deliveries (emitter, ms, seq)`,
  ],
  [
    // Emits of a run for a later time. Each number is reserved for its event, which is then stored beside the other
    // events of its invocation.
    `CREATE TABLE scheduled_emits (
      n INTEGER PRIMARY KEY, emitter INTEGER NOT NULL, due_at INTEGER NOT NULL,
      bytes INTEGER NOT NULL, invocation INTEGER NOT NULL, scheduled_at INTEGER NOT NULL,
      hops INTEGER NOT NULL, channel TEXT NOT NULL, dedupe_id, summary TEXT, ts REAL,
      payload TEXT NOT NULL)`,
    `CREATE INDEX scheduled_emits_of_emitter ON scheduled_emits (emitter, due_at, n, bytes)`,
    `ALTER TABLE invocations ADD COLUMN scheduled INTEGER NOT NULL DEFAULT 0`,
  ],
  [
    // A workflow is an emitter beside sources. An execution is an invocation of it, whose journal are the
    // ends of its steps; what it has beyond an invocation lies apart, so that sources do not pay for it.
    `CREATE TABLE workflows (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      slug TEXT NOT NULL UNIQUE, path TEXT NOT NULL, active INTEGER NOT NULL,
      deployment TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE TABLE workflow_deployments (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workflow TEXT NOT NULL,
      definition TEXT NOT NULL, components TEXT NOT NULL, created_at INTEGER NOT NULL)`,
    `CREATE TABLE workflow_components (
      deployment TEXT NOT NULL, component_id TEXT NOT NULL,
      PRIMARY KEY (deployment, component_id)) WITHOUT ROWID`,
    // Subscriptions that a workflow's own triggers need, so that a deploy removes no others.
    `CREATE TABLE workflow_subscriptions (
      subscription TEXT PRIMARY KEY, workflow TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE executions (
      n INTEGER PRIMARY KEY, emitter INTEGER NOT NULL, deployment TEXT NOT NULL,
      legs INTEGER NOT NULL, wake_at INTEGER, reason TEXT)`,
    `CREATE INDEX executions_waking ON executions (wake_at) WHERE wake_at IS NOT NULL`,
    `CREATE TABLE step_runs (
      execution INTEGER NOT NULL, seq INTEGER NOT NULL, path TEXT NOT NULL,
      namespace TEXT NOT NULL, run INTEGER NOT NULL, attempt INTEGER NOT NULL,
      status TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
      leg INTEGER NOT NULL, exports TEXT, return_value TEXT, decision TEXT, error TEXT,
      pause TEXT, sends TEXT,
      first_log INTEGER, logs INTEGER NOT NULL,
      PRIMARY KEY (execution, seq)) WITHOUT ROWID`,
    `CREATE TABLE sends (
      n INTEGER PRIMARY KEY AUTOINCREMENT, emitter INTEGER NOT NULL, execution INTEGER NOT NULL,
      path TEXT NOT NULL, send TEXT NOT NULL, status TEXT NOT NULL, answer TEXT, error TEXT,
      created_at INTEGER NOT NULL, ended_at INTEGER)`,
    `CREATE INDEX sends_of_execution ON sends (execution)`,
    `CREATE INDEX sends_pending ON sends (n) WHERE status = 'pending'`,
    `CREATE TABLE resume_hits (
      execution INTEGER NOT NULL, path TEXT NOT NULL, run INTEGER NOT NULL,
      action TEXT NOT NULL, at INTEGER NOT NULL, meta TEXT, body,
      PRIMARY KEY (execution, path, run)) WITHOUT ROWID`,
  ],
  // Replays of executions with other props.
  ['ALTER TABLE executions ADD COLUMN override TEXT'],
  // Test executions, and what a workflow answers and its steps are given.
  [
    'ALTER TABLE executions ADD COLUMN test TEXT',
    'ALTER TABLE executions ADD COLUMN response TEXT',
    'ALTER TABLE step_runs ADD COLUMN props TEXT',
    'ALTER TABLE workflow_deployments ADD COLUMN test INTEGER NOT NULL DEFAULT 0',
  ],
  [
    // Messages of `$.send.sse`: the newest of each channel, so that a reader can catch up.
    `CREATE TABLE stream_messages (
      n INTEGER PRIMARY KEY AUTOINCREMENT, emitter INTEGER NOT NULL, channel TEXT NOT NULL,
      payload TEXT NOT NULL)`,
    `CREATE INDEX stream_messages_of_channel ON stream_messages (emitter, channel, n)`,
    `CREATE INDEX stream_messages_of_emitter ON stream_messages (emitter, n)`,
    // Where the events of later legs of an execution are stored: its invocation has the place of the first ones.
    `CREATE TABLE leg_events (
      execution INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (execution, first)) WITHOUT ROWID`,
    // When a person was last notified of an error of a workflow.
    `CREATE TABLE error_notifications (
      emitter INTEGER NOT NULL, error TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (emitter, error)) WITHOUT ROWID`,
  ],
  // Accounts that connected by OAuth.
  ['ALTER TABLE accounts ADD COLUMN oauth TEXT'],
  // HTTP requests of steps: apart, because only who looks at an execution or makes a test of it reads them.
  [
    `CREATE TABLE outgoing_requests (
      execution INTEGER NOT NULL, seq INTEGER NOT NULL, requests TEXT NOT NULL,
      PRIMARY KEY (execution, seq)) WITHOUT ROWID`,
  ],
  [
    // Runs of single actions. Their outcome is the last column, where a list does not read it.
    `CREATE TABLE action_runs (
      n INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key TEXT, version TEXT, path TEXT,
      agent TEXT, props TEXT NOT NULL, status TEXT NOT NULL, started_at INTEGER NOT NULL,
      ended_at INTEGER, error TEXT, exports TEXT, return_value TEXT, logs TEXT, requests TEXT)`,
    // Actions that agents are offered: a path, a key or the slug of an app.
    `CREATE TABLE agent_offers (
      row INTEGER PRIMARY KEY, what TEXT NOT NULL UNIQUE, accounts TEXT NOT NULL,
      live TEXT NOT NULL)`,
  ],
];

export const latestVersion = migrations.length;

/** The steps to an older schema. */
export const migrationsTo = (version: number) => migrations.slice(0, version);

/** The latest schema in a store that has nothing in it. */
export function createSchema(db: Connection): void {
  db.transaction(() => {
    for (const statement of newSchema) db.run(statement);
    db.pragma('application_id', applicationId);
    db.pragma('user_version', newSchemaVersion);
  });
  migrate(db);
}

/** Brings a store to the latest schema, one transaction per step: a step cut off has not happened. */
export function migrate(db: Connection, steps = migrations): void {
  const version = Number(db.pragma('user_version'));
  for (const [index, statements] of steps.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      for (const statement of statements) db.run(statement);
      db.pragma('application_id', applicationId);
      db.pragma('user_version', index + 1);
    });
  }
}
