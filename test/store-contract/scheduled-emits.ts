/** Rules of what runs emitted for a later time: it waits, becomes events, or is cancelled. */
import { expect } from 'vitest';
import type { DueCommit } from '../../src/runtime/store/commit.ts';
import {
  type ScheduledEmit,
  scheduledEmitId,
} from '../../src/runtime/store/history/scheduled-emits.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import {
  drop,
  event,
  fenceOf,
  ownerOf,
  run,
  scheduled,
  source,
  take,
  webhook,
} from '../support/records.ts';
import { randomFrom } from '../support/power-disk.ts';
import { topic, twoSources } from './rules.ts';

const everything = { count: 1e6, bytes: 1e9 };

async function waiting(store: Store, emitterId = 'dc_1'): Promise<readonly ScheduledEmit[]> {
  return (await store.scheduledEmits.due(emitterId, Infinity, everything)).emits;
}

/** Makes events of them, with ids from `ms` on. */
async function emitDue(
  store: Store,
  emits: readonly ScheduledEmit[],
  ms: number,
  changes: Partial<DueCommit['events'][number]['event']> = {},
) {
  const fence = await fenceOf(store, 'dc_1');
  const events = emits.map((emit, i) => ({
    emit,
    event: event(`${ms}-${i}`, { payload: emit.payload, ...changes }),
  }));
  return await store.commitDue({ emitterId: 'dc_1', fence, events });
}

