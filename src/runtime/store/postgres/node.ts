/** A runtime among those on a database: one leads, each runs the emitters that it owns. */
import type { Pool } from 'pg';
import type { WeirError } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { CodeTable } from '../code.ts';
import type { Store } from '../store.ts';

/** What a node sees of another, or of itself. */
export interface OtherNode {
  readonly id: number;
  /** `HOST:PORT`; undefined while it starts. */
  readonly address: string | undefined;
  /** Not heard of for longer than its lease. */
  readonly isLate: boolean;
}

/** What a node sees of the one that leads. */
export interface ActiveNode {
  readonly isMe: boolean;
  /** False once it was fenced, or has left. */
  readonly isThere: boolean;
  /** Not heard of for longer than its lease. */
  readonly isLate: boolean;
  /** `HOST:PORT`; undefined while it starts. */
  readonly address: string | undefined;
}

export interface PostgresNode {
  /** Never used twice. */
  readonly id: number;
  /** That of this machine; where it is more than a second off, as that of the database is. */
  readonly clock: Clock;
  /** It was not heard of for so long that others are about to replace it: it should start nothing. */
  readonly isPaused: boolean;
  /** Another node has taken over from it: it writes nothing any more. */
  readonly isLost: boolean;
  /** Tells the others where they reach this one. */
  announce(address: string): Promise<void>;
  /**
   * Calls back when a node leaves, which then need not be looked for. Best effort: it is not told what leaves while
   * the connection is gone.
   */
  onLeave(listener: () => void): Promise<void>;
  /** Undefined before there was one. */
  lookAtActive(): Promise<ActiveNode | undefined>;
  /**
   * Makes this node the active one where there is none, or one whose lease has run out. That one is fenced before.
   * @returns whether it is
   */
  lead(): Promise<boolean>;
  /**
   * The same store for every caller.
   * @param onFailure told in place of who asked before
   * @param waits for the lease of other owners, when it takes all emitters
   */
  openStore(
    onFailure?: (failure: WeirError, fault?: unknown) => void,
    waits?: boolean,
  ): Promise<Store>;
  /** Those that were not fenced. */
  nodes(): Promise<readonly OtherNode[]>;
  /** Takes its place from a node that this one, which leads, does not reach: waits for its commit under way. */
  fence(id: number): Promise<void>;
  /** Fences those whose lease has run out, once this node may judge that. */
  fenceLate(): Promise<void>;
  readonly code: CodeTable;
  setting(key: string): Promise<string | undefined>;
  /** With its store. Another one may lead at once. */
  leave(): Promise<void>;
}

export type Queries = Pick<Pool, 'query'>;

export async function announce(pool: Queries, id: number, address: string): Promise<void> {
  await pool.query('UPDATE nodes SET address = $2 WHERE id = $1', [id, address]);
}

export async function lookAtActive(pool: Queries, id: number): Promise<ActiveNode | undefined> {
  const { rows } = await pool.query<{
    active: number | null;
    address: string | null;
    is_there: boolean;
    is_late: boolean;
  }>(
    `SELECT active, address, n.id IS NOT NULL AND fenced_at IS NULL AS is_there,
       coalesce(expires_at < clock_timestamp(), false) AS is_late
     FROM cluster LEFT JOIN nodes n ON n.id = active`,
  );
  const [row] = rows;
  if (row === undefined || row.active === null) return undefined;
  return {
    isMe: row.active === id,
    isThere: row.is_there,
    isLate: row.is_late,
    address: row.address ?? undefined,
  };
}

export async function nodesOf(pool: Queries): Promise<readonly OtherNode[]> {
  const { rows } = await pool.query<{ id: number; address: string | null; is_late: boolean }>(
    `SELECT id, address, expires_at < clock_timestamp() AS is_late FROM nodes
     WHERE fenced_at IS NULL ORDER BY id`,
  );
  return rows.map(({ id, address, is_late: isLate }) => ({
    id,
    address: address ?? undefined,
    isLate,
  }));
}

export async function fence(pool: Queries, id: number): Promise<void> {
  await pool.query(
    'UPDATE nodes SET fenced_at = clock_timestamp() WHERE id = $1 AND fenced_at IS NULL',
    [id],
  );
}

/** Of nodes that try at once, one gets it: they wait for each other at the row. */
export async function lead(pool: Queries, id: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `WITH me AS (SELECT 1 FROM nodes WHERE id = $1 AND fenced_at IS NULL FOR SHARE)
     UPDATE cluster SET active = $1
     WHERE EXISTS (SELECT 1 FROM me) AND (active IS NULL OR active = $1 OR NOT EXISTS (
       SELECT 1 FROM nodes n WHERE n.id = active AND n.fenced_at IS NULL))`,
    [id],
  );
  return rowCount === 1;
}

export async function readSetting(pool: Queries, key: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ value: string }>(
    'SELECT value FROM settings WHERE key = $1',
    [key],
  );
  return rows[0]?.value;
}

/** Told to those that listen when a node has left. */
export const leaveChannel = 'weir_node_left';

/** What it had done is done, so others need not wait for its lease. */
export async function removeNode(pool: Queries, id: number): Promise<void> {
  await pool.query('DELETE FROM groups WHERE node = $1', [id]);
  await pool.query('DELETE FROM nodes WHERE id = $1 AND fenced_at IS NULL', [id]);
  await pool.query(`NOTIFY ${leaveChannel}`);
}
