/** From a file of SQLite that nobody has open into an empty database of PostgreSQL. */
import { WeirError } from '../../../protocol/errors.ts';
import type { Trigger } from '../../../protocol/host.ts';
import { requestLineOf } from '../../../protocol/request-line.ts';
import type { MoveConnection } from '../postgres/move-connection.ts';
import type { Row, Rows } from '../postgres/row-table.ts';
import { accepted, ends } from '../schema/history.ts';
import type { Connection } from '../sqlite/wasm/connection.ts';
import { Checksums } from './checksums.ts';
import { Counter, type Owned, type Watch } from './progress.ts';
import { countSqliteRows, sqliteNumbers, sqliteRows } from './sqlite-rows.ts';
import { type MovedTable, movedTables, ownSettings, selectOf } from './tables.ts';

/** So much goes with one statement. */
const batchRows = 1000;
const batchBytes = 4 * 1024 * 1024;

/**
 * Writes everything, reads it again and compares; nothing is committed yet.
 * @param id of this move, left in the database
 * @throws WeirError('conflict') for a database with something in it, `cancelled`, `store_failed`
 */
export async function writeToPostgres(
  db: Connection,
  postgres: MoveConnection,
  id: string,
  watch: Watch,
): Promise<Checksums> {
  await refuseUsed(postgres);
  const total = countSqliteRows(db, movedTables);
  const read = new Checksums();
  const writing = new Counter(watch, 'Writing', total);
  for (const table of movedTables) {
    for (const batch of batchesOf(sqliteRows(db, table))) {
      for (const { row, emitter } of batch) read.add(table, emitter, row);
      await postgres.insert(
        partsOf(
          table,
          batch.map(({ row }) => row),
        ),
      );
      writing.count(batch.length, table.name);
    }
  }
  const numbers = sqliteNumbers(db);
  // The next owner of an emitter has a later fence.
  await postgres.query('UPDATE emitters SET epoch = $1', [numbers['fence']]);
  await postgres.query('INSERT INTO settings (key, value) VALUES ($1, $2), ($3, $4)', [
    ownSettings.movedFrom,
    id,
    ownSettings.numbers,
    JSON.stringify(numbers),
  ]);
  const written = new Checksums();
  const comparing = new Counter(watch, 'Comparing', total);
  for (const table of movedTables) {
    for await (const rows of postgres.batches(selectOf(table, 'postgres'), bytesOf)) {
      for (const row of rows) written.add(table, row['owner'] as number | null, row);
      comparing.count(rows.length, table.name);
    }
  }
  const different = read.differenceFrom(written);
  if (different === undefined) return read;
  throw new WeirError(
    'store_failed',
    `What was written to ${postgres.place} is not what the store has (${different.table}): nothing was moved, and this is an error in Weir itself.`,
  );
}

/** Whether a move has been committed there. */
export async function hasArrived(postgres: MoveConnection, id: string): Promise<boolean> {
  const rows = await postgres.query('SELECT 1 FROM settings WHERE key = $1 AND value = $2', [
    ownSettings.movedFrom,
    id,
  ]);
  return rows.length > 0;
}

async function refuseUsed(postgres: MoveConnection): Promise<void> {
  const names = movedTables.map(({ name }) => `SELECT EXISTS (SELECT 1 FROM ${name}) AS used`);
  const rows = await postgres.query(
    `SELECT bool_or(used) AS used FROM (${names.join(' UNION ALL ')}) t`,
  );
  if (rows[0]?.['used'] !== true) return;
  throw new WeirError(
    'conflict',
    `${postgres.place} has a store of Weir in it already: name an empty database ("createdb" makes one).`,
  );
}

function* batchesOf(rows: Iterable<Owned>): Generator<Owned[]> {
  let batch: Owned[] = [];
  let bytes = 0;
  for (const one of rows) {
    batch.push(one);
    bytes += bytesOf(one.row);
    if (batch.length < batchRows && bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** About. */
export function bytesOf(row: Row): number {
  let bytes = 0;
  for (const value of Object.values(row)) {
    bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }
  return bytes;
}

/** PostgreSQL has the end of an invocation in a row of its own. */
function partsOf(table: MovedTable, rows: readonly Row[]): Rows[] {
  if (table.name !== 'invocations') return [{ table, rows }];
  return [
    { table: accepted, rows: rows.map(acceptedOf) },
    { table: ends, rows: rows.filter(hasEnded) },
  ];
}

const hasEnded = ({ ended_at: at }: Row): boolean => at !== null;

function acceptedOf(row: Row): Row {
  const meta = row['meta'] as string | null;
  const request = meta === null ? null : requestLineOf(JSON.parse(meta) as Trigger);
  const made = { ...row, method: null, path: null, ...request };
  // Its end says the rest.
  return hasEnded(row)
    ? { ...made, status: 'queued', started_at: null, emitted: 0, dropped: 0 }
    : made;
}
