/** Several runtimes on one PostgreSQL, and what becomes of their writes when connections and servers go. */
import { expect, onTestFinished, test } from 'vitest';
import { Client } from 'pg';
import { systemClock } from '../../src/runtime/base/clock.ts';
import { joinPostgres, openPostgresStore } from '../../src/runtime/store/postgres/open-store.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { event, fenceOf, run, source, take } from '../support/records.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const postgres = await startPostgres(atEndOfSuite());

async function node(url: string, leaseMs: number, server: TestPostgres = postgres) {
  const proxy = await tcpProxy(() => server.port);
  const { pathname } = new URL(url);
  const store = await openPostgresStore({
    url: `postgres://weir@127.0.0.1:${proxy.port}${pathname}`,
    clock: systemClock,
    version: 'test',
    leaseMs,
  });
  onTestFinished(() => store.close().catch(() => undefined));
  return { store, proxy };
}

const increment = (i: number) => ({
  events: [event(`${i}-0`)],
  db: [{ prop: 'db', key: 'count', json: String(i) }],
});

test('(15) what a node owns no other takes, as long as it is heard of', async () => {
  const url = await postgres.newDatabase();
  const one = await node(url, 500);
  await one.store.sources.insert(source('dc_1'));
  const other = await node(url, 500);
  await expect(take(other.store, 'dc_1')).rejects.toMatchObject({ code: 'conflict' });
  await run(one.store, increment(1));
  await one.store.close();
  expect(await take(other.store, 'dc_1')).toMatchObject({
    released: true,
    db: { db: { count: '1' } },
  });
});

test('(4) who was cut off for longer than its lease is replaced, and writes nothing more', async () => {
  const url = await postgres.newDatabase();
  const one = await node(url, 500);
  await one.store.sources.insert(source('dc_1'));
  await run(one.store, increment(1));
  const { fence } = await take(one.store, 'dc_1');
  const other = await node(url, 500);
  one.proxy.cut();
  const late = run(one.store, { fence, ...increment(2) });
  late.catch(() => undefined);
  const taken = await take(other.store, 'dc_1');
  expect(taken).toMatchObject({ released: false, db: { db: { count: '1' } } });
  expect(taken.fence).toBeGreaterThan(fence);
  one.proxy.mend();
  await expect(late).rejects.toMatchObject({ code: 'store_failed' });
  expect(one.store.failure?.message).toContain('taken over');
  await run(other.store, increment(3));
  expect((await other.store.events.after('dc_1', '0-0', 9)).map(({ id }) => id)).toEqual([
    '1-0',
    '3-0',
  ]);
});

test('(11) a connection that is lost at any moment loses and doubles nothing', async () => {
  const url = await postgres.newDatabase();
  const { store, proxy } = await node(url, 20_000);
  await store.sources.insert(source('dc_1'));
  const fence = await fenceOf(store, 'dc_1');
  const all: Promise<unknown>[] = [];
  const total = 300;
  for (let i = 1; i <= total; i++) {
    all.push(run(store, { fence, ...increment(i) }));
    if (i % 20 === 0) {
      // Some groups are asked for, under way, or answered.
      for (let turns = i / 20; turns > 0; turns--) await new Promise((next) => setImmediate(next));
      proxy.cut();
      proxy.mend();
    }
  }
  await Promise.all(all);
  const ids = (await store.events.after('dc_1', '0-0', 1000)).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: total }, (_, i) => `${i + 1}-0`));
  const rows = await postgres.query(
    'SELECT (SELECT count(*) FROM accepted)::int AS accepted, (SELECT count(*) FROM ends)::int AS ends',
    url,
  );
  expect(rows).toEqual([{ accepted: total, ends: total }]);
});

test('(13) a kill -9 of PostgreSQL loses nothing that was acknowledged, and nobody is replaced', async () => {
  const own = await startPostgres();
  const url = await own.newDatabase();
  const { store } = await node(url, 1000, own);
  await store.sources.insert(source('dc_1'));
  const fence = await fenceOf(store, 'dc_1');
  let acknowledged = 0;
  const all = Array.from({ length: 50 }, (_, i) =>
    run(store, { fence, ...increment(i + 1) }).then(() => (acknowledged += 1)),
  );
  await until('the first to be acknowledged', () => acknowledged > 0);
  await own.kill();
  const later = run(store, { fence, ...increment(51) });
  await own.start();
  await Promise.all([...all, later]);
  expect((await store.events.after('dc_1', '0-0', 100)).map(({ id }) => id)).toHaveLength(51);
  expect(store.failure).toBeUndefined();
});

/** Holds a write of the setting `held` in the middle of its transaction, until it is let go. */
async function holdSetting(url: string): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query(`BEGIN; INSERT INTO settings (key, value) VALUES ('held', 'by another')`);
  return async () => void (await holder.query('ROLLBACK'));
}

test('(8) who fences a node waits for its commit under way, which is whole', async () => {
  const url = await postgres.newDatabase();
  const options = { clock: systemClock, version: 'test', leaseMs: 5000 };
  const [one, other] = [
    await joinPostgres({ url, ...options }),
    await joinPostgres({ url, ...options }),
  ];
  onTestFinished(async () => {
    await Promise.allSettled([one.leave(), other.leave()]);
  });
  const store = await one.openStore();
  const letGo = await holdSetting(url);
  const committed = store.settings.set('held', 'here');
  await until('the commit to wait', async () => {
    const rows = await postgres.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'weir writes'`,
      url,
    );
    return rows.length > 0;
  });
  const ended: string[] = [];
  const fenced = other.fence(one.id).then(() => ended.push('fenced'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(ended).toEqual([]);
  await letGo();
  await Promise.all([committed, fenced]);
  await expect(store.settings.set('late', '1')).rejects.toMatchObject({ code: 'store_failed' });
  expect(await postgres.query('SELECT key, value FROM settings', url)).toEqual([
    { key: 'held', value: 'here' },
  ]);
});

test('(14) no time limit of the server ends a write that waits', async () => {
  const url = await postgres.newDatabase();
  const name = new URL(url).pathname.slice(1);
  await postgres.query(`ALTER DATABASE ${name} SET statement_timeout = '100ms'`, url);
  await postgres.query(`ALTER DATABASE ${name} SET lock_timeout = '100ms'`, url);
  const { store } = await node(url, 5000);
  const letGo = await holdSetting(url);
  const committed = store.settings.set('held', 'here');
  await new Promise((resolve) => setTimeout(resolve, 500));
  await letGo();
  await committed;
  expect(await postgres.query('SELECT value FROM settings', url)).toEqual([{ value: 'here' }]);
});

test('(9) a write that the server refuses hurts no other of its group', async () => {
  const url = await postgres.newDatabase();
  const one = await node(url, 5000);
  const other = await node(url, 5000);
  await one.store.sources.insert(source('dc_1'));
  const results = await Promise.allSettled([
    other.store.settings.set('a', '1'),
    other.store.sources.insert(source('dc_1')),
    other.store.settings.set('b', '2'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: 'conflict' } });
  expect(await postgres.query('SELECT key FROM settings ORDER BY key', url)).toEqual([
    { key: 'a' },
    { key: 'b' },
  ]);
});

test('(24) a database of a newer version is left as it is', async () => {
  const url = await postgres.newDatabase();
  await (await node(url, 5000)).store.close();
  await postgres.query('UPDATE schema_version SET version = 999', url);
  await expect(node(url, 5000)).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining('newer version') as string,
  });
  expect(await postgres.query('SELECT * FROM nodes', url)).toEqual([]);
});
