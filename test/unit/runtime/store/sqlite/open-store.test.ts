import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import initSqlJs from 'sql.js';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { latestVersion, migrate } from '../../../../../src/runtime/store/sqlite/migrations.ts';
import { Connection } from '../../../../../src/runtime/store/sqlite/wasm/connection.ts';
import { HostFiles } from '../../../../../src/runtime/store/sqlite/wasm/host-files.ts';
import { diskIo } from '../../../../../src/runtime/store/sqlite/wasm/io.ts';
import { loadSqlite } from '../../../../../src/runtime/store/sqlite/wasm/sqlite.ts';
import { event, run, source, take } from '../../../../support/records.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { open, sqlJs } from '../../../../support/open-store.ts';
import { newStore, storeWithSource } from '../../../../support/store.ts';

/** What plain SQLite makes of a file: sql.js in memory. */
async function plainly(file: string, sql: string): Promise<unknown[]> {
  const { Database } = await initSqlJs();
  const db = new Database(fs.readFileSync(file));
  try {
    return db.exec(sql)[0]?.values.flat() ?? [];
  } finally {
    db.close();
  }
}

/** What another program makes of a file, with locks, journals and all. */
function python(file: string, sql: string): { stdout: string; stderr: string } {
  const script = `import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall())`;
  return spawnSync('python3', ['-c', script, file, sql], { encoding: 'utf8' });
}
const hasPython = python(':memory:', 'SELECT 1').stdout.startsWith('[(1');

describe('a live store', () => {
  test('is refused to others, before and after a crash, and not harmed by their try', async () => {
    const { store, file } = await storeWithSource();
    await run(store, { events: [event('1-0')] });
    await expect(plainly(file, 'SELECT 1 FROM events')).rejects.toThrow(/not a database/);
    expect(fs.existsSync(`${file}.live-wal`)).toBe(true);

    const crashed = join(temporaryFolder(), 'weir.db');
    fs.copyFileSync(file, crashed);
    fs.copyFileSync(`${file}.live-wal`, `${crashed}.live-wal`);
    await expect(plainly(crashed, 'SELECT 1 FROM events')).rejects.toThrow(/not a database/);
    const recovered = await open(crashed);
    expect((await take(recovered, 'dc_1')).newestEvent).toEqual({ ms: 1, seq: 0 });
    await recovered.close();
  });

  test('is an ordinary file when it was closed', async () => {
    const { store, file } = await storeWithSource();
    await run(store, { events: [event('1-0')] });
    await store.close();
    expect(fs.readdirSync(dirname(file))).toEqual(['weir.db', 'weir.db.checked']);
    expect(await plainly(file, 'PRAGMA integrity_check')).toEqual(['ok']);
    expect(await plainly(file, 'SELECT payload FROM events')).toEqual(['{"id":"1-0"}']);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a newer SQLite finds nothing wrong with it but the search index, which it cannot check', async () => {
    const { store, file } = await storeWithSource();
    await run(store, { events: [event('1-0')] });
    await store.close();
    const db = new DatabaseSync(file, { readOnly: true });
    const found = db.prepare('PRAGMA integrity_check').all();
    db.close();
    // Any FTS4 index without text of its own, since SQLite 3.44 (docs/reliability.md, "Backups").
    const index =
      /^(ok|unable to validate the inverted index for FTS4 table main\.event_text: .+)$/;
    expect(found).toEqual([{ integrity_check: expect.stringMatching(index) as string }]);
  });

  test('answers nothing after it was closed, and closes once', async () => {
    const { store } = await storeWithSource();
    const write = run(store, { events: [event('1-0')] });
    const [first, second] = [store.close(), store.close()];
    await Promise.all([write, first, second]);
    await expect(store.settings.set('a', '1')).rejects.toThrow(/is closed/);
  });

  test('folds its WAL at about 8 MB, while it takes writes', async () => {
    const { store, file } = await storeWithSource();
    const payload = JSON.stringify('x'.repeat(10_000));
    const writes = Array.from({ length: 3000 }, (_, i) => event(`${i + 1}-0`, { payload }));
    let largest = 0;
    for (let i = 0; i < writes.length; i += 50) {
      await Promise.all(writes.slice(i, i + 50).map((one) => run(store, { events: [one] })));
      largest = Math.max(largest, fs.statSync(`${file}.live-wal`).size);
    }
    expect(largest).toBeGreaterThan(8_000_000);
    expect(largest).toBeLessThan(12_000_000);
    expect(fs.statSync(file).size).toBeGreaterThan(20_000_000);
    expect((await store.events.list('dc_1', { limit: 1 })).total).toBe(3000);
  });
});

test('a new store is made with few barriers, as each is milliseconds of the first deploy', async () => {
  let barriers = 0;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      barriers++;
      return call(...args);
    };
  const store = await open(join(temporaryFolder(), 'weir.db'), {
    ...fs,
    fsyncSync: counted(fs.fsyncSync),
    fdatasyncSync: counted(fs.fdatasyncSync),
    fdatasync: counted(fs.fdatasync) as typeof fs.fdatasync,
  });
  onTestFinished(() => store.close());
  expect(barriers).toBeGreaterThan(2);
  expect(barriers).toBeLessThanOrEqual(12);
});

test('a damaged store is refused in one line that names it', async () => {
  const { store, file } = await storeWithSource();
  await store.close();
  const disk = fs.openSync(file, 'r+');
  fs.writeSync(disk, Buffer.alloc(8192, 0xaa), 0, 8192, 3 * 8192);
  fs.closeSync(disk);
  await expect(open(file)).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringMatching(
      /^The store .+ is damaged \([^\n*]+\): put a copy .+$/,
    ) as string,
  });
});

