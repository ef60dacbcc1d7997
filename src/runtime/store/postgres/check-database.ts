/** The queries of `weir doctor` to a database: they change nothing, and wait for nobody. */
import type { Client } from 'pg';
import { WeirError } from '../../../protocol/errors.ts';
import { connect, placeOf, postgresFailure } from './connection.ts';
import { flag, number, numberOrNull, text, textOrNull } from './fields.ts';
import type { Row } from './row-table.ts';
import type { KeyCheck } from '../store-node.ts';
import { latestVersion, refuseOtherKey } from './schema.ts';
import { refuseUnfitServer } from './server-check.ts';

export interface DatabaseCheck {
  /** Without a password. */
  readonly place: string;
  /** Version of the server, such as `17.2`. */
  readonly server: string;
  /** The schema version; 0 if there is none. */
  readonly schema: number;
  /** The schema version that this Weir migrates to at the next start. */
  readonly latestSchema: number;
  readonly nodes: readonly CheckedNode[];
  /** Sources and workflows, and how many of them no node owns. */
  readonly emitters: { readonly all: number; readonly withoutOwner: number };
  readonly standbys: readonly CheckedStandby[];
  /** How long the oldest transaction of anybody has kept rows from being cleaned up, in seconds; 0 without one. */
  readonly oldestSnapshotSeconds: number;
}

export interface CheckedNode {
  readonly id: number;
  readonly version: string;
  /** `HOST:PORT` for other nodes. */
  readonly address: string | null;
  /** It leads the others. */
  readonly isActive: boolean;
  /** How many sources and workflows it runs. */
  readonly owned: number;
  /** Its lease has run out, so that another one may take over. */
  readonly isLate: boolean;
}

/** A server that PostgreSQL replicates to. What this user may not see is null. */
export interface CheckedStandby {
  readonly name: string;
  readonly state: string | null;
  readonly sync: string | null;
  readonly lagSeconds: number | null;
}

/**
 * @param key that seals secrets; not looked at unless given
 * @throws WeirError('store_failed') with the sentence that a start would end with
 */
export async function checkDatabase(url: string, key?: KeyCheck): Promise<DatabaseCheck> {
  let client: Client | undefined;
  try {
    client = await connect(url, 'check');
    await refuseUnfitServer(client, url);
    await client.query('BEGIN READ ONLY');
    return await look(client, url, key);
  } catch (error) {
    throw postgresFailure(url, error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function look(
  client: Client,
  url: string,
  key: KeyCheck | undefined,
): Promise<DatabaseCheck> {
  const ask = async (sql: string): Promise<Row[]> => (await client.query<Row>(sql)).rows;
  const one = async (sql: string): Promise<Row> => (await ask(sql))[0] ?? {};
  const { made } = await one(`SELECT to_regclass('schema_version') IS NOT NULL AS made`);
  const schema =
    made === true ? number(await one('SELECT version FROM schema_version'), 'version') : 0;
  if (schema > latestVersion) {
    throw new WeirError(
      'store_failed',
      `The store in ${placeOf(url)} was made by a newer version of Weir (schema ${schema}, this one knows ${latestVersion}): update Weir.`,
    );
  }
  // The tables of an older schema are checked after its migration.
  const isCurrent = schema === latestVersion;
  if (isCurrent && key !== undefined) await refuseOtherKey(client, key);
  const standbys = await ask(
    `SELECT application_name AS name, state, sync_state AS sync, extract(epoch FROM replay_lag)::float8 AS lag
     FROM pg_stat_replication ORDER BY 1`,
  );
  const snapshot = await one(
    `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8 AS seconds
     FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
  );
  const emitters = isCurrent
    ? await one(
        `SELECT count(*) AS "all", count(*) FILTER (WHERE n.id IS NULL) AS "withoutOwner"
         FROM emitters e LEFT JOIN nodes n ON n.id = e.node AND n.fenced_at IS NULL`,
      )
    : { all: 0, withoutOwner: 0 };
  const nodes = isCurrent
    ? await ask(
        `SELECT id, version, address, coalesce(id = active, false) AS is_active, expires_at < clock_timestamp() AS is_late,
           (SELECT count(*) FROM emitters WHERE node = nodes.id) AS owned
         FROM nodes, cluster WHERE fenced_at IS NULL ORDER BY id`,
      )
    : [];
  return {
    place: placeOf(url),
    server: text(await one(`SELECT current_setting('server_version') AS version`), 'version'),
    schema,
    latestSchema: latestVersion,
    nodes: nodes.map((row) => ({
      id: number(row, 'id'),
      version: text(row, 'version'),
      address: textOrNull(row, 'address'),
      isActive: flag(row, 'is_active'),
      owned: number(row, 'owned'),
      isLate: flag(row, 'is_late'),
    })),
    emitters: { all: number(emitters, 'all'), withoutOwner: number(emitters, 'withoutOwner') },
    standbys: standbys.map((row) => ({
      name: text(row, 'name'),
      state: textOrNull(row, 'state'),
      sync: textOrNull(row, 'sync'),
      lagSeconds: numberOrNull(row, 'lag'),
    })),
    oldestSnapshotSeconds: number(snapshot, 'seconds'),
  };
}
