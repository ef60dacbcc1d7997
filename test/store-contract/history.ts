/** Rules of what is read back: events, log lines, deliveries, data stores. */
import { expect } from 'vitest';
import type { AttemptRecord, DeliveryRecord } from '../../src/runtime/store/history/deliveries.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { drop, event, fenceOf, run, source, take, webhook } from '../support/records.ts';
import { nothing, oneSource, topic, twoSources } from './rules.ts';

const ids = <T>(rows: readonly { readonly id: T }[]) => rows.map(({ id }) => id);

export const events = topic('events', oneSource, (rule) => {
  rule('are listed by channel, drops only when asked for', async ({ store }) => {
    await run(store, {
      events: [event('1-0'), event('3-0', { channel: 'c' })],
      drops: [drop('2-0', { channel: 'c' })],
    });
    const list = async (options: object) => {
      const page = await store.events.list('dc_1', { limit: 10, ...options });
      return [ids(page.rows), page.total];
    };
    expect(await list({})).toEqual([['3-0', '1-0'], 2]);
    expect(await list({ dropped: true })).toEqual([['3-0', '2-0', '1-0'], 3]);
    expect(await list({ channel: 'c' })).toEqual([['3-0'], 1]);
    expect(await list({ channel: 'c', dropped: true })).toEqual([['3-0', '2-0'], 2]);
    expect(ids(await store.events.after('dc_1', '1-0', 10))).toEqual(['3-0']);
    expect((await store.events.get('dc_1', '2-0'))?.dropped).toBe('Seen.');
    expect(await store.events.get('dc_1', '2-1')).toBeUndefined();
    expect(await store.events.get('dc_1', 'nonsense')).toBeUndefined();
    expect(await store.events.get('dc_9', '1-0')).toBeUndefined();
  });

  rule('on reserved channels are listed when asked for', async ({ store }) => {
    await run(store, {
      events: [event('1-0')],
      notices: [event('2-0', { channel: '$errors', summary: 'boom' })],
    });
    const errors = { limit: 9, channel: '$errors' };
    expect(ids((await store.events.list('dc_1', errors)).rows)).toEqual(['2-0']);
    expect((await store.events.list('dc_1', { limit: 9, dropped: true })).total).toBe(1);
    expect(ids(await store.events.after('dc_1', '0-0', 9))).toEqual(['1-0']);
    expect((await take(store, 'dc_1')).lastInvocation?.emitted).toBe(1);
  });

  rule('are ordered by both numbers of their id, not by its text', async ({ store }) => {
    for (const id of ['9-0', '10-2', '10-10', '100-0']) await run(store, { events: [event(id)] });
    const list = async (page: object) =>
      ids((await store.events.list('dc_1', { limit: 2, ...page })).rows);
    expect(await list({})).toEqual(['100-0', '10-10']);
    expect(await list({ after: '10-10' })).toEqual(['10-2', '9-0']);
    expect(await list({ before: '9-0' })).toEqual(['10-10', '10-2']);
    expect(await list({ after: '100-0', before: '9-0' })).toEqual(['10-10', '10-2']);
    expect(ids(await store.events.after('dc_1', '10-2', 10))).toEqual(['10-10', '100-0']);
    expect(ids(await store.events.after('dc_1', '9-0', 2))).toEqual(['10-2', '10-10']);
  });

  rule('a cursor stays good when its event is gone', async ({ store }) => {
    for (const id of ['1-0', '2-0', '3-0']) await run(store, { events: [event(id)] });
    await store.events.delete('dc_1', { start: '2-0', end: '2-0' });
    const page = await store.events.list('dc_1', { limit: 5, after: '2-0' });
    expect(ids(page.rows)).toEqual(['1-0']);
  });

  for (const after of ['', 'nonsense', 'ZGNfOQ']) {
    rule(`a cursor that is of no row is refused: "${after}"`, async ({ store }) => {
      const refused = { code: 'bad_input', message: expect.stringContaining('cursor') };
      const page = { limit: 2, after };
      await expect(store.events.list('dc_1', page)).rejects.toMatchObject(refused);
      await expect(store.invocations.list('dc_1', page)).rejects.toMatchObject(refused);
      await expect(store.logs.list('dc_1', page)).rejects.toMatchObject(refused);
      await expect(store.deliveries.list(page)).rejects.toMatchObject(refused);
    });
  }

  for (const [name, range, left] of [
    ['a closed range', { start: '2-0', end: '3-0' }, ['5-0', '1-0']],
    ['from an id on', { start: '3-0' }, ['2-0', '1-0']],
    ['up to an id', { end: '2-0' }, ['5-0', '3-0']],
    ['one channel', { channel: 'c' }, ['5-0', '2-0', '1-0']],
    ['all', {}, []],
  ] as const) {
    rule(`are deleted by ${name}`, async ({ store, reopen }) => {
      await store.sources.insert(source('dc_2'));
      await run(store, { emitterId: 'dc_2', events: [event('2-0')] });
      await run(store, {
        events: [event('1-0'), event('2-0'), event('3-0', { channel: 'c' }), event('5-0')],
      });
      expect(await store.events.delete('dc_1', range)).toBe(4 - left.length);
      const again = await reopen();
      expect(ids((await again.events.list('dc_1', { limit: 10 })).rows)).toEqual(left);
      expect((await again.events.list('dc_2', { limit: 10 })).total).toBe(1);
      expect((await take(again, 'dc_1')).newestEvent).toEqual({ ms: 5, seq: 0 });
    });
  }

  rule('are counted over time, without drops', async ({ store }) => {
    const seen = ['99-0', '100-0', '109-5', '120-0', '130-0'];
    await run(store, { events: seen.map((id) => event(id)), drops: [drop('110-0')] });
    const span = { from: 100, bucketMs: 10, buckets: 3 };
    expect(await store.events.countOverTime('dc_1', span)).toEqual([2, 0, 1]);
    expect(await store.events.countOverTime('dc_9', span)).toEqual([0, 0, 0]);
  });
});

