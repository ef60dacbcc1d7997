import { describe, expect, test } from 'vitest';
import type { Trigger } from '../../../../src/protocol/host.ts';
import { drop, event, run, source, webhook } from '../../../support/records.ts';
import { newStore, storeWithSource } from '../../../support/store.ts';

const triggers: Record<string, Trigger> = {
  'a request, its body byte for byte': {
    kind: 'http',
    prop: 'http',
    method: 'POST',
    url: 'http://127.0.0.1:1/h/hi_1/a?b=1',
    path: '/a',
    query: 'b=1',
    headers: { 'content-type': 'application/octet-stream' },
    clientIp: '127.0.0.1',
    body: Uint8Array.from([0, 255, 128, 10, 0]),
  },
  'a request without a body': {
    kind: 'http',
    prop: 'http',
    method: 'GET',
    url: 'http://127.0.0.1:1/h/hi_1',
    path: '/',
    query: '',
    headers: {},
    clientIp: '127.0.0.1',
    body: new Uint8Array(0),
  },
  'a tick': { kind: 'timer', prop: 'timer', timestamp: 1_700_000_000, cron: '* * * * *' },
  'an event with what text may hold': { kind: 'event', json: '{"text":"Zoë \\u0000 \u0000 🚰"}' },
};

describe('the inbox', () => {
  test.each(Object.entries(triggers))('gives back %s as it came', async (_name, trigger) => {
    const { store, reopen } = await storeWithSource();
    const { n, durable } = store.accept({ sourceId: 'dc_1', cause: 'http', trigger, at: 7 });
    await durable;
    expect((await reopen()).invocations.trigger(n)).toEqual(trigger);
  });

  test('a body of 5 MB survives', async () => {
    const { store, reopen } = await storeWithSource();
    const body = new Uint8Array(5_000_000).map((_, i) => i % 251);
    const trigger = { ...triggers['a request without a body'], body } as Trigger;
    const { n, durable } = store.accept({ sourceId: 'dc_1', cause: 'http', trigger, at: 7 });
    await durable;
    const kept = (await reopen()).invocations.trigger(n);
    expect(kept?.kind === 'http' && Buffer.compare(kept.body, body)).toBe(0);
  });

  test('what has no end is unfinished, hooks too, and can be tried again', async () => {
    const { store, reopen } = await storeWithSource();
    const hook = store.accept({ sourceId: 'dc_1', cause: 'hook', hook: 'deploy', at: 1 });
    await run(store);
    const replay = store.accept({ sourceId: 'dc_1', cause: 'replay', replayOf: hook.n, at: 2 });
    await replay.durable;
    const again = await reopen();
    expect(again.invocations.unfinished()).toEqual([
      expect.objectContaining({ n: hook.n, hook: 'deploy', attempt: 1, status: 'queued' }),
      expect.objectContaining({ n: replay.n, replayOf: hook.n }),
    ]);
    expect(again.invocations.trigger(hook.n)).toBeUndefined();
    await again.invocations.retry(hook.n);
    expect(again.invocations.get(hook.n)?.attempt).toBe(2);
  });

  test('an unknown source is refused', async () => {
    const { store } = await newStore();
    expect(() => store.accept({ sourceId: 'dc_9', cause: 'manual', at: 1 })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});

describe('a commit', () => {
  test('keeps everything an invocation did', async () => {
    const { store, reopen } = await storeWithSource();
    const made = await run(store, {
      status: 'failed',
      error: { name: 'Error', message: 'no', stack: 'at' },
      events: [
        event('5-0', { dedupeId: 'x', summary: 'S', ts: 12.5, channel: 'c' }),
        event('5-2', { dedupeId: 7 }),
      ],
      drops: [drop('5-1', { dedupeId: 'y', summary: 'D' })],
      logs: [
        { at: 1, kind: 'start', level: 'info', text: 'a' },
        { at: 2, kind: 'error', level: 'error', text: 'b' },
      ],
    });
    const again = await reopen();
    expect(again.invocations.last('dc_1')).toEqual({
      n: made.n,
      sourceId: 'dc_1',
      cause: 'manual',
      hook: null,
      status: 'failed',
      attempt: 1,
      replayOf: null,
      createdAt: 1000,
      startedAt: 1001,
      endedAt: 1002,
      emitted: 2,
      dropped: 1,
      error: { name: 'Error', message: 'no', stack: 'at' },
    });
    expect(again.events.ofInvocation(made.n)).toEqual([
      {
        id: '5-0',
        sourceId: 'dc_1',
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
    const lines = again.logs.ofInvocation(made.n);
    expect(lines.map(({ id, text }) => [id, text])).toEqual([
      [made.logIds[0], 'a'],
      [made.logIds[1], 'b'],
    ]);
  });

  test('makes deliveries and invocations of listeners, for those that still exist', async () => {
    const { store } = await storeWithSource();
    await store.sources.insert(source('dc_2'));
    await store.webhooks.insert(webhook('wh_1'));
    const made = await run(store, {
      events: [event('5-0', { webhooks: ['wh_gone', 'wh_1'], sources: ['dc_2', 'dc_gone'] })],
    });
    expect(made.deliveries).toEqual([store.deliveries.open()[0]]);
    expect(made.deliveries[0]).toMatchObject({
      webhookId: 'wh_1',
      eventId: '5-0',
      status: 'pending',
    });
    expect(made.triggered).toHaveLength(1);
    const [listener] = store.invocations.unfinished();
    expect(listener).toMatchObject({ sourceId: 'dc_2', cause: 'event', n: made.triggered[0]?.n });
    expect(store.invocations.trigger(listener?.n ?? 0)).toEqual({
      kind: 'event',
      json: '{"id":"5-0"}',
    });
  });

  test('of a source that was deleted meanwhile is refused and leaves nothing', async () => {
    const { store } = await storeWithSource();
    const { n } = store.accept({ sourceId: 'dc_1', cause: 'manual', at: 1 });
    await store.sources.delete('dc_1');
    await expect(run(store, { events: [event('5-0')] })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(store.invocations.get(n)).toBeUndefined();
  });

  test('numbers and ids are never given out twice, even when the newest rows were deleted', async () => {
    const { store, reopen } = await storeWithSource();
    await store.sources.insert(source('dc_2'));
    const before = await run(store, { events: [event('50-3')] });
    await store.sources.delete('dc_1');
    const again = await reopen();
    expect(again.events.lastId()).toBe('50-3');
    expect((await run(again, { sourceId: 'dc_2' })).n).toBe(before.n + 1);
  });
});

describe('the state of a component', () => {
  test('db keys are set, replaced and removed; any key will do', async () => {
    const { store, reopen } = await storeWithSource();
    const write = (key: string, json?: string) => ({ prop: 'db', key, ...(json && { json }) });
    await run(store, { db: [write('a', '1'), write('a', '2'), write('b', '3')] });
    await run(store, { db: [write('b'), write('__proto__', '4')] });
    const { db } = (await reopen()).sources.db('dc_1');
    expect(Object.entries(db ?? {})).toEqual([
      ['__proto__', '4'],
      ['a', '2'],
    ]);
  });

  test('the newest 100 unique ids are remembered', async () => {
    const { store, reopen } = await storeWithSource();
    const ids = Array.from({ length: 250 }, (_, i) => `id-${i}`);
    await run(store, { dedupe: { strategy: 'unique', append: ids.slice(0, 240) } });
    const again = await reopen();
    await run(again, { dedupe: { strategy: 'unique', append: ids.slice(240) } });
    expect(again.sources.dedupe('dc_1')).toEqual({ strategy: 'unique', ids: ids.slice(150) });
  });

  test('greatest and last are kept apart, and a reset forgets all', async () => {
    const { store, reopen } = await storeWithSource();
    await run(store, { dedupe: { strategy: 'greatest', greatest: 1e15 } });
    await run(store, { dedupe: { strategy: 'last', last: 'z' } });
    expect(store.sources.dedupe('dc_1')).toEqual({
      strategy: 'last',
      ids: [],
      greatest: 1e15,
      last: 'z',
    });
    await run(store, { dedupe: { strategy: 'unique', reset: true, append: ['a'] } });
    expect((await reopen()).sources.dedupe('dc_1')).toEqual({ strategy: 'unique', ids: ['a'] });
  });
});
