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
