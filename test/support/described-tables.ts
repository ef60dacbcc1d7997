/** What the descriptors of tables say that an engine has, to compare with what it says itself. */
import type { Column, Engine } from '../../src/runtime/store/schema/column.ts';
import { tables } from '../../src/runtime/store/schema/tables.ts';

export interface DescribedTable {
  /** By name: its type as the engine calls it, and whether it may be NULL. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
}

const sqliteTypes = {
  bigint: 'INTEGER',
  float8: 'REAL',
  text: 'TEXT',
  boolean: 'INTEGER',
  bytea: '',
};
const postgresTypes = {
  bigint: 'bigint',
  float8: 'double precision',
  text: 'text',
  boolean: 'boolean',
  bytea: 'bytea',
};

export function columnText(type: string, isNullable: boolean): string {
  return isNullable ? `${type} NULL` : type;
}

export function describedTables(engine: Engine): Record<string, DescribedTable> {
  const here = tables.filter(({ only }) => only === undefined || only === engine);
  return Object.fromEntries(
    here.map(({ name, columns, key, sqliteKey, isView }) => [
      name,
      {
        columns: Object.fromEntries(
          Object.entries(columns).flatMap(([column, described]) =>
            columnIn(engine, column, described, engine === 'postgres' && isView === true),
          ),
        ),
        key: engine === 'sqlite' ? (sqliteKey ?? key) : key,
      },
    ]),
  );
}

function columnIn(
  engine: Engine,
  name: string,
  { type, only, postgres, nullable = false, sqlite = name, sqliteNullable = false }: Column,
  isOfView: boolean,
): [string, string][] {
  if (only !== undefined && only !== engine) return [];
  if (engine === 'postgres') {
    return [[name, columnText(postgres ?? postgresTypes[type], nullable || isOfView)]];
  }
  // No column holds what an expression computes.
  if (!/^\w+$/u.test(sqlite)) return [];
  return [[sqlite, columnText(sqliteTypes[type], nullable || sqliteNullable)]];
}
