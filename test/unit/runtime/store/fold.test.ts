import fs from 'node:fs';
import { basename, join } from 'node:path';
import initSqlJs from 'sql.js';
import { expect, onTestFinished, test } from 'vitest';
import type { FileIo } from '../../../../src/runtime/store/sqlite/io.ts';
import { event, run, source } from './records.ts';
import { open, tempFolder } from './world.ts';

/** The real disk; from `hold` on its barriers return when the test says so. */
function patientDisk() {
  const waiting: (() => void)[] = [];
  const state = { holds: false, barriersOnTheLoop: 0 };
  const io: FileIo = {
    ...fs,
    fdatasyncSync(fd) {
      if (state.holds) state.barriersOnTheLoop += 1;
      fs.fdatasyncSync(fd);
    },
    fdatasync: ((fd: number, done: (error: Error | null) => void) => {
      if (state.holds) waiting.push(() => fs.fdatasync(fd, done));
      else fs.fdatasync(fd, done);
    }) as typeof fs.fdatasync,
  };
  return { io, state, waiting };
}

const megabytes = (count: number) => JSON.stringify('x'.repeat(count * 1024 * 1024));
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function stored(file: string): Promise<string[]> {
  const store = await open(file);
  const ids = store.events.list('dc_1', { limit: 100 }).rows.map(({ id }) => id);
  await store.close();
  const { Database } = await initSqlJs();
  const db = new Database(fs.readFileSync(file));
  expect(db.exec('PRAGMA integrity_check')[0]?.values).toEqual([['ok']]);
  db.close();
  return ids.toReversed();
}

/** What a process that was killed now would leave, opened elsewhere. */
function asAfterKill(file: string): Promise<string[]> {
  const folder = tempFolder();
  for (const name of fs.readdirSync(join(file, '..')))
    fs.copyFileSync(join(file, '..', name), join(folder, name));
  return stored(join(folder, basename(file)));
}

test('while a checkpoint is on its way its pages are read, written over and survive a kill', async () => {
  const file = join(tempFolder(), 'weir.db');
  const { io, state, waiting } = patientDisk();
  const store = await open(file, io);
  onTestFinished(() => {
    state.holds = false;
    for (const go of waiting.splice(0)) go();
    return store.close();
  });
  await store.sources.insert(source('dc_1'));
  await run(store, { events: [event('1-0', { payload: megabytes(5) })] });

  state.holds = true;
  const before = fs.readFileSync(file);
  const folded = run(store, { events: [event('2-0', { payload: megabytes(5) })] });
  await turn();
  expect(waiting).toHaveLength(1);
  // SQLite believes that all of it is in the file; nothing is before the WAL is durable.
  expect(before.equals(fs.readFileSync(file))).toBe(true);
  expect(store.events.get('dc_1', '1-0')?.payload).toHaveLength(megabytes(5).length);
  expect(await asAfterKill(file)).toEqual(['1-0', '2-0']);

  waiting.shift()?.();
  await folded;
  expect(await asAfterKill(file)).toEqual(['1-0', '2-0']);
  expect(state.barriersOnTheLoop).toBe(0);

  // It outgrows SQLite's cache, which writes to the WAL before there is a commit.
  const large = run(store, { events: [event('3-0', { payload: megabytes(40) })] });
  expect(state.barriersOnTheLoop).toBeGreaterThan(0);
  expect(await asAfterKill(file)).toEqual(['1-0', '2-0']);

  state.holds = false;
  for (const go of waiting.splice(0)) go();
  await large;
  expect(await asAfterKill(file)).toEqual(['1-0', '2-0', '3-0']);
});
