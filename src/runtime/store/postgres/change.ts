import { ChangesAhead } from '../../base/ahead-of-store.ts';
import type { TableChange } from '../tables/engine.ts';
import type { Value } from './arrays.ts';
import { numbered } from './numbered.ts';
import type { Row, Rows, RowTable } from './row-table.ts';

/** Statement by statement, in order; rows that are put in one after the other go together. */
export type Step =
  | { readonly table: RowTable; readonly row: Row }
  | {
      readonly sql: string;
      readonly values: readonly Value[];
      /** Called when it is on disk. */
      readonly onRows: ((rows: readonly Row[]) => void) | undefined;
    };

/** The rows and changes of one write: all of it or nothing. */
export class Change implements TableChange {
  readonly steps: Step[] = [];
  readonly memory: ChangesAhead;

  /** @param memory of the write that this is a part of */
  constructor(memory = new ChangesAhead()) {
    this.memory = memory;
  }

  insert<C extends string>(table: RowTable<C>, row: Readonly<Record<C, Value>>): void {
    this.steps.push({ table, row });
  }

  /** For what is seldom: it ends the way of one statement for the whole group. */
  run(sql: string, values: readonly Value[] = [], onRows?: (rows: readonly Row[]) => void): void {
    this.steps.push({ sql, values, onRows });
  }

  statement(sql: string, values?: readonly Value[], onRows?: (rows: readonly Row[]) => void): void {
    this.run(numbered(sql), values, onRows);
  }
}

/** The rows of a change that only inserts: by table. */
export function rowsOf({ steps }: Change): Rows[] {
  const tables = new Map<string, { readonly table: RowTable; readonly rows: Row[] }>();
  for (const step of steps) {
    if (!('table' in step)) throw new Error('It does more than to put rows in.');
    const { table, row } = step;
    const found = tables.get(table.name);
    if (found === undefined) tables.set(table.name, { table, rows: [row] });
    else found.rows.push(row);
  }
  return [...tables.values()];
}
