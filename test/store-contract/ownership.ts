/** Rules of ownership: what an owner is handed, and that nobody but the owner writes. */
import { expect } from 'vitest';
import type { EmitterOwner } from '../../src/runtime/store/emitter-owner.ts';
import type { TakenEmitter } from '../../src/runtime/store/ownership.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { drop, event, fenceOf, ownerOf, run, source, take, webhook } from '../support/records.ts';
import { topic, twoSources } from './rules.ts';

async function takeAll(store: Store): Promise<ReadonlyMap<string, TakenEmitter>> {
  const all = new Map<string, TakenEmitter>();
  await store.ownership.takeAll((taken) => {
    expect(all.has(taken.id)).toBe(false);
    all.set(taken.id, taken);
  });
  return all;
}

export const taking = topic('taking an emitter', twoSources, (rule) => {
  rule('tells all that its owner has to know', async ({ store, reopen }) => {
    await store.webhooks.insert(webhook('wh_1'));
    const trigger = { kind: 'event', json: '{"a":1}' } as const;
    const first = await run(store, {
      events: [
        event('5-0', { webhooks: ['wh_1'], triggers: ['dc_2'] }),
        event('5-1', { webhooks: ['wh_1'] }),
      ],
      drops: [drop('5-2')],
      db: [{ prop: 'db', key: 'k', json: '1' }],
      dedupe: { strategy: 'unique', append: ['a', 'b'] },
    });
    const { fence } = await take(store, 'dc_1');
    const open = store.accept({ emitterId: 'dc_1', fence, cause: 'http', trigger, at: 9 });
    await open.durable;

    const again = await reopen();
    const all = await takeAll(again);
    expect([...all.keys()].toSorted()).toEqual(['dc_1', 'dc_2']);
    const last = await again.invocations.get(open.n);
    expect(all.get('dc_1')).toEqual({
      id: 'dc_1',
      fence: expect.any(Number),
      released: true,
      db: { db: { k: '1' } },
      dedupe: { strategy: 'unique', ids: ['a', 'b'] },
      newestEvent: { ms: 5, seq: 2 },
      lastInvocation: last,
      unfinished: [{ record: last, trigger: { ...trigger, json: '' } }],
      openDeliveries: first.deliveries.map(({ delivery }) => delivery),
      waitingEmits: { count: 0, bytes: 0, nextAt: undefined },
      pendingSends: [],
    });
    const triggered = await again.invocations.get(first.triggered[0]?.n ?? 0);
    expect(all.get('dc_2')).toEqual({
      id: 'dc_2',
      fence: expect.any(Number),
      released: true,
      db: {},
      dedupe: { strategy: null, ids: [] },
      newestEvent: undefined,
      lastInvocation: triggered,
      unfinished: [{ record: triggered, trigger: { kind: 'event', json: '' } }],
      openDeliveries: [],
      waitingEmits: { count: 0, bytes: 0, nextAt: undefined },
      pendingSends: [],
    });
  });

  rule(
    'tells a clean end from a crash, and which runs had begun before a clean one',
    async (opened) => {
      const { fence } = await take(opened.store, 'dc_1');
      const begun = opened.store.accept({ emitterId: 'dc_1', fence, cause: 'manual', at: 1 });
      const waiting = opened.store.accept({ emitterId: 'dc_1', fence, cause: 'manual', at: 2 });
      await waiting.durable;
      await opened.store.invocations.markCutOff(await ownerOf(opened.store, 'dc_1'), [begun.n]);
      const left = async (store: Store) => {
        const { released, unfinished } = await take(store, 'dc_1');
        return [released, unfinished.map(({ record }) => record.status)];
      };
      expect(await left(await opened.reopen())).toEqual([true, ['running', 'queued']]);
      await opened.store.invocations.retry(await ownerOf(opened.store, 'dc_1'), [begun.n]);
      expect(await left(await opened.crash(() => 1))).toEqual([false, ['queued', 'queued']]);
      expect(await left(await opened.reopen())).toEqual([true, ['queued', 'queued']]);
    },
  );

  rule('tells how a run was marked after a death; what has ended is not', async (opened) => {
    const { fence } = await take(opened.store, 'dc_1');
    const accept = { emitterId: 'dc_1', fence, cause: 'manual' } as const;
    const [one, other] = [1, 2].map((at) => opened.store.accept({ ...accept, at }).n);
    const ended = await run(opened.store, { status: 'failed' });
    const owner = await ownerOf(opened.store, 'dc_1');
    const { invocations } = opened.store;
    const alone = { attempt: 2, isAlone: true, outlived: 0 };
    await invocations.markSuspects(owner, [
      { n: one!, ...alone },
      { n: ended.n, ...alone },
    ]);
    // That others may begin is written only of one that is marked as alone.
    const besides = { attempt: 3, isAlone: false, outlived: 1 };
    await invocations.markSuspects(owner, [{ n: other!, ...besides }]);
    expect(await invocations.get(one!)).toMatchObject({ status: 'queued', attempt: 2 });
    expect(await invocations.get(ended.n)).toMatchObject({ status: 'failed', attempt: 1 });
    const left = async (store: Store) =>
      (await take(store, 'dc_1')).unfinished.map(
        ({ record: { n, status, attempt }, suspicion }) => [n, status, attempt, suspicion],
      );
    const crashed = await opened.crash(() => 1);
    expect(await left(crashed)).toEqual([
      [one, 'queued', 2, { isAlone: true, outlived: 0 }],
      [other, 'queued', 1, undefined],
    ]);
    await crashed.invocations.markSuspects(await ownerOf(crashed, 'dc_1'), [
      { n: one!, ...besides },
    ]);
    expect(await left(await opened.reopen())).toEqual([
      [one, 'queued', 3, { isAlone: false, outlived: 1 }],
      [other, 'queued', 1, undefined],
    ]);
  });

  rule('what has ended was not cut off', async ({ store, reopen }) => {
    const ended = await run(store, { status: 'failed' });
    await store.invocations.markCutOff(await ownerOf(store, 'dc_1'), [ended.n]);
    const again = await reopen();
    expect(await again.invocations.get(ended.n)).toMatchObject({ status: 'failed' });
    expect((await take(again, 'dc_1')).unfinished).toEqual([]);
  });

  rule('tells nothing when there is no emitter', async ({ store, reopen }) => {
    for (const { id } of store.sources.all()) await store.sources.delete(id);
    expect((await takeAll(await reopen())).size).toBe(0);
  });

  rule('one that was made later is taken by itself', async ({ store }) => {
    await takeAll(store);
    await store.sources.insert(source('dc_3'));
    expect(await take(store, 'dc_3')).toMatchObject({ id: 'dc_3', newestEvent: undefined });
    await run(store, { emitterId: 'dc_3' });
  });

  rule('one that is not there is refused', async ({ store }) => {
    await expect(take(store, 'dc_9')).rejects.toMatchObject({ code: 'not_found' });
  });

  rule('knows the newest event id when no row tells it any more', async ({ store, reopen }) => {
    await run(store, { events: [event('50-3')] });
    await run(store, { emitterId: 'dc_2', events: [event('10-10'), event('9-99')] });
    await store.events.delete(await ownerOf(store, 'dc_1'), {});
    expect((await take(store, 'dc_1')).newestEvent).toEqual({ ms: 50, seq: 3 });
    const again = await reopen();
    expect((await take(again, 'dc_1')).newestEvent).toEqual({ ms: 50, seq: 3 });
    expect((await take(again, 'dc_2')).newestEvent).toEqual({ ms: 10, seq: 10 });
    // Deleted once more, with nothing new in between.
    await again.events.delete(await ownerOf(again, 'dc_1'), {});
    expect((await take(await reopen(), 'dc_1')).newestEvent).toEqual({ ms: 50, seq: 3 });
  });

  rule('hands out open deliveries in the order of emission', async ({ store, reopen }) => {
    for (const id of ['wh_1', 'wh_2']) await store.webhooks.insert(webhook(id));
    const emit = (emitterId: string, ...ids: readonly string[]) =>
      run(store, {
        emitterId,
        events: ids.map((id) => event(id, { webhooks: ['wh_2', 'wh_1'] })),
      });
    await emit('dc_1', '9-0', '10-0');
    await emit('dc_2', '1-0');
    await emit('dc_1', '10-1');
    const again = await reopen();
    const { openDeliveries } = await take(again, 'dc_1');
    expect(openDeliveries.map(({ eventId, webhookId }) => `${eventId} ${webhookId}`)).toEqual(
      ['9-0', '10-0', '10-1'].flatMap((id) => [`${id} wh_2`, `${id} wh_1`]),
    );
    expect((await takeAll(again)).get('dc_2')?.openDeliveries).toHaveLength(2);
  });

  rule('does not hand out deliveries that are over', async ({ store, reopen }) => {
    for (const id of ['wh_1', 'wh_2']) await store.webhooks.insert(webhook(id));
    const { deliveries } = await run(store, {
      events: ['1-0', '2-0', '3-0'].map((id) => event(id, { webhooks: ['wh_1', 'wh_2'] })),
    });
    const [delivered, , retrying, , exhausted] = deliveries.map(({ delivery }) => delivery);
    const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: {}, body: '' };
    const attempt = { at: 1, request, response: null, totalMs: 1, error: null };
    for (const [delivery, status, nextAt] of [
      [delivered, 'delivered', null],
      [retrying, 'retrying', 99],
      [exhausted, 'exhausted', null],
    ] as const) {
      if (delivery)
        await store.deliveries.record(await fenceOf(store, 'dc_1'), delivery, attempt, {
          status,
          nextAt,
        });
    }
    await store.webhooks.delete('wh_2');
    const { openDeliveries } = await take(await reopen(), 'dc_1');
    expect(openDeliveries).toEqual([{ ...retrying, status: 'retrying', nextAt: 99, attempts: 1 }]);
  });
});

