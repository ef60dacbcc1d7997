/** A runtime among those on a database: one leads, each runs the emitters that it owns. */
import type { Pool } from 'pg';
import type { ActiveNode, OtherNode } from '../store-node.ts';

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

/** If several nodes try at once, one succeeds: they wait for each other at the row. */
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

/** Notifies listening nodes that a node has left. */
export const leaveChannel = 'weir_node_left';

/** Its work is done, so others need not wait for its lease. */
export async function removeNode(pool: Queries, id: number): Promise<void> {
  await pool.query('DELETE FROM groups WHERE node = $1', [id]);
  await pool.query('DELETE FROM nodes WHERE id = $1 AND fenced_at IS NULL', [id]);
  await pool.query(`NOTIFY ${leaveChannel}`);
}
