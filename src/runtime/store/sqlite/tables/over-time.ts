import type { Row } from '../wasm/row.ts';
import type { TimeSpan } from '../../history/time-span.ts';

/** Rows of `{bucket, count}` as one number per bucket, oldest first; what lies outside is left out. */
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