export const fences = topic('a fence', twoSources, (rule) => {
  rule('of the next owner is greater', async ({ store, reopen, crash }) => {
    const first = (await takeAll(store)).get('dc_1')?.fence ?? NaN;
    const second = (await takeAll(await reopen())).get('dc_1')?.fence ?? NaN;
    expect(second).toBeGreaterThan(first);
    const third = (await take(await crash(() => 0), 'dc_1')).fence;
    expect(third).toBeGreaterThan(second);
  });

  rule('that is stale writes nothing', async ({ store, reopen }) => {
    const stale = (await take(store, 'dc_1')).fence;
    const timer = { id: 'ti_1', prop: 't', kind: 'timer', intervalSeconds: 9, nextAt: 5 } as const;
    await store.sources.replace(source('dc_1', { interfaces: [timer] }));
    const before = await run(store, { db: [{ prop: 'db', key: 'k', json: '1' }] });
    const again = await reopen();
    await again.webhooks.insert(webhook('wh_1'));
    const { fence } = await take(again, 'dc_1');
    const conflict = { code: 'conflict' };
    const asked = { emitterId: 'dc_1', cause: 'timer', at: 1 } as const;
    const tick = { interfaceId: 'ti_1', nextAt: 77 };
    const effect = {
      emitterId: 'dc_1',
      status: 'succeeded',
      startedAt: 1,
      endedAt: 2,
      events: [event('5-0', { webhooks: ['wh_1'], triggers: ['dc_2'] })],
      drops: [drop('5-1')],
      notices: [event('5-2', { channel: '$errors' })],
      db: [{ prop: 'db', key: 'k', json: '2' }],
      dedupe: { strategy: 'unique', append: ['a'] },
      logs: [{ at: 1, kind: 'console', level: 'info', text: 'x' }],
    } as const;
    const { n } = again.accept({ ...asked, fence });
    for (const wrong of [stale, fence + 1]) {
      expect(() => again.accept({ ...asked, tick, fence: wrong })).toThrow(
        expect.objectContaining(conflict),
      );
      await expect(again.commit({ ...effect, n, fence: wrong })).rejects.toMatchObject(conflict);
    }
    const taken = await take(again, 'dc_1');
    expect(taken).toMatchObject({
      db: { db: { k: '1' } },
      dedupe: { strategy: null, ids: [] },
      newestEvent: undefined,
      openDeliveries: [],
    });
    expect(taken.unfinished.map(({ record }) => record.n)).toEqual([n]);
    expect((await again.invocations.list('dc_1', { limit: 9 })).rows.map((row) => row.n)).toEqual([
      n,
      before.n,
    ]);
    expect((await take(again, 'dc_2')).unfinished).toEqual([]);
    expect((await again.events.list('dc_1', { limit: 9, dropped: true })).total).toBe(0);
    expect((await again.events.list('dc_1', { limit: 9, channel: '$errors' })).total).toBe(0);
    expect((await again.logs.list('dc_1', { limit: 9 })).total).toBe(0);
    expect(again.sources.get('dc_1')?.interfaces).toEqual([timer]);
    // The owner goes on.
    await again.commit({ ...effect, n, fence: taken.fence });
  });

  rule('that is stale is refused by all other writes of an owner', async (opened) => {
    await opened.store.webhooks.insert(webhook('wh_1'));
    const timer = { id: 'ti_1', prop: 't', kind: 'timer', intervalSeconds: 9 } as const;
    await opened.store.sources.replace(source('dc_1', { interfaces: [timer] }));
    const stale = await ownerOf(opened.store, 'dc_1');
    const events = Array.from({ length: 150 }, (_, i) => event(`${i + 1}-0`));
    const line = { at: 1, kind: 'system', level: 'info', text: 'x' } as const;
    const { n, deliveries } = await run(opened.store, {
      events: [...events, event('200-0', { webhooks: ['wh_1'] })],
      logs: Array.from({ length: 150 }, () => line),
    });
    for (let i = 0; i < 120; i++) await run(opened.store);
    const store = await opened.reopen();
    const owner = await ownerOf(store, 'dc_1');
    const [delivery] = deliveries.map((one) => one.delivery);
    if (delivery === undefined) throw new Error('There is no delivery.');
    const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: {}, body: '' };
    const attempt = { at: 1, request, response: null, totalMs: 1, error: null };
    const delivered = { status: 'delivered', nextAt: null } as const;
    const keep = { count: 1, before: 0, bytes: 1 };
    const marked = { attempt: 2, isAlone: false, outlived: 0 };
    const open = store.accept({ emitterId: 'dc_1', fence: owner.fence, cause: 'manual', at: 1 });
    const writes: ((owner: EmitterOwner) => Promise<unknown>)[] = [
      (by) => store.invocations.markCutOff(by, [open.n]),
      (by) => store.invocations.markSuspects(by, [{ n: open.n, ...marked }]),
      (by) => store.sources.setNextTick(by, 'ti_1', 77),
      (by) => store.sources.endDeploy(by, 9, () => 'sub_1'),
      (by) => store.writeDb(by, [{ prop: 'db', key: 'k', json: '1' }]),
      (by) => store.events.delete(by, { start: '1-0', end: '1-0' }),
      (by) => store.invocations.retry(by, [n]),
      (by) => store.logs.append(by, line),
      ({ fence }) => store.deliveries.record(fence, delivery, attempt, delivered),
      (by) => store.events.prune(by, keep),
      (by) => store.logs.prune(by, keep),
      (by) => store.deliveries.prune(by, keep),
      (by) => store.invocations.prune(by, keep),
    ];
    const state = async () => [
      (await store.invocations.get(open.n))?.status,
      store.sources.get('dc_1')?.interfaces,
      store.sources.get('dc_1')?.updatedAt,
      (await take(store, 'dc_1')).db,
      (await store.events.after('dc_1', '0-0', 1)).map(({ id }) => id),
      await store.invocations.get(n),
      await store.deliveries.get(delivery.n),
      await store.deliveries.attempts(delivery.n),
      (await store.events.list('dc_1', { limit: 1 })).total,
      (await store.logs.list('dc_1', { limit: 1 })).total,
      (await store.invocations.list('dc_1', { limit: 1 })).total,
    ];
    const before = await state();
    for (const write of writes) {
      for (const wrong of [stale, { id: 'dc_1', fence: owner.fence + 1 }]) {
        await expect(write(wrong)).rejects.toMatchObject({ code: 'conflict' });
      }
    }
    expect(await state()).toEqual(before);
    for (const write of writes) await write(owner);
    const after = await state();
    for (const [i, one] of before.entries()) expect(after[i]).not.toEqual(one);
  });
});
