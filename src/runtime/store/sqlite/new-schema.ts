/** The tables of a new store: the result of the first migrations, made at once. */
import { eventText } from './search/event-text.ts';

/** How many migrations this schema contains. Later ones are applied one by one, as in an existing store. */
export const newSchemaVersion = 13;

/**
 * As SQLite keeps them after these steps, so that a store that was made at once is the same as one that was brought here step by step
 * (schema.test.ts). Most of the time of a first start went into the steps: they rename columns, and each such one reads the whole schema again.
 */
export const newSchema: readonly string[] = [
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
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
  `CREATE TABLE invocations (
      emitter INTEGER NOT NULL, n INTEGER NOT NULL, cause TEXT NOT NULL, hook TEXT,
      status TEXT NOT NULL, attempt INTEGER NOT NULL, replay_of INTEGER,
      created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
      emitted INTEGER NOT NULL, dropped INTEGER NOT NULL, error TEXT,
      first_event INTEGER, first_log INTEGER, logs INTEGER NOT NULL, scheduled INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (emitter, n)) WITHOUT ROWID`,
  `CREATE TABLE triggers (n INTEGER PRIMARY KEY, meta TEXT NOT NULL, body)`,
  `CREATE TABLE events (
      n INTEGER PRIMARY KEY, emitter INTEGER NOT NULL, ms INTEGER NOT NULL, seq INTEGER NOT NULL,
      is_drop INTEGER NOT NULL, channel TEXT NOT NULL, bytes INTEGER NOT NULL,
      invocation INTEGER NOT NULL, indexed_at INTEGER NOT NULL, emit_id TEXT NOT NULL, dedupe_id,
      summary TEXT, ts REAL, reason TEXT, payload TEXT NOT NULL)`,
  `CREATE INDEX events_of_source ON events (emitter, ms, seq, is_drop, channel, bytes)`,
  `CREATE TABLE db (
      emitter INTEGER NOT NULL, prop TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (emitter, prop, key)) WITHOUT ROWID`,
  `CREATE TABLE dedupe (
      emitter INTEGER PRIMARY KEY, strategy TEXT NOT NULL, greatest REAL, last TEXT)`,
  `CREATE TABLE dedupe_ids (
      emitter INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (emitter, seq)) WITHOUT ROWID`,
  `CREATE TABLE logs (
      emitter INTEGER NOT NULL, n INTEGER NOT NULL, invocation INTEGER, at INTEGER NOT NULL,
      kind TEXT NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (emitter, n)) WITHOUT ROWID`,
  `CREATE TABLE webhooks (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, url TEXT NOT NULL, name TEXT,
      description TEXT, active INTEGER NOT NULL, signing_secret TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, old_secret TEXT, old_secret_until INTEGER)`,
  `CREATE TABLE subscriptions (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, emitter_id TEXT NOT NULL,
      listener_id TEXT NOT NULL, channel TEXT NOT NULL,
      UNIQUE (emitter_id, listener_id, channel))`,
  `CREATE TABLE deliveries (
      n INTEGER PRIMARY KEY, webhook_id TEXT NOT NULL, emitter INTEGER NOT NULL,
      ms INTEGER NOT NULL, seq INTEGER NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL,
      next_at INTEGER, created_at INTEGER NOT NULL, last_status INTEGER, last_error TEXT)`,
  `CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id)`,
  `CREATE INDEX deliveries_open ON deliveries (n) WHERE status IN ('pending', 'retrying')`,
  `CREATE TABLE attempts (row INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, record TEXT NOT NULL, body TEXT)`,
  `CREATE INDEX attempts_of_delivery ON attempts (delivery)`,
  `CREATE TABLE accounts (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, app TEXT NOT NULL, name TEXT NOT NULL,
      sealed TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, oauth TEXT)`,
  `CREATE TABLE data_stores (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL)`,
  `CREATE TABLE data_store_records (
      store TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, expires_at INTEGER,
      PRIMARY KEY (store, key)) WITHOUT ROWID`,
  `CREATE INDEX data_store_records_expiring ON data_store_records (expires_at)
      WHERE expires_at IS NOT NULL`,
  `CREATE TABLE auto_subscriptions (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, listener_id TEXT NOT NULL,
      channel TEXT NOT NULL, UNIQUE (listener_id, channel))`,
  `CREATE TABLE published (
      key TEXT PRIMARY KEY, version TEXT NOT NULL, component_id TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE emitters (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, newest_ms INTEGER, newest_seq INTEGER)`,
  ...eventText,
  `CREATE TABLE indexed_events (
      emitter INTEGER PRIMARY KEY, ms INTEGER NOT NULL, seq INTEGER NOT NULL,
      entries INTEGER NOT NULL)`,
  `CREATE TABLE numbers (name TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE INDEX deliveries_of_emitter ON deliveries (emitter, ms, seq)`,
  `CREATE TABLE scheduled_emits (
      n INTEGER PRIMARY KEY, emitter INTEGER NOT NULL, due_at INTEGER NOT NULL,
      bytes INTEGER NOT NULL, invocation INTEGER NOT NULL, scheduled_at INTEGER NOT NULL,
      hops INTEGER NOT NULL, channel TEXT NOT NULL, dedupe_id, summary TEXT, ts REAL,
      payload TEXT NOT NULL)`,
  `CREATE INDEX scheduled_emits_of_emitter ON scheduled_emits (emitter, due_at, n, bytes)`,
  `CREATE TABLE workflows (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      slug TEXT NOT NULL UNIQUE, path TEXT NOT NULL, active INTEGER NOT NULL,
      deployment TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
  `CREATE TABLE workflow_deployments (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workflow TEXT NOT NULL,
      definition TEXT NOT NULL, components TEXT NOT NULL, created_at INTEGER NOT NULL, test INTEGER NOT NULL DEFAULT 0)`,
  `CREATE TABLE workflow_components (
      deployment TEXT NOT NULL, component_id TEXT NOT NULL,
      PRIMARY KEY (deployment, component_id)) WITHOUT ROWID`,
  `CREATE TABLE workflow_subscriptions (
      subscription TEXT PRIMARY KEY, workflow TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE executions (
      n INTEGER PRIMARY KEY, emitter INTEGER NOT NULL, deployment TEXT NOT NULL,
      legs INTEGER NOT NULL, wake_at INTEGER, reason TEXT, override TEXT, test TEXT, response TEXT)`,
  `CREATE INDEX executions_waking ON executions (wake_at) WHERE wake_at IS NOT NULL`,
  `CREATE TABLE step_runs (
      execution INTEGER NOT NULL, seq INTEGER NOT NULL, path TEXT NOT NULL,
      namespace TEXT NOT NULL, run INTEGER NOT NULL, attempt INTEGER NOT NULL,
      status TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
      leg INTEGER NOT NULL, exports TEXT, return_value TEXT, decision TEXT, error TEXT,
      pause TEXT, sends TEXT,
      first_log INTEGER, logs INTEGER NOT NULL, props TEXT,
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
  `CREATE TABLE stream_messages (
      n INTEGER PRIMARY KEY AUTOINCREMENT, emitter INTEGER NOT NULL, channel TEXT NOT NULL,
      payload TEXT NOT NULL)`,
  `CREATE INDEX stream_messages_of_channel ON stream_messages (emitter, channel, n)`,
  `CREATE INDEX stream_messages_of_emitter ON stream_messages (emitter, n)`,
  `CREATE TABLE leg_events (
      execution INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (execution, first)) WITHOUT ROWID`,
  `CREATE TABLE error_notifications (
      emitter INTEGER NOT NULL, error TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (emitter, error)) WITHOUT ROWID`,
  `CREATE TABLE outgoing_requests (
      execution INTEGER NOT NULL, seq INTEGER NOT NULL, requests TEXT NOT NULL,
      PRIMARY KEY (execution, seq)) WITHOUT ROWID`,
  `CREATE TABLE action_runs (
      n INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key TEXT, version TEXT, path TEXT,
      agent TEXT, props TEXT NOT NULL, status TEXT NOT NULL, started_at INTEGER NOT NULL,
      ended_at INTEGER, error TEXT, exports TEXT, return_value TEXT, logs TEXT, requests TEXT)`,
  `CREATE TABLE agent_offers (
      row INTEGER PRIMARY KEY, what TEXT NOT NULL UNIQUE, accounts TEXT NOT NULL,
      live TEXT NOT NULL)`,
];
