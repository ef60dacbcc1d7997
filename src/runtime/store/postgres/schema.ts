import type { KeyCheck } from '../store-node.ts';
import type { Client } from 'pg';
import { WeirError } from '../../../protocol/errors.ts';

/**
 * The schema, step by step, as `sqlite/migrations.ts` has that of the embedded store. A step that was released is
 * never changed.
 *
 * Runs insert only: an accepted row, an end row, events, lines. What is updated or deleted there costs PostgreSQL a
 * dead row each, and those slow down everything beside them. All keys begin with the emitter, whose number is made
 * by the node, as are all others: no sequence commits out of order.
 */
const migrations: readonly (readonly string[])[] = [
  [
    // A runtime that has joined. Its id is never used twice; `slot` tells its numbers from those of others.
    `CREATE TABLE nodes (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, slot int NOT NULL, version text NOT NULL,
      session bigint NOT NULL DEFAULT 1, expires_at timestamptz NOT NULL, fenced_at timestamptz)`,
    // Groups of writes that a node has committed lately: they show after a lost connection whether a group was stored.
    `CREATE TABLE groups (node bigint, number bigint, PRIMARY KEY (node, number))`,
    `CREATE TABLE settings (key text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE components (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, hash text NOT NULL, path text,
      definition text NOT NULL, created_at bigint NOT NULL)`,
    `CREATE TABLE published (key text PRIMARY KEY, version text NOT NULL, component_id text NOT NULL)`,
    // The owner of an emitter: a node, with a fencing token (`epoch`) that grows with each owner.
    `CREATE TABLE emitters (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, newest_ms bigint, newest_seq bigint,
      node bigint, epoch bigint NOT NULL DEFAULT 0, released boolean NOT NULL DEFAULT true)`,
    `CREATE TABLE sources (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, component_id text NOT NULL, name text NOT NULL,
      slug text NOT NULL, deploying boolean NOT NULL, active boolean NOT NULL,
      configured_props text NOT NULL, definition text NOT NULL, created_at bigint NOT NULL,
      updated_at bigint NOT NULL)`,
    `CREATE TABLE workflows (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, slug text NOT NULL,
      path text NOT NULL, active boolean NOT NULL, deployment text NOT NULL,
      created_at bigint NOT NULL, updated_at bigint NOT NULL)`,
    `CREATE TABLE workflow_deployments (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, workflow text NOT NULL, definition text NOT NULL,
      components text NOT NULL, test boolean NOT NULL, created_at bigint NOT NULL)`,
    `CREATE TABLE workflow_subscriptions (subscription text PRIMARY KEY, workflow text NOT NULL)`,
    `CREATE TABLE interfaces (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, emitter bigint NOT NULL, prop text NOT NULL,
      kind text NOT NULL, interval_seconds float8, cron text, timezone text, next_at bigint)`,
    `CREATE TABLE webhooks (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, url text NOT NULL, name text, description text,
      active boolean NOT NULL, signing_secret text NOT NULL, old_secret text, old_secret_until bigint,
      created_at bigint NOT NULL, updated_at bigint NOT NULL)`,
    `CREATE TABLE subscriptions (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, emitter_id text NOT NULL,
      listener_id text NOT NULL, channel text NOT NULL)`,
    `CREATE TABLE auto_subscriptions (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, listener_id text NOT NULL, channel text NOT NULL)`,
    `CREATE TABLE accounts (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, app text NOT NULL, name text NOT NULL,
      sealed text NOT NULL, oauth text, created_at bigint NOT NULL, updated_at bigint NOT NULL)`,
    `CREATE TABLE data_stores (
      row bigint PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, created_at bigint NOT NULL)`,
    `CREATE TABLE data_store_records (
      store text NOT NULL, key text COLLATE "C" NOT NULL, json text NOT NULL, expires_at bigint,
      PRIMARY KEY (store, key))`,
    // An invocation: what was asked for, and how it ended. `status` and what follows it are of one that has no
    // end yet, and written seldom: paused, cut off.
    `CREATE TABLE accepted (
      emitter bigint, n bigint, cause text NOT NULL, hook text, attempt bigint NOT NULL,
      replay_of bigint, created_at bigint NOT NULL, method text, path text, meta text, body bytea,
      status text NOT NULL, started_at bigint, emitted bigint NOT NULL DEFAULT 0,
      dropped bigint NOT NULL DEFAULT 0, PRIMARY KEY (emitter, n))`,
    `CREATE TABLE ends (
      emitter bigint, n bigint, status text NOT NULL, started_at bigint NOT NULL,
      ended_at bigint NOT NULL, emitted bigint NOT NULL, dropped bigint NOT NULL, error text,
      first_log bigint NOT NULL, logs bigint NOT NULL, PRIMARY KEY (emitter, n))`,
    `CREATE VIEW invocations AS
      SELECT a.emitter, a.n, a.cause, a.hook, coalesce(e.status, a.status) AS status, a.attempt,
        a.replay_of, a.created_at, coalesce(e.started_at, a.started_at) AS started_at, e.ended_at,
        a.emitted + coalesce(e.emitted, 0) AS emitted, a.dropped + coalesce(e.dropped, 0) AS dropped,
        e.error, e.first_log, e.logs, a.method, a.path
      FROM accepted a LEFT JOIN ends e ON e.emitter = a.emitter AND e.n = a.n`,
    // `kind`: 0 emitted, 1 dropped, 2 on a reserved channel.
    `CREATE TABLE events (
      emitter bigint, ms bigint, seq bigint, kind bigint NOT NULL, channel text NOT NULL,
      bytes bigint NOT NULL, invocation bigint NOT NULL, indexed_at bigint NOT NULL,
      emit_id text NOT NULL, dedupe_text text, dedupe_number float8, summary text, ts float8,
      reason text, payload text NOT NULL, PRIMARY KEY (emitter, ms, seq))`,
    `CREATE INDEX events_of_invocation ON events (invocation)`,
    `CREATE TABLE scheduled_emits (
      emitter bigint, due_at bigint, n bigint, bytes bigint NOT NULL, invocation bigint NOT NULL,
      scheduled_at bigint NOT NULL, hops bigint NOT NULL, channel text NOT NULL, dedupe_text text,
      dedupe_number float8, summary text, ts float8, payload text NOT NULL,
      PRIMARY KEY (emitter, due_at, n))`,
    `CREATE INDEX scheduled_emits_of_invocation ON scheduled_emits (invocation)`,
    `CREATE TABLE logs (
      emitter bigint, n bigint, invocation bigint, at bigint NOT NULL, kind text NOT NULL,
      level text NOT NULL, text text NOT NULL, PRIMARY KEY (emitter, n))`,
    `CREATE TABLE db (
      emitter bigint, prop text, key text, json text NOT NULL, PRIMARY KEY (emitter, prop, key))`,
    `CREATE TABLE dedupe (
      emitter bigint PRIMARY KEY, strategy text NOT NULL, greatest float8, last text)`,
    `CREATE TABLE dedupe_ids (emitter bigint, seq bigint, id text NOT NULL, PRIMARY KEY (emitter, seq))`,
    `CREATE TABLE deliveries (
      n bigint PRIMARY KEY, webhook_id text NOT NULL, emitter bigint NOT NULL, ms bigint NOT NULL,
      seq bigint NOT NULL, status text NOT NULL, attempts bigint NOT NULL, next_at bigint,
      created_at bigint NOT NULL, last_status bigint, last_error text)`,
    `CREATE INDEX deliveries_of_emitter ON deliveries (emitter, ms, seq)`,
    `CREATE INDEX deliveries_open ON deliveries (emitter, n) WHERE status IN ('pending', 'retrying')`,
    `CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, n)`,
    `CREATE TABLE attempts (delivery bigint, number bigint, record text NOT NULL, body text NOT NULL,
      PRIMARY KEY (delivery, number))`,
    `CREATE TABLE executions (
      n bigint PRIMARY KEY, emitter bigint NOT NULL, deployment text NOT NULL, legs bigint NOT NULL,
      wake_at bigint, reason text, override text, test text, response text)`,
    `CREATE INDEX executions_waking ON executions (wake_at) WHERE wake_at IS NOT NULL`,
    `CREATE INDEX executions_of_emitter ON executions (emitter)`,
    `CREATE TABLE step_runs (
      execution bigint, seq bigint, path text NOT NULL, namespace text NOT NULL, run bigint NOT NULL,
      attempt bigint NOT NULL, status text NOT NULL, started_at bigint NOT NULL,
      ended_at bigint NOT NULL, leg bigint NOT NULL, exports text, return_value text, decision text,
      error text, pause text, sends text, props text, first_log bigint, logs bigint NOT NULL,
      PRIMARY KEY (execution, seq))`,
    `CREATE TABLE outgoing_requests (
      execution bigint, seq bigint, requests text NOT NULL, PRIMARY KEY (execution, seq))`,
    `CREATE TABLE resume_hits (
      execution bigint, path text, run bigint, action text NOT NULL, at bigint NOT NULL, meta text,
      body bytea, PRIMARY KEY (execution, path, run))`,
    `CREATE TABLE sends (
      n bigint PRIMARY KEY, emitter bigint NOT NULL, execution bigint NOT NULL, path text NOT NULL,
      send text NOT NULL, status text NOT NULL, answer text, error text, created_at bigint NOT NULL,
      ended_at bigint)`,
    `CREATE INDEX sends_of_execution ON sends (execution)`,
    `CREATE INDEX sends_pending ON sends (n) WHERE status = 'pending'`,
    `CREATE TABLE stream_messages (
      emitter bigint, n bigint, channel text NOT NULL, payload text NOT NULL, PRIMARY KEY (emitter, n))`,
    `CREATE INDEX stream_messages_of_channel ON stream_messages (emitter, channel, n)`,
    `CREATE TABLE error_notifications (
      emitter bigint, error text, at bigint NOT NULL, PRIMARY KEY (emitter, error))`,
    // The words of events, made some time after them, and up to which event of an emitter they are there.
    // NULL of an event with more words than fit.
    `CREATE TABLE event_words (
      emitter bigint, ms bigint, seq bigint, words tsvector, PRIMARY KEY (emitter, ms, seq))`,
    `CREATE INDEX event_words_by_word ON event_words USING gin (words)`,
    `CREATE TABLE indexed_events (emitter bigint PRIMARY KEY, ms bigint NOT NULL, seq bigint NOT NULL)`,
  ],
  [
    // The common state of all nodes: one row. `key_check` identifies the key that seals the secrets.
    `CREATE TABLE cluster (
      one boolean PRIMARY KEY DEFAULT true CHECK (one), key_check text)`,
    `INSERT INTO cluster DEFAULT VALUES`,
  ],
  [
    // Runs of actions by themselves. The node that runs one tells whether a crash has cut it off; none has one that was moved here.
    `CREATE TABLE action_runs (
      n bigint PRIMARY KEY, node bigint, name text NOT NULL, key text, version text, path text,
      agent text, props text NOT NULL, status text NOT NULL, started_at bigint NOT NULL,
      ended_at bigint, error text, exports text, return_value text, logs text, requests text)`,
    // Actions that agents are offered: a path, a key or the slug of an app.
    `CREATE TABLE agent_offers (
      row bigint PRIMARY KEY, what text NOT NULL UNIQUE, accounts text NOT NULL, live text NOT NULL)`,
  ],
  [
    // The node that runs everything, and where the others reach a node.
    `ALTER TABLE cluster ADD active bigint`,
    `ALTER TABLE nodes ADD address text`,
    // Deployments, whole: a node that takes over may have none of them.
    `CREATE TABLE code (hash text PRIMARY KEY, files bytea NOT NULL)`,
  ],
  [
    // Triggers that a node has put into the inbox of another node's emitter, until that node has claimed them.
    `CREATE TABLE left_for_owner (emitter bigint, n bigint, PRIMARY KEY (emitter, n))`,
  ],
];

