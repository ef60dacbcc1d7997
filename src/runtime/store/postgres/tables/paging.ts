import { badCursor, type PageOf, type PageRequest } from '../../page.ts';
import type { Value } from '../arrays.ts';
import type { Engine } from '../engine.ts';
import { number } from '../fields.ts';
import type { Row } from '../row-table.ts';

/** A list that can be paged: its rows, their order, and how a row's place becomes a cursor. */
export interface Listing<T> {
  /** Table or view. */
  readonly from: string;
  /** Conditions joined by AND; `?` stands for each of their values. */
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
  { read }: Pick<Engine, 'read'>,
  listing: Listing<T>,
  request: PageRequest,
): Promise<PageOf<T>> {
  const conditions = listing.where.map(([condition]) => condition);
  const values = listing.where.flatMap(([, ...bound]) => bound);
  const counted = read(
    numbered(`SELECT count(*) AS total FROM ${listing.from}${whereOf(conditions)}`),
    [...values],
  );
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
  const sql = `SELECT * FROM ${listing.from}${whereOf(conditions)} ORDER BY ${order} LIMIT ?`;
  const [total, found] = await Promise.all([
    counted,
    read(numbered(sql), [...values, request.limit]),
  ]);
  const rows = found.map((row) => listing.read(row));
  if (backwards) rows.reverse();
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    total: total[0] === undefined ? 0 : number(total[0], 'total'),
    start: first === undefined ? null : listing.cursorOf(first),
    end: last === undefined ? null : listing.cursorOf(last),
  };
}

/** Place of a cursor that is a number. */
export function placeOfNumber(cursor: string): Value[] | undefined {
  return /^\d{1,16}$/u.test(cursor) ? [Number(cursor)] : undefined;
}

/** `$1`, `$2` in place of each `?`. */
function numbered(sql: string): string {
  let place = 0;
  return sql.replaceAll('?', () => `$${++place}`);
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