export const reads = topic('a read', twoSources, (rule) => {
  rule('sees every write that was asked for before it', async ({ store }) => {
    await store.webhooks.insert(webhook('wh_1'));
    const fence = await fenceOf(store, 'dc_1');
    const line = { at: 1, kind: 'console', level: 'info', text: 'x' } as const;
    const events = [event('1-0', { webhooks: ['wh_1'], triggers: ['dc_2'] })];
    const written = run(store, { fence, events, logs: [line] });
    expect((await store.events.list('dc_1', { limit: 9 })).total).toBe(1);
    expect(ids(await store.events.after('dc_1', '0-0', 9))).toEqual(['1-0']);
    expect((await store.logs.list('dc_1', { limit: 9 })).total).toBe(1);
    expect((await store.invocations.list('dc_2', { limit: 9 })).total).toBe(1);
    expect((await store.deliveries.list({ limit: 9 })).total).toBe(1);
    expect((await take(store, 'dc_1')).newestEvent).toEqual({ ms: 1, seq: 0 });

    const deleted = store.events.delete('dc_1', {});
    expect((await store.events.list('dc_1', { limit: 9 })).total).toBe(0);
    const appended = store.logs.append('dc_2', line);
    expect((await store.logs.list('dc_2', { limit: 9 })).total).toBe(1);
    const inserted = store.sources.insert(source('dc_3'));
    expect(store.sources.get('dc_3')?.slug).toBe('source-dc_3');
    const gone = store.sources.delete('dc_3');
    expect(store.sources.get('dc_3')).toBeUndefined();
    await Promise.all([written, deleted, appended, inserted, gone]);
  });
});

