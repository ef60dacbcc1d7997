import { expect, test } from 'vitest';
import { event, ownerOf, run } from '../../../../support/records.ts';
import { storeWithSource } from '../../../../support/store.ts';

test('where invocations are spared for their events, they are looked at again when it is worth it', async () => {
  const { store } = await storeWithSource();
  const prune = async () =>
    store.invocations.prune(await ownerOf(store, 'dc_1'), { count: 1, before: 0 });
  for (let i = 0; i < 10; i++) await run(store, { events: [event(`${i}-0`)] });
  for (let i = 0; i < 105; i++) await run(store);
  expect(await prune()).toBe(5);
  for (let i = 0; i < 9; i++) await run(store);
  expect(await prune()).toBe(0);
  await run(store);
  expect(await prune()).toBe(10);
  expect((await store.invocations.list('dc_1', { limit: 1 })).total).toBe(110);
});
