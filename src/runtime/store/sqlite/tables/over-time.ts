import type { Row } from '../wasm/row.ts';
import type { TimeSpan } from '../../page.ts';

/**
 * The SQL of a row's bucket, to be named `bucket`; `?1` is the span's start and `?2` the length of a
 * bucket. Times are bound as doubles (statement.ts), so the quotient has a fraction unless it is cut.
 */
export function bucketOf(column: string): string {
  return `CAST((${column} - ?1) / ?2 AS INTEGER)`;
}

/** Rows of `{bucket, count}` as one number per bucket, oldest first; rows outside are left out. */
export function overTime(span: TimeSpan, rows: readonly (readonly [number, number])[]): number[] {
  const counts = Array.from({ length: span.buckets }, () => 0);
  for (const [bucket, count] of rows) {
    if (bucket >= 0 && bucket < span.buckets) counts[bucket] = count;
  }
  return counts;
}

export function readBucket(row: Row): readonly [number, number] {
  return [row.number('bucket'), row.number('count')];
}
