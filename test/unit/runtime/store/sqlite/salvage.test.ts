import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { salvageStore } from '../../../../../src/runtime/store/sqlite/salvage.ts';
import type { Store } from '../../../../../src/runtime/store/store.ts';
import { event, run, scheduled, source } from '../../../../support/records.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { open, sqlJs } from '../../../../support/open-store.ts';
import { newStore } from '../../../../support/store.ts';

const count = 400;
const pageBytes = 8192;

/** A closed store with 400 events of 2 KB, on some hundred pages. */
async function filled(): Promise<string> {
  const folder = temporaryFolder();
  const file = join(folder, 'weir.db');
  const store = await open(file);
  await store.sources.insert(source('dc_1'));
  for (let n = 0; n < count; n += 50) {
    const events = Array.from({ length: 50 }, (_, i) =>
      event(`${n + i + 1}-0`, { payload: JSON.stringify({ n: n + i, text: 'x'.repeat(2000) }) }),
    );
    await run(store, { events });
  }
  await run(store, { scheduled: [scheduled(7)] });
  await store.close();
  return file;
}

const eventsOf = async (store: Store) =>
  (await store.events.after('dc_1', '0-0', count * 2)).map(({ id }) => id);

/** Salvages into another file beside it, which then has to be a store. */
async function salvaged(file: string) {
  const before = fs.readFileSync(file);
  const to = join(temporaryFolder(), 'saved.db');
  const told = await salvageStore(file, to, sqlJs);
  expect(fs.readFileSync(file).equals(before)).toBe(true);
  expect(fs.readdirSync(join(to, '..'))).toEqual(['saved.db']);
  const store = await open(to);
  const ids = await eventsOf(store);
  const { total: search } = await store.events.list('dc_1', { limit: 1, search: 'xxx' });
  const sources = store.sources.all().map(({ id }) => id);
  const { total: waiting } = await store.scheduledEmits.list('dc_1', { limit: 1 });
  await store.close();
  return { told, ids, search, sources, waiting };
}

test('a whole store loses nothing, and its events are found again', async () => {
  const { told, ids, search, sources, waiting } = await salvaged(await filled());
  expect(told.damaged).toEqual([]);
  expect([ids.length, search, sources, waiting]).toEqual([count, count, ['dc_1'], 1]);
});

test('of a store with ruined pages all rows are saved that do not lie on them', async () => {
  const file = await filled();
  const disk = fs.openSync(file, 'r+');
  const pages = fs.statSync(file).size / pageBytes;
  // Three pages in the middle, where the events are.
  for (const page of [0.4, 0.5, 0.6]) {
    fs.writeSync(
      disk,
      Buffer.alloc(pageBytes, 0xaa),
      0,
      pageBytes,
      Math.floor(pages * page) * pageBytes,
    );
  }
  fs.closeSync(disk);
  const { told, ids, sources } = await salvaged(file);
  expect(told.damaged).toContain('events');
  expect(ids.length).toBeLessThan(count);
  expect(ids.length).toBeGreaterThan(count / 4);
  expect([ids.at(0), ids.at(-1), sources]).toEqual(['1-0', `${count}-0`, ['dc_1']]);
});

test('of a store that was cut short, what is left of it', async () => {
  const file = await filled();
  fs.truncateSync(file, Math.floor((fs.statSync(file).size * 0.6) / pageBytes) * pageBytes);
  const { told, ids } = await salvaged(file);
  expect(told.damaged).toContain('events');
  expect(ids.length).toBeGreaterThan(count / 4);
});

test('of a store that lost the names of its last tables, the tables before them', async () => {
  const file = await filled();
  // The names fill several pages. The first page of the file says which is the last of them (sqlite.org/fileformat2.html §1.6).
  const last = fs.readFileSync(file).readUInt32BE(100 + 8);
  fs.truncateSync(file, (last - 1) * pageBytes);
  const { told, sources } = await salvaged(file);
  expect(told.damaged).toEqual(expect.arrayContaining(['executions', 'step_runs']));
  expect(sources).toEqual(['dc_1']);
});

test('of one that lost the names of all its tables, nothing, which is said', async () => {
  const file = await filled();
  fs.truncateSync(file, 8 * pageBytes);
  await expect(salvageStore(file, `${file}.saved`, sqlJs)).rejects.toMatchObject({
    code: 'store_failed',
    message: `Nothing can be saved of ${file}: not even the names of its tables are left.`,
  });
  expect(fs.readdirSync(join(file, '..'))).toEqual(['weir.db', 'weir.db.checked']);
});

test('what a crash left in the log is saved as well', async () => {
  const { store, file } = await newStore();
  await store.sources.insert(source('dc_1'));
  await run(store, { events: [event('1-0'), event('2-0')] });
  const folder = temporaryFolder();
  for (const name of fs.readdirSync(join(file, '..'))) {
    fs.copyFileSync(join(file, '..', name), join(folder, name));
  }
  expect((await salvaged(join(folder, 'weir.db'))).ids).toEqual(['1-0', '2-0']);
});

test('nothing is overwritten, and of what is no store nothing can be saved', async () => {
  const file = await filled();
  await expect(salvageStore(file, file, sqlJs)).rejects.toMatchObject({ code: 'conflict' });
  const other = join(temporaryFolder(), 'weir.db');
  fs.writeFileSync(other, 'nonsense'.repeat(5000));
  await expect(salvageStore(other, `${other}.saved`, sqlJs)).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining(other),
  });
  await expect(salvageStore(`${other}.gone`, `${other}.saved`, sqlJs)).rejects.toMatchObject({
    code: 'store_failed',
  });
  expect(fs.readdirSync(join(other, '..'))).toEqual(['weir.db']);
});