export const logs = topic('log lines', twoSources, (rule) => {
  const line = (text: string) => ({ at: 1, kind: 'system', level: 'warn', text }) as const;

  rule('outside an invocation stand between those of runs, newest first', async ({ store }) => {
    const { n } = await run(store, { logs: [line('a')] });
    const id = await store.logs.append('dc_1', line('b'));
    await run(store, { logs: [line('c')] });
    const page = await store.logs.list('dc_1', { limit: 2 });
    expect(page.rows.map((row) => row.text)).toEqual(['c', 'b']);
    const b = { ...line('b'), id, emitterId: 'dc_1', invocation: null };
    expect(page.rows[1]).toEqual(b);
    const next = await store.logs.list('dc_1', { limit: 2, after: page.end ?? '' });
    expect(next.rows).toEqual([expect.objectContaining({ text: 'a', invocation: n })]);
    await expect(store.logs.append('dc_9', line('x'))).rejects.toMatchObject({ code: 'not_found' });
  });

  rule('have ids that ascend within their emitter, after a restart too', async (opened) => {
    const { store } = opened;
    const made = await run(store, { logs: [line('a'), line('b')] });
    const [first = NaN, second = NaN] = made.logIds;
    await store.logs.append('dc_2', line('other'));
    const again = await opened.reopen();
    const third = await again.logs.append('dc_1', line('c'));
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    const after = await again.logs.after('dc_1', first, 9);
    expect(after.map(({ id, text }) => [id, text])).toEqual([
      [second, 'b'],
      [third, 'c'],
    ]);
    expect(await again.logs.after('dc_1', first, 1)).toHaveLength(1);
    expect(await again.logs.after('dc_9', 0, 9)).toEqual([]);
  });
});

const attempt = (status: number | null, manual?: boolean): AttemptRecord => ({
  at: 5,
  request: { method: 'POST', url: 'http://127.0.0.1:1/', headers: { a: 'b' }, body: '{}' },
  response: status === null ? null : { status, headers: {}, body: 'x' },
  totalMs: 3,
  phases: { dns: null, connect: 0.5, tls: null, firstByte: 2 },
  error: status === null ? { class: 'network', message: 'refused' } : null,
  ...(manual === undefined ? {} : { manual }),
});

/** As the owner would: with the delivery as it stood before. */
async function record(
  store: Store,
  n: number,
  made: AttemptRecord,
  next: Pick<DeliveryRecord, 'status' | 'nextAt'>,
) {
  const delivery = await store.deliveries.get(n);
  if (delivery === undefined) throw new Error(`There is no delivery ${n}.`);
  return store.deliveries.record(delivery, made, next);
}

/** Three events on their way to `wh_1`. */
async function emitThree(store: Store): Promise<[number, number, number]> {
  await store.webhooks.insert(webhook('wh_1'));
  const made = await run(store, {
    events: ['1-0', '2-0', '3-0'].map((id) => event(id, { webhooks: ['wh_1'] })),
  });
  const [first = 0, second = 0, third = 0] = made.deliveries.map(({ delivery }) => delivery.n);
  return [first, second, third];
}

