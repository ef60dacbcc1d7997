import type { RowsAndBytes } from '../retention.ts';
import type { Value } from './arrays.ts';
import { number } from './fields.ts';
import type { Row } from './row-table.ts';

/** Rows of an emitter in the order of a key that ascends: what is written later has a greater one. */
export interface Countable {
  /** Rows of one emitter, `$1`. */
  readonly from: string;
  readonly key: readonly string[];
  /** Column, or a number for all. */
  readonly bytes: string;
}

interface Counted extends RowsAndBytes {
  /** Key of the newest row that is in it. */
  readonly upTo: readonly number[];
}

const nothing: RowsAndBytes = { count: 0, bytes: 0 };

/**
 * How many rows an emitter has, in the memory of its owner: retention needs this after every few hundred new ones, and
 * PostgreSQL would read all rows. The rows are counted once; later only new ones are added.
 */
export class RowCounts {
  #counted = new Map<string, Counted>();
  /** Below so many invocations it is not worth looking for ones to remove. */
  invocationsWorthALook = 0;

  /**
   * @param read see `Engine`
   * @param newest key of the newest row requested to be written, undefined if there is none
   */
  async of(
    read: (sql: string, values: readonly Value[]) => Promise<Row[]>,
    emitter: number,
    { from, key, bytes }: Countable,
    newest: readonly number[] | undefined,
  ): Promise<RowsAndBytes> {
    // If the count was forgotten meanwhile, this one is not used.
    const known = this.#counted;
    const before = known.get(from);
    if (newest === undefined || isSame(newest, before?.upTo)) return before ?? nothing;
    const values: Value[] = [emitter, ...newest];
    const place = (first: number): string =>
      `(${key.map((_, index) => `$${first + index}::bigint`).join(', ')})`;
    const columns = `(${key.join(', ')})`;
    const conditions = [`${columns} <= ${place(2)}`];
    if (before !== undefined) {
      conditions.push(`${columns} > ${place(2 + key.length)}`);
      values.push(...before.upTo);
    }
    const [row] = await read(
      `SELECT count(*) AS count, coalesce(sum(${bytes}), 0)::bigint AS bytes
       FROM ${from} AND ${conditions.join(' AND ')}`,
      values,
    );
    // Without what was removed in between. Where somebody else has counted in between, that will do.
    const latest = known.get(from);
    if (row === undefined || latest?.upTo !== before?.upTo) return latest ?? nothing;
    const counted = {
      count: (latest?.count ?? 0) + number(row, 'count'),
      bytes: (latest?.bytes ?? 0) + number(row, 'bytes'),
      upTo: newest,
    };
    known.set(from, counted);
    return counted;
  }

  /** After they were removed from the old end. */
  removed({ from }: Countable, gone: RowsAndBytes): void {
    const counted = this.#counted.get(from);
    if (counted === undefined) return;
    this.#counted.set(from, {
      count: counted.count - gone.count,
      bytes: counted.bytes - gone.bytes,
      upTo: counted.upTo,
    });
  }

  /** Others were removed: all are counted again when somebody asks. */
  forget(): void {
    this.#counted = new Map();
    this.invocationsWorthALook = 0;
  }
}

function isSame(one: readonly number[], other: readonly number[] | undefined): boolean {
  return one.every((value, index) => value === other?.[index]);
}
