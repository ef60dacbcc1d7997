import { badCursor, type PageOf, type PageRequest } from '../page.ts';
import type { Row, Value } from '../schema/column.ts';
import type { TableEngine } from './engine.ts';

/** A list that can be paged: its rows, their order, and how a row's place becomes a cursor. */
export interface Listing<T> {
  /** `SELECT … FROM …`, without a condition. */
  readonly select: string;
  /** Table or view in which the total is counted. */
  readonly from: string;
  /** Conditions joined by AND; each of their values has a `?`. */
  readonly where: readonly (readonly [condition: string, ...values: Value[]])[];
  /** Columns that order the rows and are unique together. */
  readonly key: readonly string[];
  read(row: Row): T;
  cursorOf(record: T): string;
  /** The key columns' values at a cursor; undefined when it names no row of this list. */
  placeOf(cursor: string): readonly Value[] | undefined;
}

/**
 * One page, newest first. `after` gives the rows that follow a cursor in the order of the list, `before` the
 * nearest ones that precede it; the order of the rows is the list's in both cases.
 * Rejects with WeirError('bad_input') on a cursor that is not of this list.
 */
export async function page<T>(
  { select }: Pick<TableEngine, 'select'>,
  listing: Listing<T>,
  request: PageRequest,
): Promise<PageOf<T>> {
  const conditions = listing.where.map(([condition]) => condition);
  const values = listing.where.flatMap(([, ...bound]) => bound);
  const counted = select(`SELECT count(*) AS total FROM ${listing.from}${whereOf(conditions)}`, [
    ...values,
  ]);
  const backwards = request.before !== undefined && request.after === undefined;
  for (const [cursor, comparison] of [
    [request.after, '<'],
    [request.before, '>'],
  ] as const) {
    if (cursor === undefined) continue;
    const place = listing.placeOf(cursor);
    if (place === undefined) {
      await counted;
      throw badCursor(cursor);
    }
    conditions.push(
      `(${listing.key.join(', ')}) ${comparison} (${listing.key.map(() => '?').join(', ')})`,
    );
    values.push(...place);
  }
  const order = listing.key.map((column) => `${column} ${backwards ? 'ASC' : 'DESC'}`).join(', ');
  const sql = `${listing.select}${whereOf(conditions)} ORDER BY ${order} LIMIT ?`;
  const [total, found] = await Promise.all([counted, select(sql, [...values, request.limit])]);
  const rows = found.map((row) => listing.read(row));
  if (backwards) rows.reverse();
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    total: Number(total[0]?.['total'] ?? 0),
    start: first === undefined ? null : listing.cursorOf(first),
    end: last === undefined ? null : listing.cursorOf(last),
  };
}

/** Place of a cursor that is a number. */
export function placeOfNumber(cursor: string): Value[] | undefined {
  return /^\d{1,16}$/u.test(cursor) ? [Number(cursor)] : undefined;
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
