import type { Pool } from 'pg';
import { type Value, valueOf } from './arrays.ts';
import { Change } from './change.ts';
import { postgresFailure } from './connection.ts';
import type { EmitterKeys } from './emitter-keys.ts';
import type { Membership } from './membership.ts';
import type { Numbers } from './numbers.ts';
import type { Row } from './row-table.ts';
import type { Writer } from './writer.ts';

/** Parts that the tables share. */
export interface Engine {
  readonly writer: Writer;
  readonly keys: EmitterKeys;
  readonly numbers: Numbers;
  readonly membership: Membership;
  /** How often this node has changed the configuration. */
  readonly configuration: { changes: number };
  /** Rows as they are when every write that was asked for before is on disk. */
  readonly read: (sql: string, values?: readonly Value[]) => Promise<Row[]>;
}

/**
 * One write. What it says of memory is so at once, as the next write rests on it, and is taken back if the write is
 * refused; the promise resolves when it is on disk.
 */
export async function write<T>(
  { writer }: Pick<Engine, 'writer'>,
  apply: (change: Change) => T,
): Promise<T> {
  writer.check();
  const change = new Change();
  let value: T;
  try {
    value = apply(change);
  } catch (error) {
    change.memory.refused();
    throw error;
  }
  await writer.write(change);
  return value;
}

export function readerOf(url: string, pool: Pool, writer: Writer): Engine['read'] {
  return async (sql, values = []) => {
    await writer.settled();
    try {
      return (await pool.query<Row>(sql, values.map(valueOf))).rows;
    } catch (error) {
      throw postgresFailure(url, error);
    }
  };
}
