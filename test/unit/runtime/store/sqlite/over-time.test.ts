import { expect, test } from 'vitest';
import { event, run } from '../../../../support/records.ts';
import { storeWithSource } from '../../../../support/store.ts';

test('events and failed runs are counted in the bucket of their time, at times of today', async () => {
  const { store } = await storeWithSource();
  const from = 1_795_000_000_123;
  const span = { from, bucketMs: 60_001, buckets: 4 };
  const at = (ms: number) => event(`${from + ms}-0`);
  await run(store, { events: [at(-1)] });
  await run(store, { events: [at(0), at(60_000), at(60_001), at(3 * 60_001 + 7)] });
  await run(store, { events: [at(4 * 60_001)] });
  expect(await store.events.countOverTime('dc_1', span)).toEqual([2, 1, 0, 1]);

  for (const [ms, status] of [
    [-1, 'failed'],
    [0, 'failed'],
    [59_999, 'crashed'],
    [70_000, 'succeeded'],
    [2 * 60_001, 'failed'],
    [4 * 60_001, 'failed'],
  ] as const) {
    const { fence } = await store.ownership.take('dc_1');
    const { n } = store.accept({ emitterId: 'dc_1', fence, cause: 'manual', at: from + ms });
    await run(store, { n, status });
  }
  expect(await store.invocations.countFailedOverTime('dc_1', span)).toEqual([2, 0, 1, 0]);
});