export const deliveries = topic('deliveries', oneSource, (rule) => {
  rule('move on with each attempt, which is kept', async ({ store, reopen }) => {
    const [first, second, third] = await emitThree(store);
    const failed = await record(store, first, attempt(null), { status: 'retrying', nextAt: 99 });
    expect(failed).toMatchObject({
      attempts: 1,
      nextAt: 99,
      lastStatus: null,
      lastError: 'refused',
    });
    await record(store, first, attempt(200), { status: 'delivered', nextAt: null });
    await record(store, second, attempt(500, true), { status: 'retrying', nextAt: 7 });
    const { deliveries: again } = await reopen();
    expect(await again.get(first)).toMatchObject({
      status: 'delivered',
      attempts: 2,
      lastStatus: 200,
      lastError: null,
    });
    expect(await again.attempts(first)).toEqual([attempt(null), attempt(200)]);
    expect(await again.attempts(second)).toEqual([attempt(500, true)]);
    expect(await again.attempts(third)).toEqual([]);
    const listed = async (page: object) => {
      const { rows, total } = await again.list({ limit: 2, ...page });
      return [rows.map(({ n }) => n), total];
    };
    expect(await listed({})).toEqual([[third, second], 3]);
    expect(await listed({ after: String(second) })).toEqual([[first], 3]);
    expect(await listed({ status: 'retrying' })).toEqual([[second], 1]);
    expect(await listed({ webhookId: 'wh_1' })).toEqual([[third, second], 3]);
    expect(await listed({ webhookId: 'wh_9' })).toEqual([[], 0]);
  });

  rule('that failed are found by webhook and age, of webhooks that are there', async (opened) => {
    const { store } = opened;
    const [first, second, third] = await emitThree(store);
    await store.webhooks.insert(webhook('wh_2'));
    await run(store, { events: [event('4-0', { webhooks: ['wh_2'] })] });
    await record(store, second, attempt(null), { status: 'exhausted', nextAt: null });
    await record(store, first, attempt(null), { status: 'retrying', nextAt: 99 });
    await record(store, third, attempt(200), { status: 'delivered', nextAt: null });
    const failed = async (filter: object) =>
      (await store.deliveries.failed(filter)).map(({ n }) => n);
    expect(await failed({})).toEqual([first, second]);
    expect(await failed({ since: 2 })).toEqual([second]);
    expect(await failed({ webhookId: 'wh_2' })).toEqual([]);
    await store.webhooks.delete('wh_1');
    expect(await failed({})).toEqual([]);
  });

  rule('know what they send until the event is gone', async ({ store }) => {
    const [, second] = await emitThree(store);
    const message = { emitId: 'emit-2-0', payload: '{"id":"2-0"}' };
    const delivery = await store.deliveries.get(second);
    expect(await store.deliveries.outgoing(second)).toEqual({ delivery, message });
    await store.events.delete('dc_1', { start: '2-0', end: '2-0' });
    expect(await store.deliveries.outgoing(second)).toEqual({ delivery, message: undefined });
    expect(delivery?.eventId).toBe('2-0');
    expect(await store.deliveries.ofEvent('dc_1', '2-0')).toEqual([delivery]);
    expect(await store.deliveries.ofEvent('dc_9', '2-0')).toEqual([]);
    expect(await store.deliveries.ofEvent('dc_1', 'nonsense')).toEqual([]);
    expect(await store.deliveries.outgoing(1e9)).toBeUndefined();
  });

  rule('of a webhook that is deleted are cancelled, also one on its way', async (opened) => {
    const { store } = opened;
    const [first, second, third] = await emitThree(store);
    await store.webhooks.delete('wh_1');
    expect((await take(store, 'dc_1')).openDeliveries).toEqual([]);
    expect((await store.deliveries.get(third))?.status).toBe('cancelled');
    const failed = await record(store, first, attempt(503), { status: 'retrying', nextAt: 9 });
    expect(failed).toMatchObject({ status: 'cancelled', nextAt: null, attempts: 1 });
    const arrived = await record(store, second, attempt(200), {
      status: 'delivered',
      nextAt: null,
    });
    expect(arrived.status).toBe('delivered');
    const again = await opened.reopen();
    expect(await again.deliveries.get(first)).toEqual(failed);
    expect(await again.deliveries.get(second)).toEqual(arrived);
  });

  rule('of an emitter that is deleted leave nothing, also one on its way', async ({ store }) => {
    const [first] = await emitThree(store);
    const delivery = await store.deliveries.get(first);
    await store.sources.delete('dc_1');
    if (delivery === undefined) throw new Error('There is no delivery.');
    await store.deliveries.record(delivery, attempt(503), { status: 'retrying', nextAt: 9 });
    expect(await store.deliveries.get(first)).toBeUndefined();
    expect(await store.deliveries.attempts(first)).toEqual([]);
  });
});

