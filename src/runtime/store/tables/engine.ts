/** The interface for the tables of both engines: SQL that both understand, with `?` for each value. */
import type { ChangesAhead } from '../../base/ahead-of-store.ts';
import type { EmitterIds, Engine as EngineName, Row, Value } from '../schema/column.ts';
import { expressionOf, type RecordTable, selectList, type Table } from '../schema/table.ts';

/** The changes of one write: all of it or nothing. */
export interface TableChange {
  /** The changes of the write in memory: they are undone if the write is refused. */
  readonly memory: Pick<ChangesAhead, 'add' | 'onRefused'>;
  /** @param onRows called with the rows that a `RETURNING` names, at the latest when the write resolves */
  statement(sql: string, values?: readonly Value[], onRows?: (rows: readonly Row[]) => void): void;
}

export interface TableEngine {
  readonly name: EngineName;
  readonly ids: EmitterIds;
  /**
   * One write, applied in the order of the calls. Its changes in memory count at once; it resolves when it is on disk.
   * A write that throws or is refused has changed nothing, in memory either.
   */
  write<T>(apply: (change: TableChange) => T): Promise<T>;
  /** Rows as they are after every write that was asked for before. */
  select(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** For a new row; undefined where the database numbers it. */
  nextNumber(): number | undefined;
  /** Counts a change of the configuration (`SharedStore.changes`). */
  configurationChanged(): void;
}

/** Reads records of a table. @param rest what follows its name: conditions, order, limit */
export async function selectRecords<T>(
  engine: TableEngine,
  table: RecordTable<T>,
  rest: string,
  values: readonly Value[] = [],
): Promise<T[]> {
  const rows = await engine.select(selectSql(engine, table, rest), values);
  return rows.map((row) => table.read(row, engine.ids));
}

/** The first of them. */
export async function selectRecord<T>(
  engine: TableEngine,
  table: RecordTable<T>,
  rest: string,
  values: readonly Value[],
): Promise<T | undefined> {
  return (await selectRecords(engine, table, rest, values))[0];
}

const selects = new Map<string, string>();

/** `SELECT`, with the same column names in both engines. */
export function selectSql({ name }: TableEngine, table: Table, rest: string): string {
  const key = `${name} ${table.name}`;
  let select = selects.get(key);
  if (select === undefined) {
    select = `SELECT ${selectList(table, name)} FROM ${table.name}`;
    selects.set(key, select);
  }
  return `${select} ${rest}`;
}

/** The name that an engine has for a column. */
export function columnIn({ name }: TableEngine, { columns }: Table, column: string): string {
  const described = columns[column];
  if (described === undefined) throw new Error(`There is no column ${column}.`);
  return expressionOf(column, described, name);
}

/** Puts a row in. What it leaves undefined has the column's default. @param rest such as `ON CONFLICT DO NOTHING` */
export function insertRow(
  engine: TableEngine,
  change: TableChange,
  table: Table,
  row: Row,
  rest = '',
  onRows?: (rows: readonly Row[]) => void,
): void {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  const names = entries.map(([name]) => columnIn(engine, table, name)).join(', ');
  change.statement(
    `INSERT INTO ${table.name} (${names}) VALUES (${entries.map(() => '?').join(', ')}) ${rest}`,
    entries.map(([, value]) => value),
    onRows,
  );
}

/** The same, but replaces a row with this key. */
export function upsertRow(
  engine: TableEngine,
  change: TableChange,
  table: Table,
  row: Row,
  key: readonly string[],
): void {
  const others = Object.keys(row).filter((name) => !key.includes(name) && name !== 'row');
  const sets = others.map((name) => `${name} = excluded.${name}`).join(', ');
  insertRow(engine, change, table, row, `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sets}`);
}
