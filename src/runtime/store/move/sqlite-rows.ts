/** The rows of a store of SQLite, in the form that both engines share. */
import type { ColumnType, Value } from '../schema/column.ts';
import type { Connection } from '../sqlite/wasm/connection.ts';
import type { Row as SqliteRow } from '../sqlite/wasm/row.ts';
import type { Owned } from './progress.ts';
import { type MovedTable, selectOf } from './tables.ts';

const readers: Readonly<Record<ColumnType, (row: SqliteRow, column: string) => Value>> = {
  bigint: (row, column) => row.numberOrNull(column),
  float8: (row, column) => row.numberOrNull(column),
  text: (row, column) => row.textOrNull(column),
  boolean: (row, column) => (row.isNull(column) ? null : row.flag(column)),
  bytea: (row, column) => (row.isNull(column) ? null : row.blob(column)),
};

export function* sqliteRows(db: Connection, table: MovedTable): Generator<Owned> {
  const columns = Object.entries(table.columns);
  for (const found of db.prepare(selectOf(table, 'sqlite')).each()) {
    const row: Record<string, Value> = {};
    for (const [name, { type }] of columns) row[name] = readers[type](found, name);
    yield { row: row, emitter: found.numberOrNull('owner') };
  }
}

export function countSqliteRows(db: Connection, tables: readonly MovedTable[]): number {
  return tables.reduce(
    (sum, { name }) =>
      sum +
      (db.prepare(`SELECT count(*) AS rows FROM ${name}`).get((row) => row.number('rows')) ?? 0),
    0,
  );
}

/** The numbers that come next, by what they are of: rows, and the `fence` of an opening. */
export type NextNumbers = Readonly<Record<string, number>>;

/** Tables whose numbers SQLite itself counts on. */
export const counted = ['sends', 'stream_messages', 'action_runs'] as const;

export function sqliteNumbers(db: Connection): NextNumbers {
  const numbers: Record<string, number> = {};
  for (const row of db.prepare('SELECT name, next FROM numbers').each()) {
    numbers[row.text('name')] = row.number('next');
  }
  for (const row of db.prepare('SELECT name, seq + 1 AS next FROM sqlite_sequence').each()) {
    numbers[row.text('name')] = row.number('next');
  }
  const fence = db.prepare("SELECT value FROM settings WHERE key = 'fence'");
  numbers['fence'] = Number(fence.get((row) => row.text('value')) ?? 0);
  return numbers;
}