export const scheduledEmits = topic('a scheduled emit', twoSources, (rule) => {
  rule('is kept by the commit of its run, and is no event', async ({ store, reopen }) => {
    const { n } = await run(store, {
      events: [event('5-0')],
      scheduled: [
        scheduled(90, {
          channel: 'c',
          dedupeId: 7,
          summary: 'S',
          ts: 1.5,
          hops: 3,
          payload: '"é"',
        }),
        scheduled(80),
      ],
    });
    const again = await reopen();
    const emits = await waiting(again);
    const common = { emitterId: 'dc_1', invocation: n, scheduledAt: 1002, n: expect.any(Number) };
    expect(emits).toEqual([
      {
        ...common,
        dueAt: 80,
        channel: '',
        dedupeId: null,
        summary: null,
        ts: null,
        payload: '{"due":80}',
        hops: 1,
      },
      {
        ...common,
        dueAt: 90,
        channel: 'c',
        dedupeId: 7,
        summary: 'S',
        ts: 1.5,
        payload: '"é"',
        hops: 3,
      },
    ]);
    expect((await take(again, 'dc_1')).waitingEmits).toEqual({ count: 2, bytes: 14, nextAt: 80 });
    expect((await take(again, 'dc_2')).waitingEmits).toEqual({
      count: 0,
      bytes: 0,
      nextAt: undefined,
    });
    expect(await waiting(again, 'dc_2')).toEqual([]);
    expect((await again.events.list('dc_1', { limit: 9, dropped: true })).total).toBe(1);
    expect(await again.events.ofInvocation(n)).toHaveLength(1);
    expect(await again.invocations.get(n)).toMatchObject({ emitted: 1, dropped: 0 });
  });

  rule('is handed out by due time, then in the order of emission', async ({ store }) => {
    const payloads = (emits: readonly ScheduledEmit[]) => emits.map(({ payload }) => payload);
    const at = (dueAt: number, payload: string) => scheduled(dueAt, { payload });
    await run(store, { scheduled: [at(20, 'c'), at(10, 'a'), at(20, 'd')] });
    await run(store, { scheduled: [at(30, 'f'), at(10, 'b'), at(20, 'e')] });
    const { scheduledEmits: table } = store;
    const all = await table.due('dc_1', 30, everything);
    expect(payloads(all.emits)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(all.nextAt).toBeUndefined();
    const some = await table.due('dc_1', 29, { count: 2, bytes: 9 });
    expect([payloads(some.emits), some.nextAt]).toEqual([['a', 'b'], 20]);
    const small = await table.due('dc_1', 29, { count: 9, bytes: 3 });
    expect([payloads(small.emits), small.nextAt]).toEqual([['a', 'b', 'c'], 20]);
    // One that is too large by itself is handed out alone.
    const tiny = await table.due('dc_1', 29, { count: 9, bytes: 0 });
    expect(payloads(tiny.emits)).toEqual(['a']);
    const early = await table.due('dc_1', 9, everything);
    expect(early).toEqual({ emits: [], nextAt: 10 });
  });

  rule('becomes an event of its run, with what listeners get of it', async (opened) => {
    const { store } = opened;
    await store.webhooks.insert(webhook('wh_1'));
    const { n } = await run(store, {
      events: [event('5-0')],
      drops: [drop('5-1')],
      notices: [event('5-2', { channel: '$errors' })],
      scheduled: [scheduled(80, { hops: 4 }), scheduled(90)],
    });
    const [first, second] = await waiting(store);
    if (first === undefined || second === undefined) throw new Error('They do not wait.');
    const listeners = { webhooks: ['wh_gone', 'wh_1'], triggers: ['dc_2', 'dc_gone'] };
    const made = await emitDue(store, [first], 100, listeners);
    const record = {
      id: '100-0',
      emitterId: 'dc_1',
      invocation: n,
      indexedAt: 100,
      emitId: 'emit-100-0',
      channel: '',
      dedupeId: null,
      summary: null,
      ts: null,
      payload: '{"due":80}',
      dropped: null,
    };
    const trigger = { kind: 'event', json: '{"due":80}', hops: 4 };
    expect(made).toEqual({
      count: 1,
      bytes: 10,
      events: [record],
      deliveries: [
        {
          delivery: expect.objectContaining({ webhookId: 'wh_1', eventId: '100-0' }),
          message: { emitId: 'emit-100-0', payload: '{"due":80}', hops: 4 },
        },
      ],
      triggered: [{ n: expect.any(Number), emitterId: 'dc_2', trigger }],
    });
    const again = await opened.reopen();
    expect(await again.events.get('dc_1', '100-0')).toEqual(record);
    expect((await again.events.ofInvocation(n)).map(({ id }) => id)).toEqual([
      '5-0',
      '5-1',
      '100-0',
    ]);
    const taken = await take(again, 'dc_1');
    expect(taken).toMatchObject({
      newestEvent: { ms: 100, seq: 0 },
      openDeliveries: [{ eventId: '100-0' }],
      waitingEmits: { count: 1, bytes: 10, nextAt: 90 },
    });
    expect((await take(again, 'dc_2')).unfinished).toMatchObject([{ trigger: { hops: 4 } }]);
  });

  rule('becomes one event only, and none once it was cancelled', async ({ store }) => {
    await run(store, { scheduled: [scheduled(10), scheduled(20), scheduled(30)] });
    const emits = await waiting(store);
    const [first, second] = emits;
    if (first === undefined || second === undefined) throw new Error('They do not wait.');
    const place = { ms: 20, seq: second.n };
    const owner = await ownerOf(store, 'dc_1');
    expect(await store.scheduledEmits.cancel(owner, { start: place, end: place })).toEqual({
      count: 1,
      bytes: 10,
    });
    expect((await emitDue(store, [first], 100)).count).toBe(1);
    const again = await emitDue(store, emits, 200);
    expect([again.count, again.events.map(({ payload }) => payload)]).toEqual([1, ['{"due":30}']]);
    expect((await store.events.list('dc_1', { limit: 9 })).total).toBe(2);
    expect(await waiting(store)).toEqual([]);
  });

  rule('is cancelled or emitted, whichever was asked for first', async ({ store }) => {
    await run(store, { scheduled: [scheduled(10), scheduled(20)] });
    const [first, second] = await waiting(store);
    if (first === undefined || second === undefined) throw new Error('They do not wait.');
    const owner = await ownerOf(store, 'dc_1');
    const cancel = (ms: number, seq: number) =>
      store.scheduledEmits.cancel(owner, { start: { ms, seq }, end: { ms, seq } });
    const emit = (one: ScheduledEmit) =>
      store.commitDue({
        emitterId: owner.id,
        fence: owner.fence,
        events: [{ emit: one, event: event(`${one.dueAt}-0`) }],
      });
    // All four before any of them is done.
    const [emitted, tooLate, cancelled, nothing] = await Promise.all([
      emit(first),
      cancel(10, first.n),
      cancel(20, second.n),
      emit(second),
    ]);
    expect([emitted.count, tooLate.count, cancelled.count, nothing.count]).toEqual([1, 0, 1, 0]);
    expect((await store.events.list('dc_1', { limit: 9 })).total).toBe(1);
  });

  rule('is listed, the last to be due first, and found by its id', async ({ store }) => {
    await run(store, { scheduled: [20, 10, 30].map((dueAt) => scheduled(dueAt)) });
    await run(store, { emitterId: 'dc_2', scheduled: [scheduled(25)] });
    const emits = await waiting(store);
    const ids = emits.map(scheduledEmitId);
    const { scheduledEmits: table } = store;
    expect(await table.list('dc_1', { limit: 9 })).toEqual({
      rows: emits.toReversed(),
      total: 3,
      start: ids[2],
      end: ids[0],
    });
    const page = await table.list('dc_1', { limit: 1, after: ids[2]! });
    expect(page.rows).toEqual([emits[1]]);
    const place = { ms: 10, seq: emits[0]?.n ?? 0 };
    expect(await table.get('dc_1', place)).toEqual(emits[0]);
    expect(await table.get('dc_1', { ...place, ms: 11 })).toBeUndefined();
    expect(await table.get('dc_2', place)).toBeUndefined();
  });

  rule('is cancelled by a range, both ends included', async ({ store, reopen }) => {
    await run(store, { scheduled: [10, 20, 30, 40].map((dueAt) => scheduled(dueAt)) });
    const places = (await waiting(store)).map(({ dueAt, n }) => ({ ms: dueAt, seq: n }));
    const owner = await ownerOf(store, 'dc_1');
    const gone = await store.scheduledEmits.cancel(owner, { start: places[1]!, end: places[2]! });
    expect(gone).toEqual({ count: 2, bytes: 20 });
    const again = await reopen();
    expect((await waiting(again)).map(({ dueAt }) => dueAt)).toEqual([10, 40]);
    expect((await again.scheduledEmits.cancel(await ownerOf(again, 'dc_1'), {})).count).toBe(2);
    expect(await waiting(again)).toEqual([]);
  });

  rule('goes with its emitter, and not with events', async ({ store }) => {
    await run(store, { scheduled: [scheduled(10)] });
    await store.events.delete(await ownerOf(store, 'dc_1'), {});
    const emits = await waiting(store);
    expect(emits).toHaveLength(1);
    const fence = await fenceOf(store, 'dc_1');
    const owner = await ownerOf(store, 'dc_1');
    await store.sources.delete('dc_1');
    expect(await waiting(store)).toEqual([]);
    const events = emits.map((emit) => ({ emit, event: event('50-0') }));
    await expect(store.commitDue({ emitterId: 'dc_1', fence, events })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await store.scheduledEmits.cancel(owner, {})).toEqual({ count: 0, bytes: 0 });
    // One that is made anew under the id of the newest has nothing of it, either.
    await run(store, { emitterId: 'dc_2', scheduled: [scheduled(10)] });
    await store.sources.delete('dc_2');
    await store.sources.insert(source('dc_2'));
    expect(await waiting(store, 'dc_2')).toEqual([]);
  });

  rule('keeps its run, as its event does then', async ({ store }) => {
    const { n } = await run(store, { scheduled: [scheduled(10)] });
    for (let i = 0; i < 150; i++) await run(store);
    const owner = await ownerOf(store, 'dc_1');
    const keep = { count: 1, before: 0, bytes: 1e9 };
    await store.invocations.prune(owner, keep);
    expect(await store.invocations.get(n)).toBeDefined();
    await emitDue(store, await waiting(store), 100);
    for (let i = 0; i < 150; i++) await run(store);
    await store.invocations.prune(owner, keep);
    expect(await store.invocations.get(n)).toBeDefined();
    expect(await store.events.ofInvocation(n)).toHaveLength(1);
    await store.events.delete(await ownerOf(store, 'dc_1'), {});
    for (let i = 0; i < 150; i++) await run(store);
    await store.invocations.prune(owner, keep);
    expect(await store.invocations.get(n)).toBeUndefined();
  });

  rule('is neither emitted nor cancelled by an owner that was replaced', async (opened) => {
    await run(opened.store, { scheduled: [scheduled(10)] });
    const stale = await ownerOf(opened.store, 'dc_1');
    const store = await opened.reopen();
    const emits = await waiting(store);
    const events = emits.map((emit) => ({ emit, event: event('50-0', { triggers: ['dc_2'] }) }));
    const { fence } = await take(store, 'dc_1');
    for (const wrong of [stale.fence, fence + 1]) {
      const conflict = { code: 'conflict' };
      await expect(
        store.commitDue({ emitterId: 'dc_1', fence: wrong, events }),
      ).rejects.toMatchObject(conflict);
      await expect(
        store.scheduledEmits.cancel({ id: 'dc_1', fence: wrong }, {}),
      ).rejects.toMatchObject(conflict);
    }
    expect(await waiting(store)).toEqual(emits);
    expect((await take(store, 'dc_2')).unfinished).toEqual([]);
    await store.commitDue({ emitterId: 'dc_1', fence, events });
  });

  rule('has the number of no other event, also after a crash', async ({ store, crash }) => {
    await run(store, { scheduled: [scheduled(10)] });
    const again = await crash(() => 0);
    const { n } = await run(again, { events: [event('20-0')] });
    await emitDue(again, await waiting(again), 100);
    expect((await again.events.ofInvocation(n)).map(({ id }) => id)).toEqual(['20-0']);
    expect((await again.events.list('dc_1', { limit: 9 })).total).toBe(2);
  });

  for (const seed of [1, 2, 3]) {
    rule(`waits or is an event after a crash, never both or neither (${seed})`, async (opened) => {
      const { store } = opened;
      const random = randomFrom(seed);
      const count = 30;
      const fence = await fenceOf(store, 'dc_1');
      await run(store, { scheduled: Array.from({ length: count }, (_, i) => scheduled(i + 1)) });
      let resolved = 0;
      for (const [i, emit] of (await waiting(store)).entries()) {
        const due = { emit, event: event(`${100 + i}-0`, { triggers: ['dc_2'] }) };
        void store.commitDue({ emitterId: 'dc_1', fence, events: [due] }).then(
          () => resolved++,
          () => 0,
        );
        if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
      }
      const acknowledged = resolved;
      const again = await opened.crash(random);
      const { total } = await again.events.list('dc_1', { limit: 1 });
      expect(total).toBeGreaterThanOrEqual(acknowledged);
      expect((await waiting(again)).map(({ dueAt }) => dueAt)).toEqual(
        Array.from({ length: count - total }, (_, i) => total + i + 1),
      );
      expect((await take(again, 'dc_2')).unfinished).toHaveLength(total);
      expect((await take(again, 'dc_1')).waitingEmits.count).toBe(count - total);
    });
  }
});
