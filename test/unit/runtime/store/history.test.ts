import { describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../../../src/runtime/store/history/attempts.ts';
import type { DeliveryRecord } from '../../../../src/runtime/store/history/deliveries.ts';
import { Connection } from '../../../../src/runtime/store/sqlite/wasm/connection.ts';
import { HostFiles } from '../../../../src/runtime/store/sqlite/wasm/host-files.ts';
import { diskIo } from '../../../../src/runtime/store/sqlite/wasm/io.ts';
import { loadSqlite } from '../../../../src/runtime/store/sqlite/wasm/sqlite.ts';
import type { Store } from '../../../../src/runtime/store/store.ts';
import { drop, event, run, webhook } from '../../../support/records.ts';
import { sqlJs } from '../../../support/open-store.ts';
import { storeWithSource } from '../../../support/store.ts';

const ids = (rows: readonly { readonly id: string }[]) => rows.map((row) => row.id);

describe('events', () => {
  test('are listed by channel, drops only when asked for', async () => {
    const { store } = await storeWithSource();
    await run(store, {
      events: [event('1-0'), event('3-0', { channel: 'c' })],
      drops: [drop('2-0', { channel: 'c' })],
    });
    const list = (options: object) => {
      const page = store.events.list('dc_1', { limit: 10, ...options });
      return [ids(page.rows), page.total];
    };
    expect(list({})).toEqual([['3-0', '1-0'], 2]);
    expect(list({ dropped: true })).toEqual([['3-0', '2-0', '1-0'], 3]);
    expect(list({ channel: 'c' })).toEqual([['3-0'], 1]);
    expect(list({ channel: 'c', dropped: true })).toEqual([['3-0', '2-0'], 2]);
    expect(ids(store.events.after('dc_1', '1-0', 10))).toEqual(['3-0']);
    expect(store.events.get('dc_1', '2-0')?.dropped).toBe('Seen.');
    expect(store.events.get('dc_1', '2-1')).toBeUndefined();
    expect(store.events.get('dc_1', 'nonsense')).toBeUndefined();
  });

  test.each([
    ['a closed range', { start: '2-0', end: '3-0' }, ['5-0', '1-0']],
    ['from an id on', { start: '3-0' }, ['2-0', '1-0']],
    ['up to an id', { end: '2-0' }, ['5-0', '3-0']],
    ['one channel', { channel: 'c' }, ['5-0', '2-0', '1-0']],
    ['all', {}, []],
  ])('are deleted by %s', async (_name, range, left) => {
    const { store } = await storeWithSource();
    await run(store, {
      events: [event('1-0'), event('2-0'), event('3-0', { channel: 'c' }), event('5-0')],
    });
    expect(await store.events.delete('dc_1', range)).toBe(4 - left.length);
    expect(ids(store.events.list('dc_1', { limit: 10 }).rows)).toEqual(left);
    expect(store.events.lastId()).toBe('5-0');
  });
});

describe('retention', () => {
  const at = (i: number) => `${1000 + i}-0`;

  test.each([
    ['count', { count: 120, bytes: 1e9, before: 0 }, 120],
    ['bytes', { count: 1e9, bytes: 10 * 150, before: 0 }, 150],
    ['age', { count: 1e9, bytes: 1e9, before: 1000 + 60 }, 140],
    ['nothing, for the 100 newest stay', { count: 1, bytes: 1, before: 9999 }, 100],
    ['nothing, for all is within the limits', { count: 200, bytes: 1e9, before: 0 }, 200],
  ])('removes events by %s', async (_name, keep, left) => {
    const { store } = await storeWithSource();
    const payload = '"12345678"';
    const events = Array.from({ length: 200 }, (_, i) => event(at(i), { payload }));
    await run(store, { events });
    expect(await store.events.prune('dc_1', keep)).toBe(200 - left);
    const page = store.events.list('dc_1', { limit: 500 });
    expect(page.rows.map((row) => row.id)).toEqual(
      events
        .slice(200 - left)
        .map((one) => one.id)
        .toReversed(),
    );
  });

  test('counts drops apart from events', async () => {
    const { store } = await storeWithSource();
    await run(store, {
      events: [event('1-0')],
      drops: Array.from({ length: 150 }, (_, i) => drop(at(i))),
    });
    expect(await store.events.prune('dc_1', { count: 100, bytes: 1e9, before: 0 })).toBe(50);
    expect(store.events.get('dc_1', '1-0')).toBeDefined();
  });

  test('an invocation stays while one of its events does, or while it has not ended', async () => {
    const { store } = await storeWithSource();
    const unfinished = store.accept({ sourceId: 'dc_1', cause: 'manual', at: 1 });
    const withEvent = await run(store, { events: [event('1-0')] });
    const withoutEvent = await run(store);
    for (let i = 0; i < 100; i++) await run(store);
    expect(await store.invocations.prune('dc_1', { count: 1, before: 0 })).toBe(1);
    expect(store.invocations.get(withoutEvent.n)).toBeUndefined();
    expect(store.invocations.get(withEvent.n)).toBeDefined();
    expect(store.invocations.unfinished().map((one) => one.n)).toEqual([unfinished.n]);
    await store.events.delete('dc_1', {});
    expect(await store.invocations.prune('dc_1', { count: 1, before: 0 })).toBe(1);
    expect(store.invocations.get(withEvent.n)).toBeUndefined();
  });

  test('log lines go by age or count', async () => {
    const { store } = await storeWithSource();
    const lines = Array.from({ length: 300 }, (_, i) => ({
      at: i,
      kind: 'console' as const,
      level: 'info' as const,
      text: String(i),
    }));
    const made = await run(store, { logs: lines });
    expect(await store.logs.prune('dc_1', { count: 250, before: 0 })).toBe(50);
    expect(await store.logs.prune('dc_1', { count: 250, before: 120 })).toBe(70);
    expect(await store.logs.prune('dc_1', { count: 250, before: 1e9 })).toBe(80);
    const kept = store.logs.ofInvocation(made.n);
    expect([kept.length, kept[0]?.text]).toEqual([100, '200']);
  });
});

test('log lines outside an invocation stand between those of runs, newest first', async () => {
  const { store } = await storeWithSource();
  const line = (text: string) => ({ at: 1, kind: 'system', level: 'warn', text }) as const;
  const { n } = await run(store, { logs: [line('a')] });
  const id = await store.logs.append('dc_1', line('b'));
  await run(store, { logs: [line('c')] });
  const page = store.logs.list('dc_1', { limit: 2 });
  expect(page.rows.map((row) => row.text)).toEqual(['c', 'b']);
  expect(page.rows[1]).toMatchObject({ id, invocation: null, kind: 'system', level: 'warn' });
  const next = store.logs.list('dc_1', { limit: 2, after: page.end ?? '' });
  expect(next.rows).toEqual([expect.objectContaining({ text: 'a', invocation: n })]);
  await expect(store.logs.append('dc_9', line('x'))).rejects.toMatchObject({ code: 'not_found' });
});

describe('deliveries', () => {
  const attempt = (status: number | null): AttemptRecord => ({
    at: 5,
    request: { method: 'POST', url: 'http://127.0.0.1:1/', headers: { a: 'b' }, body: '{}' },
    response: status === null ? null : { status, headers: {}, body: 'x' },
    totalMs: 3,
    error: status === null ? { class: 'network', message: 'refused' } : null,
  });

  const record = (
    store: Store,
    n: number,
    tried: AttemptRecord,
    next: Pick<DeliveryRecord, 'status' | 'nextAt'>,
  ) => {
    const delivery = store.deliveries.get(n);
    if (delivery === undefined) throw new Error(`There is no delivery ${n}.`);
    return store.deliveries.record(delivery, tried, next);
  };

  async function withDeliveries() {
    const world = await storeWithSource();
    await world.store.webhooks.insert(webhook('wh_1'));
    const events = ['1-0', '2-0', '3-0'].map((id) => event(id, { webhooks: ['wh_1'] }));
    const { deliveries } = await run(world.store, { events });
    return { ...world, n: deliveries.map((one) => one.n) };
  }

  test('move on with each attempt, which is kept', async () => {
    const { store, reopen, n } = await withDeliveries();
    const [first = 0, second = 0] = n;
    const failed = await record(store, first, attempt(null), {
      status: 'retrying',
      nextAt: 99,
    });
    expect(failed).toMatchObject({
      attempts: 1,
      nextAt: 99,
      lastStatus: null,
      lastError: 'refused',
    });
    await record(store, first, attempt(200), { status: 'delivered', nextAt: null });
    await record(store, second, attempt(500), { status: 'retrying', nextAt: 7 });
    const again = await reopen();
    expect(again.deliveries.get(first)).toMatchObject({
      status: 'delivered',
      attempts: 2,
      lastStatus: 200,
    });
    expect(again.deliveries.attempts(first)).toEqual([attempt(null), attempt(200)]);
    expect(again.deliveries.open().map((one) => one.n)).toEqual(n.slice(1));
    expect(
      again.deliveries.list({ limit: 5, status: 'retrying' }).rows.map((one) => one.n),
    ).toEqual([second]);
    expect(again.deliveries.list({ limit: 2, webhookId: 'wh_1' })).toMatchObject({ total: 3 });
  });

  test('show attempts that a store before schema 4 kept, with the body within the record', async () => {
    const { store, file, reopen, n } = await withDeliveries();
    const [first = 0] = n;
    await store.close();
    const files = new HostFiles(diskIo);
    files.map('/old.db', file, false);
    const db = new Connection(await loadSqlite(sqlJs, files), '/old.db', (error) => error);
    db.prepare('INSERT INTO attempts (delivery, record) VALUES (?, ?)').run(
      first,
      JSON.stringify(attempt(200)),
    );
    db.close();
    const again = await reopen();
    expect(again.deliveries.attempts(first)).toEqual([attempt(200)]);
  });

  test('know their payload until the event is gone', async () => {
    const { store, n } = await withDeliveries();
    expect(store.deliveries.outgoing(n[1] ?? 0)?.message?.payload).toBe('{"id":"2-0"}');
    await store.events.delete('dc_1', { start: '2-0', end: '2-0' });
    expect(store.deliveries.outgoing(n[1] ?? 0)?.message).toBeUndefined();
    expect(store.deliveries.get(n[1] ?? 0)?.eventId).toBe('2-0');
  });

  test('of a webhook that is deleted are cancelled, also one whose attempt is on its way', async () => {
    const { store, n } = await withDeliveries();
    const [first = 0, second = 0] = n;
    await store.webhooks.delete('wh_1');
    expect(store.deliveries.open()).toEqual([]);
    const failed = await record(store, first, attempt(503), {
      status: 'retrying',
      nextAt: 9,
    });
    expect(failed).toMatchObject({ status: 'cancelled', nextAt: null, attempts: 1 });
    const arrived = await record(store, second, attempt(200), {
      status: 'delivered',
      nextAt: null,
    });
    expect(arrived.status).toBe('delivered');
  });

  test('that are over are pruned with their attempts, open ones stay', async () => {
    const { store, n } = await withDeliveries();
    const [first = 0, second = 0] = n;
    await record(store, second, attempt(200), { status: 'delivered', nextAt: null });
    const events = Array.from({ length: 101 }, (_, i) => event(`9-${i}`, { webhooks: ['wh_1'] }));
    await run(store, { events });
    expect(await store.deliveries.prune({ count: 1, before: 0 })).toBe(1);
    expect(store.deliveries.get(second)).toBeUndefined();
    expect(store.deliveries.attempts(second)).toEqual([]);
    expect(store.deliveries.get(first)?.status).toBe('pending');
  });
});
