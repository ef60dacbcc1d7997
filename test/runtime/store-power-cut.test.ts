import fs from 'node:fs';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { expect, onTestFinished, test } from 'vitest';
import { event, run, source } from '../support/records.ts';
import { temporaryFolder } from '../support/folder.ts';
import { open } from '../support/open-store.ts';
import {
  type Barriers,
  PowerDisk,
  randomFrom,
  type Remains,
  writeRemains,
} from '../support/power-disk.ts';

/**
 * The power fails at a random moment of a load that goes through several checkpoints; what came after
 * the last barrier is there in part, torn, or not at all. `WEIR_CUTS=100` for the long run.
 */
const cuts = Number(process.env['WEIR_CUTS'] ?? 12);
const seed = Number(process.env['WEIR_SEED'] ?? 1);

interface Cut {
  readonly acknowledged: number;
  readonly remains: Remains;
}

async function load(barriers: Barriers, cuts: number): Promise<Cut[]> {
  const random = randomFrom(seed);
  const disk = new PowerDisk(barriers);
  const store = await open(join(temporaryFolder(), 'weir.db'), disk.io);
  onTestFinished(() => store.close());
  await store.sources.insert(source('dc_1'));

  const payload = JSON.stringify('x'.repeat(9000));
  let acknowledged = 0;
  const made: Cut[] = [];
  disk.onCall = () => {
    if (made.length < cuts && random() < 0.02)
      made.push({ acknowledged, remains: disk.cut(random) });
  };
  for (let next = 1; made.length < cuts; next += 8) {
    const ids = Array.from({ length: 8 }, (_, i) => next + i);
    await Promise.all(ids.map((id) => run(store, { events: [event(`${id}-0`, { payload })] })));
    acknowledged = next + 7;
  }
  disk.onCall = () => undefined;
  return made;
}

/** How many acknowledged events are gone after the cut; all of them when nothing can be opened. */
async function lost({ acknowledged, remains }: Cut): Promise<number> {
  const folder = temporaryFolder();
  const file = join(folder, 'weir.db');
  writeRemains(folder, remains);
  const store = await open(file);
  const { total } = await store.events.list('dc_1', { limit: 1 });
  await store.close();
  const { Database } = await initSqlJs();
  const db = new Database(fs.readFileSync(file));
  expect(db.exec('PRAGMA integrity_check')[0]?.values).toEqual([['ok']]);
  db.close();
  // Ids are 1, 2, 3, …: all are there when there are enough of them.
  return Math.max(0, acknowledged - total);
}

test(
  `nothing that was acknowledged is lost in ${cuts} power cuts`,
  { timeout: 20_000 + cuts * 1000 },
  async () => {
    const made = await load('kept', cuts);
    expect(made.at(-1)?.acknowledged).toBeGreaterThan(500);
    for (const cut of made) expect(await lost(cut)).toBe(0);
  },
);

test(
  'a disk without barriers loses events: the test above can fail',
  { timeout: 60_000 },
  async () => {
    const made = await load('none', 12);
    const outcomes = await Promise.all(made.map((cut) => lost(cut).catch(() => cut.acknowledged)));
    expect(outcomes.filter((count) => count > 0).length).toBeGreaterThan(6);
  },
);

test('nothing is lost when it fails while the store is made, opened or closed', async () => {
  const random = randomFrom(seed);
  const disk = new PowerDisk();
  const file = join(temporaryFolder(), 'weir.db');
  const made: Cut[] = [];
  let acknowledged = 0;
  disk.onCall = () => {
    // There are some 120 moments; the long run tries each.
    if (cuts > 100 || random() < 0.2) made.push({ acknowledged, remains: disk.cut(random) });
  };
  for (const id of ['1-0', '2-0']) {
    const store = await open(file, disk.io);
    if (store.sources.get('dc_1') === undefined) await store.sources.insert(source('dc_1'));
    await run(store, { events: [event(id)] });
    acknowledged++;
    await store.close();
  }
  disk.onCall = () => undefined;
  expect(made.length).toBeGreaterThan(10);
  for (const cut of made) expect(await lost(cut)).toBe(0);
});

test('a store that is made is whole or not there, whenever the power fails', async () => {
  const random = randomFrom(seed);
  const disk = new PowerDisk();
  const made: Remains[] = [];
  disk.onCall = () => made.push(disk.cut(random));
  const store = await open(join(temporaryFolder(), 'weir.db'), disk.io);
  disk.onCall = () => undefined;
  await store.close();
  const found = { whole: 0, none: 0 };
  for (const remains of made) {
    found[remains.has('weir.db') ? 'whole' : 'none']++;
    expect(await lost({ acknowledged: 0, remains })).toBe(0);
  }
  expect(found.whole).toBeGreaterThan(2);
  expect(found.none).toBeGreaterThan(0);
});
