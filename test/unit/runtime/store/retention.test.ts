import { expect, test } from 'vitest';
import { cutOf } from '../../../../src/runtime/store/retention.ts';
import { event, run } from '../../../support/records.ts';
import { storeWithSource } from '../../../support/store.ts';

const ages = (count: number) => Array.from({ length: count }, (_, ms) => ({ ms, bytes: 10 }));

test.each([
  ['count', { count: 120, before: 0 }, 80],
  ['bytes', { count: 1000, bytes: 1500, before: 0 }, 50],
  ['age', { count: 1000, before: 30 }, 30],
  ['the strictest of them', { count: 190, bytes: 1800, before: 40 }, 40],
  ['nothing below the hundred that stay', { count: 1, before: 1e9 }, 100],
  ['nothing within the limits', { count: 200, bytes: 2000, before: 0 }, 0],
])('what goes by %s', (_name, keep, gone) => {
  const cut = cutOf(ages(200), { count: 200, bytes: 2000 }, keep);
  const newest = gone === 0 ? undefined : { ms: gone - 1, bytes: 10 };
  expect(cut).toEqual(newest && { newest, gone: { count: gone, bytes: gone * 10 } });
});

test('no more is looked at than goes, and one', () => {
  let looked = 0;
  function* entries() {
    for (const entry of ages(100_000)) {
      looked += 1;
      yield entry;
    }
  }
  cutOf(entries(), { count: 100_000, bytes: 0 }, { count: 99_995, before: 0 });
  expect(looked).toBe(6);
});

test('what came, went and was deleted in between is counted', async () => {
  const { store, reopen } = await storeWithSource();
  const keep = { count: 150, bytes: 1e9, before: 0 };
  const add = async (ms: number, count: number) =>
    run(store, { events: Array.from({ length: count }, (_, i) => event(`${ms}-${i}`)) });
  await add(1, 140);
  expect(await store.events.prune('dc_1', keep)).toBe(0);
  await add(2, 40);
  expect(await store.events.prune('dc_1', keep)).toBe(30);
  await add(3, 10);
  expect(await store.events.delete('dc_1', { start: '2-0', end: '2-4' })).toBe(5);
  expect(await store.events.prune('dc_1', keep)).toBe(5);
  const again = await reopen();
  expect(again.events.list('dc_1', { limit: 1 }).total).toBe(150);
  expect(await again.events.prune('dc_1', { ...keep, count: 120 })).toBe(30);
});

test('where invocations are spared for their events, they are looked at again when it is worth it', async () => {
  const { store } = await storeWithSource();
  const prune = () => store.invocations.prune('dc_1', { count: 1, before: 0 });
  for (let i = 0; i < 10; i++) await run(store, { events: [event(`${i}-0`)] });
  for (let i = 0; i < 105; i++) await run(store);
  expect(await prune()).toBe(5);
  for (let i = 0; i < 9; i++) await run(store);
  expect(await prune()).toBe(0);
  await run(store);
  expect(await prune()).toBe(10);
  expect(store.invocations.list('dc_1', { limit: 1 }).total).toBe(110);
});
