/** A store moved to PostgreSQL and back: nothing is lost, changed or there twice, however the move ends. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moveFromDatabase, moveToDatabase } from '../../src/runtime/store/backup/move.ts';
import { systemClock } from '../../src/runtime/base/clock.ts';
import { openPostgresStore } from '../../src/runtime/store/postgres/open-store.ts';
import { markMoved } from '../../src/runtime/store/sqlite/moved-mark.ts';
import { trySteps } from '../store-contract/model/store-model.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { open } from '../support/open-store.ts';
import { startPostgres } from '../support/postgres.ts';
import { event, run, scheduled, source, take } from '../support/records.ts';
import { moveOptions, movingStore } from './support/moving-store.ts';
import {
  contentOf,
  emptyColumnsOf,
  tablesWithRows,
  writeWholeStore,
} from './support/whole-store.ts';

const postgres = await startPostgres(atEndOfSuite());

/** A data folder with rows of every table. */
async function wholeFolder() {
  const data = temporaryFolder();
  const file = join(data, 'weir.db');
  await writeWholeStore(file);
  // Opened and closed as a runtime does, which writes down that it was.
  await (await open(file)).close();
  return { data, file };
}

async function node(url: string) {
  const store = await openPostgresStore({ url, clock: systemClock, version: 'test' });
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

test('(44) there and back, every row of every table is what it was', async () => {
  const { data, file } = await wholeFolder();
  const before = await contentOf(file);
  expect(Object.keys(before)).toEqual(tablesWithRows);
  expect(await emptyColumnsOf(file)).toEqual([]);
  const url = await postgres.newDatabase();
  const there = await moveToDatabase(moveOptions(data, url));
  const elsewhere = temporaryFolder();
  const back = await moveFromDatabase(moveOptions(elsewhere, url));
  const after = await contentOf(join(elsewhere, 'weir.db'));
  // A move opens the store as a start does, and so with the next fence.
  const opened = /'(opened_at|fence)'/;
  const settings = (rows: Record<string, string[]>) =>
    rows['settings']?.filter((row) => !opened.test(row));
  expect({ ...after, settings: settings(after) }).toEqual({
    ...before,
    settings: settings(before),
  });
  expect(back.tables).toEqual(there?.tables);
  expect(back.emitters).toEqual(there?.emitters);
  expect(there?.emitters.map(({ name }) => name)).toEqual(['dc_1', 'p_1', 'dc_2']);
});

test('whatever is asked of a store between moves, it shows what the model does', async () => {
  await expect(trySteps(() => movingStore(postgres), 3)).resolves.toBeUndefined();
}, 300_000);

test('what a node wrote is there after the way back, and no number is given out again', async () => {
  const data = temporaryFolder();
  const file = join(data, 'weir.db');
  const url = await postgres.newDatabase();
  const embedded = await open(file);
  await embedded.sources.insert(source('dc_1'));
  await run(embedded, { events: [event('1-0')], scheduled: [scheduled(9_000)] });
  await embedded.close();
  await moveToDatabase(moveOptions(data, url));
  const clustered = await node(url);
  const ran = await run(clustered, {
    events: [event('2-0'), event('2-1')],
    scheduled: [scheduled(8_000)],
  });
  await clustered.close();
  const { kept } = await moveFromDatabase(moveOptions(data, url));
  expect(existsSync(kept ?? '')).toBe(true);
  const again = await open(file);
  onTestFinished(() => again.close());
  const ids = async (n: number) => (await again.events.ofInvocation(n)).map(({ id }) => id);
  expect(await ids(ran.n)).toEqual(['2-0', '2-1']);
  expect(await take(again, 'dc_1')).toMatchObject({
    newestEvent: { ms: 2, seq: 1 },
    waitingEmits: { count: 2, nextAt: 8_000 },
  });
  const later = await run(again, { events: [event('3-0')] });
  expect(later.n).toBeGreaterThan(ran.n);
  expect(await ids(later.n)).toEqual(['3-0']);
});

test('a store that was moved is not opened where it was, and says where it is', async () => {
  const { data, file } = await wholeFolder();
  const url = await postgres.newDatabase();
  await moveToDatabase(moveOptions(data, url));
  await expect(open(file)).rejects.toThrow(
    /was moved to postgres:\/\/127\.0\.0\.1:\d+\/\w+ at .*weir serve --store/,
  );
  await expect(moveToDatabase(moveOptions(data, url))).rejects.toMatchObject({ code: 'conflict' });
  await moveFromDatabase(moveOptions(data, url));
  await expect(node(url)).rejects.toThrow(
    `was moved to ${(await import('node:os')).hostname()}:${data}`,
  );
  await expect(moveFromDatabase(moveOptions(temporaryFolder(), url))).rejects.toMatchObject({
    code: 'conflict',
  });
  await (await open(file)).close();
});

test('neither a store nor a database that is in use is moved or written over', async () => {
  const { data } = await wholeFolder();
  const url = await postgres.newDatabase();
  const store = await node(url);
  await expect(moveToDatabase(moveOptions(data, url))).rejects.toThrow(/A runtime has .* open/);
  await expect(moveFromDatabase(moveOptions(temporaryFolder(), url))).rejects.toThrow(/open/);
  await store.sources.insert(source('dc_1'));
  await store.close();
  await expect(moveToDatabase(moveOptions(data, url))).rejects.toThrow(
    /has a store of Weir in it already/,
  );
  await expect(moveFromDatabase(moveOptions(data, url))).rejects.toThrow(/is there already/);
  await expect(moveToDatabase(moveOptions(temporaryFolder(), url))).rejects.toThrow(
    /There is no store/,
  );
});

test('a move that is cancelled or fails at any statement changes nothing', async () => {
  const { data, file } = await wholeFolder();
  const before = await contentOf(file);
  const url = await postgres.newDatabase();
  const cancelled = AbortSignal.abort();
  await expect(moveToDatabase(moveOptions(data, url, { signal: cancelled }))).rejects.toMatchObject(
    {
      code: 'cancelled',
    },
  );
  expect(await postgres.query('SELECT count(*)::int AS rows FROM settings', url)).toEqual([
    { rows: 0 },
  ]);
  await moveToDatabase(moveOptions(data, url));
  const elsewhere = temporaryFolder();
  await expect(
    moveFromDatabase(moveOptions(elsewhere, url, { signal: cancelled })),
  ).rejects.toMatchObject({ code: 'cancelled' });
  expect(readdirSync(elsewhere)).toEqual(['.gitignore']);
  await moveFromDatabase(moveOptions(elsewhere, url));
  const [one, other] = [before, await contentOf(join(elsewhere, 'weir.db'))];
  expect(other['events']).toEqual(one['events']);
});

test('a move that was cut off while it ended is finished, or is undone, by the same command', async () => {
  const { data, file } = await wholeFolder();
  const url = await postgres.newDatabase();
  const { port, pathname } = new URL(url);
  const mark = {
    to: `postgres://127.0.0.1:${port}${pathname}`,
    id: 'never-arrived',
    state: 'moving',
    at: '2026-01-01T00:00:00.000Z',
  } as const;
  markMoved(file, mark);
  await expect(open(file)).rejects.toThrow(/was cut off while it ended: run "weir db move --to/);
  await expect(moveToDatabase(moveOptions(data, url))).resolves.toBeDefined();
  // The database has it, and the folder does not know.
  const [row] = await postgres.query(`SELECT value FROM settings WHERE key = 'moved_from'`, url);
  markMoved(file, { ...mark, id: String(row?.['value']) });
  await expect(moveToDatabase(moveOptions(data, url))).resolves.toBeUndefined();
  await expect(open(file)).rejects.toThrow(/was moved to/);
});
