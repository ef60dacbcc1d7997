/** Columns of the store's tables, and the fields of records that they hold (pure). */

/** As PostgreSQL calls it. SQLite keeps `bigint` and `boolean` as INTEGER, `float8` as REAL, `bytea` without a type. */
export type ColumnType = 'bigint' | 'float8' | 'text' | 'bytea' | 'boolean';

export type Value = string | number | Uint8Array | boolean | null | undefined;

/** A row as either engine reads it, under the names of PostgreSQL's columns. */
export type Row = Readonly<Record<string, Value>>;

export interface Column {
  readonly type: ColumnType;
  readonly nullable?: boolean;
  /** The type in PostgreSQL of a column that only its SQL reads and writes. */
  readonly postgres?: 'integer' | 'timestamp with time zone' | 'tsvector';
  /** In SQLite: another name, or SQL that computes it where no column holds it. */
  readonly sqlite?: string;
  /** SQLite permits NULL, for rows of an earlier version. */
  readonly sqliteNullable?: boolean;
  /** Only one engine has it; `db move` leaves it behind. */
  readonly only?: Engine;
}

export type Engine = 'sqlite' | 'postgres';

/** Rows name their emitter by a number, records by an id. */
export interface EmitterIds {
  /** @throws Error where no emitter has this row */
  idOf(row: number): string;
  rowOf(id: string): number | undefined;
}

/** A field of a record: the columns that hold it, and how its value is read and written. */
export interface Field<V> {
  /** @param name of the field in snake case */
  readonly columns: (name: string) => Readonly<Record<string, Column>>;
  readonly read: (row: Row, name: string, ids: EmitterIds) => V;
  readonly write: (value: V, name: string, ids: EmitterIds) => Row;
  /** The record has no such key while this is NULL. */
  readonly optional?: boolean;
}

const plain = <V>(type: ColumnType): Field<V> => ({
  columns: (name) => ({ [name]: { type } }),
  read: (row, name) => row[name] as V,
  write: (value, name) => ({ [name]: value as Value }),
});

export const text = plain<string>('text');
/** A whole number; times are epoch ms. */
export const int = plain<number>('bigint');
export const real = plain<number>('float8');
export const bytes = plain<Uint8Array>('bytea');

/** SQLite has 0 and 1. */
export const flag: Field<boolean> = {
  columns: (name) => ({ [name]: { type: 'boolean' } }),
  read: (row, name) => row[name] === true || row[name] === 1,
  write: (value, name) => ({ [name]: value }),
};

/** One of a few fixed words. */
export const word = <V extends string>(): Field<V> => plain<V>('text');

/** JSON text of a value. */
export const json = <V>(): Field<V> => ({
  columns: (name) => ({ [name]: { type: 'text' } }),
  read: (row, name) => JSON.parse(row[name] as string) as V,
  write: (value, name) => ({ [name]: JSON.stringify(value) }),
});

export const nullable = <V>(field: Field<V>): Field<V | null> => ({
  columns: (name) => withEach(field.columns(name), { nullable: true }),
  read: (row, name, ids) => (isNull(row[name]) ? null : field.read(row, name, ids)),
  write: (value, name, ids) => (value === null ? { [name]: null } : field.write(value, name, ids)),
});

/** NULL where the record has no such key. */
export const optional = <V>(field: Field<V>): Field<V | undefined> => ({
  columns: (name) => withEach(field.columns(name), { nullable: true }),
  read: (row, name, ids) => (isNull(row[name]) ? undefined : field.read(row, name, ids)),
  write: (value, name, ids) =>
    value === undefined ? { [name]: null } : field.write(value, name, ids),
  optional: true,
});

/** Held by a column of another name. */
export const named = <V>(column: string, field: Field<V>): Field<V> => ({
  ...field,
  columns: () => field.columns(column),
  read: (row, _, ids) => field.read(row, column, ids),
  write: (value, _, ids) => field.write(value, column, ids),
});

/** The same field, with columns that differ in one engine. */
export const differing = <V>(field: Field<V>, change: Partial<Column>): Field<V> => ({
  ...field,
  columns: (name) => withEach(field.columns(name), change),
});

/** The id of an emitter; the row has its number. */
export const emitter: Field<string> = {
  columns: () => ({ emitter: { type: 'bigint' } }),
  read: (row, _, ids) => ids.idOf(row['emitter'] as number),
  write: (id, _, ids) => ({ emitter: ids.rowOf(id) }),
};

/** A field of several columns. */
export const composed = <V>(
  columns: Readonly<Record<string, Column>>,
  read: (row: Row) => V,
  write: (value: V) => Row,
): Field<V> => ({ columns: () => columns, read, write });

export function isNull(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

function withEach(
  columns: Readonly<Record<string, Column>>,
  change: Partial<Column>,
): Record<string, Column> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, { ...column, ...change }]),
  );
}
