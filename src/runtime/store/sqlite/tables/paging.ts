import { badCursor, type PageOf, type PageRequest } from '../../page.ts';
import type { Connection } from '../wasm/connection.ts';
import type { Row } from '../wasm/row.ts';
import type { SqlValue } from '../wasm/statement.ts';

/** A list that can be paged: its rows, their order, and how a row's place becomes a cursor. */
export interface Listing<T> {
  /** `SELECT … FROM …`, without a condition. */
  readonly select: string;
  /** Table the total is counted in. */
  readonly from: string;
  /** Conditions joined by AND, with their values. */
  readonly where: readonly (readonly [condition: string, ...values: SqlValue[]])[];
  /** Columns that order the rows and are unique together. */
  readonly key: readonly string[];
  readonly newestFirst: boolean;
  read(row: Row): T;
  cursorOf(record: T): string;
  /** The key columns' values at a cursor; undefined when it names no row of this list. */
  placeOf(cursor: string): readonly SqlValue[] | undefined;
}

/**
 * One page. `after` gives the rows that follow a cursor in the order of the list, `before` the
 * nearest ones that precede it; the order of the rows is the list's in both cases.
 * @throws WeirError('bad_input') on a cursor that is not of this list.
 */
export function page<T>(db: Connection, listing: Listing<T>, request: PageRequest): PageOf<T> {
  const conditions = listing.where.map(([condition]) => condition);
  const values = listing.where.flatMap(([, ...bound]) => bound);
  const total = db.prepare(`SELECT count(*) AS total FROM ${listing.from}${whereOf(conditions)}`);
  const count = total.get((row) => row.number('total'), ...values) ?? 0;

  const backwards = request.before !== undefined && request.after === undefined;
  const descending = listing.newestFirst !== backwards;
  for (const [cursor, follows] of [
    [request.after, true],
    [request.before, false],
  ] as const) {
    if (cursor === undefined) continue;
    const place = listing.placeOf(cursor);
    if (place === undefined) throw badCursor(cursor);
    const comparison = follows === listing.newestFirst ? '<' : '>';
    const placeholders = listing.key.map(() => '?').join(', ');
    conditions.push(`(${listing.key.join(', ')}) ${comparison} (${placeholders})`);
    values.push(...place);
  }
  const order = listing.key.map((column) => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');
  const statement = db.prepare(`${listing.select}${whereOf(conditions)} ORDER BY ${order} LIMIT ?`);
  const rows = statement.all((row) => listing.read(row), ...values, request.limit);
  if (backwards) rows.reverse();
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    total: count,
    start: first === undefined ? null : listing.cursorOf(first),
    end: last === undefined ? null : listing.cursorOf(last),
  };
}

/** Place of a cursor that is a number. */
export function placeOfNumber(cursor: string): SqlValue[] | undefined {
  return /^\d{1,15}$/u.test(cursor) ? [Number(cursor)] : undefined;
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