export const dataStores = topic('data stores', nothing, (rule) => {
  const record = { id: 'ds_1', name: 'one', createdAt: 1 };

  rule('one of a name is made once', async ({ store, reopen }) => {
    const asked = ['ds_1', 'ds_2'].map((id) => store.dataStores.ensure({ ...record, id }));
    expect(await Promise.all(asked)).toEqual([record, record]);
    await store.dataStores.ensure({ id: 'ds_3', name: 'other', createdAt: 2 });
    const { dataStores: again } = await reopen();
    expect(again.find('ds_1')).toEqual(record);
    expect(again.find('one')).toEqual(record);
    expect(again.find('ds_2')).toBeUndefined();
    expect(again.list({ limit: 1 })).toMatchObject({ rows: [record], total: 2 });
  });

  rule('keep values by key, in the order of the keys', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    await store.dataStores.ensure({ id: 'ds_2', name: 'other', createdAt: 2 });
    for (const key of ['b', 'é', '🚰', 'B', '', '__proto__', '\uFFFD']) {
      await store.dataStores.set('ds_1', [key, `"${key}"`], null, 1);
    }
    await store.dataStores.set('ds_1', ['b', '2'], null, 1);
    await store.dataStores.set('ds_2', ['b', '3'], null, 1);
    const { dataStores: again } = await reopen();
    const keys = async (after: string | null, limit: number) =>
      (await again.entries('ds_1', 1, { after, limit })).map(([key]) => key);
    // By code points, not by UTF-16 units and not by any language.
    expect(await keys(null, 9)).toEqual(['', 'B', '__proto__', 'b', 'é', '\uFFFD', '🚰']);
    expect(await keys('B', 2)).toEqual(['__proto__', 'b']);
    expect(await again.value('ds_1', 'b', 1)).toBe('2');
    expect(await again.value('ds_2', 'b', 1)).toBe('3');
    expect(await again.value('ds_1', 'c', 1)).toBeUndefined();
    expect(await again.count('ds_1', 1)).toBe(7);
    await again.deleteKey('ds_1', 'b');
    expect(await again.count('ds_1', 1)).toBe(6);
    await again.clear('ds_1');
    expect(await again.entries('ds_1', 1, { after: null, limit: 9 })).toEqual([]);
    expect(await again.count('ds_2', 1)).toBe(1);
  });

  rule('what has expired is not there', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    await store.dataStores.set('ds_1', ['a', '1'], 10, 1);
    await store.dataStores.set('ds_1', ['b', '2'], null, 1);
    const { dataStores: again } = await reopen();
    expect(await again.value('ds_1', 'a', 9)).toBe('1');
    expect(await again.value('ds_1', 'a', 10)).toBeUndefined();
    expect(await again.count('ds_1', 10)).toBe(1);
    expect(await again.entries('ds_1', 10, { after: null, limit: 9 })).toEqual([['b', '2']]);
    // Too late to be kept longer.
    await again.setExpiry('ds_1', 'a', 99, 10);
    expect(await again.value('ds_1', 'a', 10)).toBeUndefined();
    await again.setExpiry('ds_1', 'b', 20, 10);
    expect(await again.count('ds_1', 20)).toBe(0);
    await again.setExpiry('ds_1', 'b', null, 19);
    expect(await again.count('ds_1', 20)).toBe(1);
  });

  rule('go with what they keep', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    await store.dataStores.set('ds_1', ['a', '1'], null, 1);
    await store.dataStores.delete('ds_1');
    const { dataStores: again } = await reopen();
    expect(again.find('one')).toBeUndefined();
    expect(await again.count('ds_1', 1)).toBe(0);
    expect(await again.ensure({ ...record, id: 'ds_2' })).toEqual({ ...record, id: 'ds_2' });
  });
});
