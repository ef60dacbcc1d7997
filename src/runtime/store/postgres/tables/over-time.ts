import type { TimeSpan } from '../../page.ts';
import type { Engine } from '../engine.ts';
import { number } from '../fields.ts';

/**
 * How many rows of an emitter are in each part of the span, oldest first.
 * @param rows `FROM … WHERE …`; `$1` is the emitter
 * @param column their time, epoch ms
 */
export async function countOverTime(
  { read }: Pick<Engine, 'read'>,
  rows: string,
  column: string,
  emitter: number | undefined,
  { from, bucketMs, buckets }: TimeSpan,
): Promise<number[]> {
  const counts = Array.from({ length: buckets }, () => 0);
  const found = await read(
    `SELECT floor((${column} - $2::float8) / $3::float8)::bigint AS bucket, count(*) AS count ${rows}
       AND ${column} >= $2::float8 AND ${column} < $4::float8 GROUP BY 1`,
    [emitter, from, bucketMs, from + bucketMs * buckets],
  );
  for (const row of found) counts[number(row, 'bucket')] = number(row, 'count');
  return counts.slice(0, buckets);
}
