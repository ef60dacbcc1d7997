/** Descriptors of tables: the one place, beside the migrations, that states their columns (pure). */
import type { Column, EmitterIds, Engine, Field, Row } from './column.ts';

export interface Table {
  readonly name: string;
  /** By PostgreSQL's names. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Primary key. */
  readonly key: readonly string[];
  /** In SQLite, where it is another one. */
  readonly sqliteKey?: readonly string[];
  /** The other engine has no such table. */
  readonly only?: Engine;
  /** In PostgreSQL it is a view, whose columns may all be NULL. */
  readonly isView?: boolean;
}

/** A table whose columns the compiler knows. */
export type TableOf<C extends string> = Omit<Table, 'columns'> & {
  readonly columns: Readonly<Record<C, Column>>;
};

/** A table whose rows are records. */
export interface RecordTable<T> extends Table {
  readonly read: (row: Row, ids: EmitterIds) => T;
  readonly write: (record: T, ids: EmitterIds) => Row;
}

/** Every key of the record, optional ones included. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

type Options = Omit<Table, 'name' | 'columns'> & {
  /** Columns that the record does not show. */
  readonly also?: Readonly<Record<string, Column>>;
};

/** A table of which only the columns are described: its readers are written by hand. */
export function rowTable<C extends string>(
  name: string,
  columns: Readonly<Record<C, Column>>,
  options: Omit<Options, 'also'>,
): TableOf<C> {
  return { name, columns, ...options };
}

/** Describes a table by the fields of its records; a field that is missing does not compile. */
export function recordTable<T>(
  name: string,
  fields: Fields<T>,
  { also = {}, ...options }: Options,
): RecordTable<T> {
  const described = Object.entries(fields as Readonly<Record<string, Field<unknown>>>).map(
    ([key, field]) => {
      return { key, name: snakeCase(key), field };
    },
  );
  const columns = Object.assign(
    { ...also },
    ...described.map((one) => one.field.columns(one.name)),
  ) as Record<string, Column>;
  return {
    name,
    columns,
    ...options,
    read(row, ids) {
      const record: Record<string, unknown> = {};
      for (const one of described) {
        const value = one.field.read(row, one.name, ids);
        if (value !== undefined || one.field.optional !== true) record[one.key] = value;
      }
      return record as T;
    },
    write(record, ids) {
      const row: Record<string, Row[string]> = {};
      for (const one of described) {
        const value = (record as Record<string, unknown>)[one.key];
        Object.assign(row, one.field.write(value, one.name, ids));
      }
      return row;
    },
  };
}

/** The table without some of its columns. */
export function without<C extends string, X extends C>(
  table: TableOf<C>,
  names: readonly X[],
): TableOf<Exclude<C, X>> {
  const columns = Object.fromEntries(
    Object.entries(table.columns).filter(([name]) => !names.includes(name as X)),
  );
  return { ...table, columns: columns as Readonly<Record<Exclude<C, X>, Column>> };
}

/** A column that an engine computes or names otherwise, as a `SELECT` has it. */
export function expressionOf(name: string, column: Column, engine: Engine): string {
  return engine === 'sqlite' && column.sqlite !== undefined ? column.sqlite : name;
}

/** The list of a `SELECT` that reads whole rows, the same in both engines. @param of name of the table in a join */
export function selectList({ columns }: Table, engine: Engine, of?: string): string {
  return Object.entries(columns)
    .filter(([, { only }]) => only === undefined || only === engine)
    .map(([name, column]) => {
      const expression = expressionOf(name, column, engine);
      if (expression !== name) return `${expression} AS ${name}`;
      return of === undefined ? name : `${of}.${name}`;
    })
    .join(', ');
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}
