/** Rules of deliveries and their attempts. */
import { expect } from 'vitest';
import type { AttemptRecord, DeliveryRecord } from '../../src/runtime/store/history/deliveries.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { event, fenceOf, run, take, webhook, ownerOf } from '../support/records.ts';
import { oneSource, topic } from './rules.ts';

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
  const fence = await fenceOf(store, delivery.emitterId);
  return store.deliveries.record(fence, delivery, made, next);
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
    const message = { emitId: 'emit-2-0', payload: '{"id":"2-0"}', hops: 1 };
    const delivery = await store.deliveries.get(second);
    expect(await store.deliveries.outgoing(second)).toEqual({ delivery, message });
    await store.events.delete(await ownerOf(store, 'dc_1'), { start: '2-0', end: '2-0' });
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
    const fence = await fenceOf(store, 'dc_1');
    await store.sources.delete('dc_1');
    if (delivery === undefined) throw new Error('There is no delivery.');
    await store.deliveries.record(fence, delivery, attempt(503), { status: 'retrying', nextAt: 9 });
    expect(await store.deliveries.get(first)).toBeUndefined();
    expect(await store.deliveries.attempts(first)).toEqual([]);
  });
});
