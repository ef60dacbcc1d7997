import { expect, test } from 'vitest';
import { emptySqlite, openedSqlite } from '../../../../support/opened-sqlite.ts';
import { run, source } from '../../../../support/records.ts';
import { storeWithSource } from '../../../../support/store.ts';

test('numbers go on without a gap after a clean end', async () => {
  const { store, reopen } = await storeWithSource();
  const numbers = [(await run(store)).n, (await run(store)).n];
  const again = await reopen();
  numbers.push((await run(again)).n);
  expect(numbers).toEqual([1, 2, 3]);
});

test('what a crash leaves of a block is never given out', async () => {
  const opened = await openedSqlite(await emptySqlite());
  await opened.store.sources.insert(source('dc_1'));
  // More than one block.
  for (let i = 0; i < 1030; i++) await run(opened.store);
  const again = await opened.crash(() => 0);
  const { n } = await run(again);
  expect(n).toBe(2049);
  await opened.end();
});
