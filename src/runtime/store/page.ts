import { WeirError } from '../../protocol/errors.ts';

/**
 * A page is cut at `limit`; `after`/`before` are opaque cursors that a page returned, a foreign one
 * throws WeirError('bad_input'). Events, invocations, log lines and deliveries come newest first,
 * everything else in the order it was made.
 */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

/** Rows of one page, how many there are in all, and the cursors of its first and last row. */
export interface PageOf<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly start: string | null;
  readonly end: string | null;
}

/** How much history stays: at most `count` rows, none older than `before` (epoch ms); the 100 newest always stay. */
export interface Keep {
  readonly count: number;
  readonly before: number;
}

/** A stretch of time cut into equal parts. */
export interface TimeSpan {
  /** Epoch ms. */
  readonly from: number;
  readonly bucketMs: number;
  readonly buckets: number;
}

export function badCursor(cursor: string): WeirError {
  return new WeirError(
    'bad_input',
    `The cursor "${cursor}" is not of this list or its row is gone: start without a cursor.`,
  );
}