describe('a copy', () => {
  test('is an ordinary file of all that was written, the store goes on', async () => {
    const { store, file } = await storeWithSource();
    await run(store, { events: [event('1-0')] });
    const copy = join(dirname(file), 'copy.db');
    const pending = run(store, { events: [event('2-0')] });
    const size = await store.copyTo(copy);
    await pending;
    await run(store, { events: [event('3-0')] });
    expect(size).toBe(fs.statSync(copy).size);
    expect(await plainly(copy, 'PRAGMA integrity_check')).toEqual(['ok']);
    expect(await plainly(copy, 'SELECT ms FROM events ORDER BY ms')).toEqual([1, 2]);
    const opened = await open(copy);
    expect((await take(opened, 'dc_1')).newestEvent).toEqual({ ms: 2, seq: 0 });
    await opened.close();
  });

  test('never overwrites, and leaves nothing where it cannot be made', async () => {
    const { store, file } = await newStore();
    const taken = join(dirname(file), 'taken');
    fs.writeFileSync(taken, 'mine');
    await expect(store.copyTo(taken)).rejects.toMatchObject({ code: 'conflict' });
    expect(fs.readFileSync(taken, 'utf8')).toBe('mine');
    await expect(store.copyTo(join(dirname(file), 'no', 'copy.db'))).rejects.toMatchObject({
      code: 'bad_input',
    });
    await store.settings.set('a', '1');
  });

  test('on a full disk fails alone', async () => {
    const file = join(temporaryFolder(), 'weir.db');
    let full = false;
    const store = await open(file, {
      ...fs,
      writeSync: ((...args: Parameters<typeof fs.writeSync>) => {
        if (full) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        return fs.writeSync(...args);
      }) as typeof fs.writeSync,
    });
    onTestFinished(() => store.close());
    await store.settings.set('a', '1');
    full = true;
    const copy = join(dirname(file), 'copy.db');
    await expect(store.copyTo(copy)).rejects.toThrow(/copy.db could not be written/);
    full = false;
    expect(fs.existsSync(copy)).toBe(false);
    await store.settings.set('b', '2');
  });
});

describe('another program', () => {
  beforeEach(({ skip }) => skip(!hasPython, 'python3 is not installed'));

  test('is kept out of the live store, and reads the closed one and the copy', async () => {
    const { store, file } = await storeWithSource();
    await run(store, { events: [event('1-0')] });
    const count = 'SELECT count(*) FROM events';
    expect(python(file, count).stderr).toContain('not a database');
    const copy = join(dirname(file), 'copy.db');
    await store.copyTo(copy);
    await run(store, { events: [event('2-0')] });
    await store.close();
    expect(python(copy, count).stdout).toBe('[(1,)]\n');
    expect(python(file, count).stdout).toBe('[(2,)]\n');
  });

  test('may have put the store into WAL mode: it is taken back under the guard', async () => {
    const { store, file } = await newStore();
    await store.close();
    python(file, 'PRAGMA journal_mode = WAL');
    const again = await open(file);
    await again.settings.set('a', '1');
    expect(python(file, 'SELECT 1 FROM settings').stderr).toContain('not a database');
    await again.close();
    expect(python(file, "SELECT value FROM settings WHERE key = 'a'").stdout).toContain("('1',)");
  });
});

describe('migrations', () => {
  async function database(): Promise<Connection> {
    const files = new HostFiles(diskIo);
    files.map('/m.db', join(temporaryFolder(), 'm.db'), false);
    const db = new Connection(await loadSqlite(sqlJs, files), '/m.db', (error) => error);
    onTestFinished(() => db.close());
    return db;
  }

  test('each step runs once, in order', async () => {
    const db = await database();
    const steps = [
      ['CREATE TABLE a (x)'],
      ['INSERT INTO a VALUES (1)', 'INSERT INTO a VALUES (2)'],
    ];
    migrate(db, steps.slice(0, 1));
    migrate(db, steps);
    migrate(db, steps);
    expect(db.prepare('SELECT x FROM a').all((row) => row.number('x'))).toEqual([1, 2]);
    expect(db.pragma('user_version')).toBe(2);
  });

  test('a step that fails has not happened at all', async () => {
    const db = await database();
    expect(() =>
      migrate(db, [['CREATE TABLE a (x)'], ['INSERT INTO a VALUES (1)', 'nonsense']]),
    ).toThrow(/nonsense/);
    expect(db.pragma('user_version')).toBe(1);
    expect(db.prepare('SELECT count(*) AS n FROM a').get((row) => row.number('n'))).toBe(0);
  });

  test('a store of a newer version that was cut off is refused and not recovered', async () => {
    const { store, file } = await newStore();
    await store.close();
    const files = new HostFiles(diskIo);
    files.map('/n.db', file, true);
    const db = new Connection(await loadSqlite(sqlJs, files), '/n.db', (error) => error);
    db.pragma('locking_mode', 'EXCLUSIVE');
    db.pragma('journal_mode', 'WAL');
    db.pragma('user_version', latestVersion + 1);
    files.abandon();
    const before = [fs.readFileSync(file), fs.readFileSync(`${file}.live-wal`)];
    await expect(open(file)).rejects.toThrow(/newer version of Weir/);
    expect([fs.readFileSync(file), fs.readFileSync(`${file}.live-wal`)]).toEqual(before);
  });
});

test('two stores in one process do not share anything', async () => {
  const one = await newStore();
  const other = await newStore();
  await one.store.sources.insert(source('dc_1'));
  expect(other.store.sources.all()).toEqual([]);
});
