/** Rules of a commit: everything an invocation did, and what its emitter remembers from then on. */
import { expect } from 'vitest';
import { drop, event, fenceOf, ownerOf, run, source, take, webhook } from '../support/records.ts';
import { oneSource, topic } from './rules.ts';

export const commits = topic('a commit', oneSource, (rule) => {
  rule('keeps everything an invocation did', async ({ store, reopen }) => {
    const made = await run(store, {
      status: 'failed',
      error: { name: 'Error', message: 'no', stack: 'at' },
      events: [
        event('5-0', { dedupeId: 'x', summary: 'S', ts: 12.5, channel: 'c' }),
        event('5-2', { dedupeId: 7 }),
      ],
      drops: [drop('5-1', { dedupeId: 'y', summary: 'D' })],
      notices: [event('5-3', { channel: '$errors' })],
      logs: [
        { at: 1, kind: 'start', level: 'info', text: 'a' },
        { at: 2, kind: 'error', level: 'error', text: 'b' },
      ],
    });
    const again = await reopen();
    const record = {
      n: made.n,
      emitterId: 'dc_1',
      cause: 'manual',
      hook: null,
      request: null,
      status: 'failed',
      attempt: 1,
      replayOf: null,
      createdAt: 1000,
      startedAt: 1001,
      endedAt: 1002,
      emitted: 2,
      dropped: 1,
      error: { name: 'Error', message: 'no', stack: 'at' },
    };
    expect(await again.invocations.get(made.n)).toEqual(record);
    expect((await take(again, 'dc_1')).lastInvocation).toEqual(record);
    // Notices are told, but they are not what the invocation emitted.
    expect(await again.events.ofInvocation(made.n)).toEqual([
      {
        id: '5-0',
        emitterId: 'dc_1',
        invocation: made.n,
        indexedAt: 5,
        emitId: 'emit-5-0',
        channel: 'c',
        dedupeId: 'x',
        summary: 'S',
        ts: 12.5,
        payload: '{"id":"5-0"}',
        dropped: null,
      },
      expect.objectContaining({ id: '5-1', dropped: 'Seen.', dedupeId: 'y', summary: 'D' }),
      expect.objectContaining({ id: '5-2', dedupeId: 7, summary: null, ts: null }),
    ]);
    const lines = await again.logs.ofInvocation(made.n);
    expect(lines.map(({ id, text }) => [id, text])).toEqual([
      [made.logIds[0], 'a'],
      [made.logIds[1], 'b'],
    ]);
  });

  rule('makes deliveries and runs of listeners, for those that still exist', async (opened) => {
    const { store } = opened;
    await store.sources.insert(source('dc_2'));
    await store.webhooks.insert(webhook('wh_1'));
    const listeners = { webhooks: ['wh_gone', 'wh_1'], triggers: ['dc_2', 'dc_gone'] };
    const made = await run(store, {
      events: [event('5-0', listeners)],
      notices: [event('5-1', { channel: '$errors', webhooks: ['wh_1'] })],
    });
    const delivery = {
      n: expect.any(Number),
      webhookId: 'wh_1',
      emitterId: 'dc_1',
      eventId: '5-0',
      status: 'pending',
      attempts: 0,
      nextAt: null,
      createdAt: 5,
      lastStatus: null,
      lastError: null,
    };
    const message = { emitId: 'emit-5-0', payload: '{"id":"5-0"}', hops: 1 };
    const ofNotice = { emitId: 'emit-5-1', payload: '{"id":"5-1"}', hops: 1 };
    expect(made.deliveries).toEqual([
      { delivery, message },
      { delivery: { ...delivery, eventId: '5-1' }, message: ofNotice },
    ]);
    const trigger = { kind: 'event', json: '{"id":"5-0"}' };
    expect(made.triggered).toEqual([{ n: expect.any(Number), emitterId: 'dc_2', trigger }]);

    const again = await opened.reopen();
    const { openDeliveries } = await take(again, 'dc_1');
    expect(openDeliveries).toEqual(made.deliveries.map((one) => one.delivery));
    const { unfinished } = await take(again, 'dc_2');
    const [listener] = unfinished;
    expect(unfinished).toHaveLength(1);
    expect(listener?.trigger).toEqual({ ...trigger, json: '' });
    expect(await again.invocations.trigger(made.triggered[0]?.n ?? 0)).toEqual(trigger);
    expect(listener?.record).toMatchObject({ cause: 'event', n: made.triggered[0]?.n });
  });

  rule('gives the runs of listeners how many led to them', async ({ store, reopen }) => {
    await store.sources.insert(source('dc_2'));
    const made = await run(store, { hops: 7, events: [event('5-0', { triggers: ['dc_2'] })] });
    const trigger = { kind: 'event', json: '{"id":"5-0"}', hops: 7 };
    expect(made.triggered).toMatchObject([{ emitterId: 'dc_2', trigger }]);
    expect((await take(await reopen(), 'dc_2')).unfinished).toMatchObject([
      { trigger: { kind: 'event', hops: 7 } },
    ]);
  });

  rule('of an emitter that was deleted meanwhile is refused and leaves nothing', async (opened) => {
    const { store } = opened;
    const fence = await fenceOf(store, 'dc_1');
    const { n } = store.accept({ emitterId: 'dc_1', fence, cause: 'manual', at: 1 });
    const deleted = store.sources.delete('dc_1');
    const ended = { n, emitterId: 'dc_1', fence, status: 'succeeded' } as const;
    const effect = { startedAt: 1, endedAt: 2, drops: [], db: [], logs: [] };
    const refused = store.commit({ ...ended, ...effect, events: [event('5-0')] });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    await deleted;
    expect(await store.invocations.get(n)).toBeUndefined();
    expect((await store.events.list('dc_1', { limit: 1 })).total).toBe(0);
  });

  rule('of an invocation that has ended is refused and leaves nothing', async (opened) => {
    const { store } = opened;
    await store.webhooks.insert(webhook('wh_1'));
    const { n } = await run(store, { events: [event('5-0')] });
    const again = {
      status: 'failed',
      events: [event('6-0', { webhooks: ['wh_1'], triggers: ['dc_1'] })],
      drops: [drop('6-1')],
      db: [{ prop: 'db', key: 'k', json: '1' }],
      dedupe: { strategy: 'unique', append: ['a'] },
      logs: [{ at: 1, kind: 'console', level: 'info', text: 'x' }],
    } as const;
    await expect(run(store, { ...again, n })).rejects.toMatchObject({ code: 'conflict' });
    await expect(run(store, { ...again, n: n + 999 })).rejects.toMatchObject({ code: 'conflict' });
    const reopened = await opened.reopen();
    expect(await reopened.invocations.get(n)).toMatchObject({ status: 'succeeded', emitted: 1 });
    expect(await take(reopened, 'dc_1')).toMatchObject({
      db: {},
      dedupe: { ids: [] },
      newestEvent: { ms: 5, seq: 0 },
      unfinished: [],
      openDeliveries: [],
    });
    expect((await reopened.events.list('dc_1', { limit: 9, dropped: true })).total).toBe(1);
    expect((await reopened.logs.list('dc_1', { limit: 9 })).total).toBe(0);
    // One that is to run again is open.
    await reopened.invocations.retry(await ownerOf(reopened, 'dc_1'), [n]);
    await run(reopened, { ...again, n });
  });

  rule('with what is not an event id is refused whole, and the store goes on', async (opened) => {
    const { store } = opened;
    const writes = { db: [{ prop: 'db', key: 'k', json: '1' }], events: [event('1-0')] };
    await expect(run(store, { ...writes, drops: [drop('nonsense')] })).rejects.toThrow(/nonsense/);
    expect((await take(store, 'dc_1')).db).toEqual({});
    expect((await store.events.list('dc_1', { limit: 1 })).total).toBe(0);
    await run(store, writes);
  });

  rule('event ids are those of an emitter: two may use the same one', async (opened) => {
    const { store } = opened;
    await store.sources.insert(source('dc_2'));
    await store.webhooks.insert(webhook('wh_1'));
    const made = [];
    for (const emitterId of ['dc_1', 'dc_2']) {
      const events = [event('5-0', { payload: `"${emitterId}"`, webhooks: ['wh_1'] })];
      const text = `of ${emitterId}`;
      const logs = [{ at: 1, kind: 'console', level: 'info', text } as const];
      made.push(await run(store, { emitterId, events, logs }));
    }
    await store.events.delete(await ownerOf(store, 'dc_1'), { start: '5-0', end: '5-0' });
    const again = await opened.reopen();
    expect(await again.events.get('dc_1', '5-0')).toBeUndefined();
    expect((await again.events.get('dc_2', '5-0'))?.payload).toBe('"dc_2"');
    const [first, second] = made;
    expect((await again.logs.ofInvocation(second?.n ?? 0)).map(({ text }) => text)).toEqual([
      'of dc_2',
    ]);
    const [delivery] = second?.deliveries ?? [];
    const outgoing = await again.deliveries.outgoing(delivery?.delivery.n ?? 0);
    expect(outgoing?.message?.payload).toBe('"dc_2"');
    expect(await again.deliveries.ofEvent('dc_1', '5-0')).toEqual(
      first?.deliveries.map((one) => one.delivery),
    );
  });

  rule('numbers are never given out twice, also when the newest rows are gone', async (opened) => {
    const { store } = opened;
    await store.sources.insert(source('dc_2'));
    await store.webhooks.insert(webhook('wh_1'));
    const effect = {
      emitterId: 'dc_2',
      events: [event('5-0', { webhooks: ['wh_1'], triggers: ['dc_1'] })],
    };
    const before = await run(store, effect);
    const newest = before.triggered[0]?.n ?? Infinity;
    expect(newest).toBeGreaterThan(before.n);
    const [delivery] = before.deliveries;
    await store.sources.delete('dc_1');
    await store.sources.delete('dc_2');
    const again = await opened.reopen();
    await again.sources.insert(source('dc_2'));
    const after = await run(again, effect);
    expect(after.n).toBeGreaterThan(newest);
    expect(after.deliveries[0]?.delivery.n).toBeGreaterThan(delivery?.delivery.n ?? Infinity);
  });
});

