import { expect, onTestFinished, test } from 'vitest';
import { emptySqlite, openedSqlite } from '../../../../support/opened-sqlite.ts';
import { Connection } from '../../../../../src/runtime/store/sqlite/wasm/connection.ts';
import { HostFiles } from '../../../../../src/runtime/store/sqlite/wasm/host-files.ts';
import { diskIo } from '../../../../../src/runtime/store/sqlite/wasm/io.ts';
import { loadSqlite } from '../../../../../src/runtime/store/sqlite/wasm/sqlite.ts';
import { open, sqlJs } from '../../../../support/open-store.ts';
import { event, fenceOf, run, scheduled, source } from '../../../../support/records.ts';
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

test('where it is lost what was set aside, what is scheduled keeps its numbers', async () => {
  const { store, file } = await storeWithSource();
  await run(store, { events: [event('1-0')], scheduled: [scheduled(5), scheduled(6)] });
  await store.close();
  const files = new HostFiles(diskIo);
  files.map('/lost.db', file, false);
  const db = new Connection(await loadSqlite(sqlJs, files), '/lost.db', (error) => error);
  db.run('DELETE FROM numbers');
  db.close();

  const again = await open(file);
  onTestFinished(() => again.close());
  await run(again, { events: [event('2-0'), event('2-1')] });
  const { emits } = await again.scheduledEmits.due('dc_1', 9, { count: 9, bytes: 99 });
  const events = emits.map((emit, i) => ({ emit, event: event(`9-${i}`) }));
  const fence = await fenceOf(again, 'dc_1');
  await again.commitDue({ emitterId: 'dc_1', fence, events });
  expect((await again.events.list('dc_1', { limit: 1 })).total).toBe(5);
});