export const latestVersion = migrations.length;

/** Any number that nothing else on the server takes a lock of. */
const lock = 0x57656972;

/**
 * Brings the database to the latest schema. Of nodes that start together one does; the others wait for it.
 * @throws WeirError('store_failed') where a newer version of Weir has been, or one with another key; nothing is
 * changed then
 */
export async function migrate(client: Client, key?: KeyCheck): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)');
    const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version');
    const version = rows[0]?.version ?? 0;
    if (version > latestVersion) {
      throw new WeirError(
        'store_failed',
        `The store was made by a newer version of Weir (schema ${version}, this one knows ${latestVersion}): update Weir.`,
      );
    }
    if (version > 0 && version < latestVersion) await refuseOthers(client);
    for (const statement of migrations.slice(version).flat()) await client.query(statement);
    if (version < latestVersion) {
      await client.query('DELETE FROM schema_version');
      await client.query('INSERT INTO schema_version VALUES ($1)', [latestVersion]);
    }
    if (key !== undefined) await keepKey(client, key);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Running nodes know the schema as it is. */
async function refuseOthers(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    'SELECT version FROM nodes WHERE fenced_at IS NULL AND expires_at > clock_timestamp() LIMIT 1',
  );
  const [node] = rows;
  if (node === undefined) return;
  throw new WeirError(
    'store_failed',
    `This version of Weir changes the database, which a runtime of ${node.version} has open: stop all of those first. One that was killed is forgotten after a few seconds.`,
  );
}

/** The first one says which it is: what one node has sealed every other has to open. */
async function keepKey(client: Client, key: KeyCheck): Promise<void> {
  await client.query('UPDATE cluster SET key_check = $1 WHERE key_check IS NULL', [key.check]);
  await refuseOtherKey(client, key);
}

/** A database without a key accepts any. @throws WeirError('store_failed') */
export async function refuseOtherKey(client: Client, { check, origin }: KeyCheck): Promise<void> {
  const { rows } = await client.query(
    'SELECT 1 FROM cluster WHERE key_check = $1 OR key_check IS NULL',
    [check],
  );
  if (rows.length > 0) return;
  throw new WeirError(
    'store_failed',
    `The secrets in this database are sealed with another key than that of ${origin}: give every node the same one in WEIR_KEY.`,
  );
}