export const state = topic('the state of a component', oneSource, (rule) => {
  rule('db keys are written outside of a run, by their owner only', async ({ store, reopen }) => {
    await run(store, { db: [{ prop: 'db', key: 'a', json: '1' }] });
    const { fence } = await take(store, 'dc_1');
    const writes = [
      { prop: 'db', key: 'a', json: '2' },
      { prop: 'db', key: 'b', json: '3' },
    ];
    await store.writeDb({ id: 'dc_1', fence }, writes);
    await store.writeDb({ id: 'dc_1', fence }, [{ prop: 'db', key: 'b' }]);
    await expect(store.writeDb({ id: 'dc_1', fence: fence - 1 }, [])).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(store.writeDb({ id: 'dc_9', fence }, [])).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await take(await reopen(), 'dc_1')).db).toEqual({ db: { a: '2' } });
  });

  rule('db keys are set, replaced and removed; any key will do', async ({ store, reopen }) => {
    const write = (key: string, json?: string) => ({ prop: 'db', key, ...(json && { json }) });
    await run(store, { db: [write('a', '1'), write('a', '2'), write('b', '3')] });
    await run(store, { db: [write('b'), write('__proto__', '4'), write('', '5')] });
    await run(store, { db: [{ prop: '__proto__', key: 'c', json: '6' }] });
    const { db } = await take(await reopen(), 'dc_1');
    expect(Object.keys(db).toSorted()).toEqual(['__proto__', 'db']);
    const kept = new Map(Object.entries(db['db'] ?? {}));
    expect([...kept.keys()].toSorted()).toEqual(['', '__proto__', 'a']);
    expect([kept.get(''), kept.get('__proto__'), kept.get('a')]).toEqual(['5', '4', '2']);
    expect(Object.entries(db['__proto__'] ?? {})).toEqual([['c', '6']]);
  });

  rule('the newest 100 unique ids are remembered', async ({ store, reopen }) => {
    const ids = Array.from({ length: 250 }, (_, i) => `id-${i}`);
    await run(store, { dedupe: { strategy: 'unique', append: ids.slice(0, 240) } });
    const again = await reopen();
    await run(again, { dedupe: { strategy: 'unique', append: ids.slice(240) } });
    const remembered = { strategy: 'unique', ids: ids.slice(150) };
    expect((await take(again, 'dc_1')).dedupe).toEqual(remembered);
    expect((await take(await reopen(), 'dc_1')).dedupe).toEqual(remembered);
  });

  rule('greatest and last are kept apart, and a reset forgets all', async ({ store, reopen }) => {
    await run(store, { dedupe: { strategy: 'greatest', greatest: 1e15 } });
    await run(store, { dedupe: { strategy: 'last', last: 'z' } });
    expect((await take(store, 'dc_1')).dedupe).toEqual({
      strategy: 'last',
      ids: [],
      greatest: 1e15,
      last: 'z',
    });
    await run(store, { dedupe: { strategy: 'unique', reset: true, append: ['a'] } });
    const { dedupe } = await take(await reopen(), 'dc_1');
    expect(dedupe).toEqual({ strategy: 'unique', ids: ['a'] });
  });
});
