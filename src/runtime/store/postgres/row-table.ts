import type { Column, Row, Value } from '../schema/column.ts';
import { arrayOf } from './arrays.ts';

/** A table that rows are put into, many with one statement. */
export interface RowTable<C extends string = string> {
  readonly name: string;
  readonly columns: Readonly<Record<C, Column>>;
  /** What happens to an existing row; none is expected unless given. */
  readonly onConflict?: string;
  /** If several rows of a statement have the same key, only the last is written. */
  readonly keyOf?: (row: Row) => string;
}

export type { Row };

/** Rows of one table. */
export interface Rows {
  readonly table: RowTable;
  readonly rows: readonly Row[];
}

/**
 * A statement that inserts all rows.
 * @param before a preceding `WITH` list, with as many parameters
 * @param condition for each row to be written
 */
export function insertStatement(
  parts: readonly Rows[],
  before: { readonly sql: string; readonly values: readonly Value[] },
  condition: string,
): { readonly sql: string; readonly values: Value[] } {
  const values: Value[] = [...before.values];
  const inserts = parts.map(({ table, rows }, place) => {
    const columns = Object.entries<Column>(table.columns);
    const last = table.keyOf === undefined ? rows : lastOfEach(rows, table.keyOf);
    const arrays = columns.map(([column, { type }]) => {
      values.push(
        arrayOf(
          type,
          last.map((row) => row[column]),
        ),
      );
      return `$${values.length}::${type}[]`;
    });
    const names = columns.map(([column]) => column).join(', ');
    return `i${place} AS (INSERT INTO ${table.name} (${names}) SELECT * FROM unnest(${arrays.join(', ')}) AS rows ${condition} ${table.onConflict ?? ''})`;
  });
  return { sql: `WITH ${[before.sql, ...inserts].join(', ')}`, values };
}

function lastOfEach(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
