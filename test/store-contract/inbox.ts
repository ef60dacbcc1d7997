/** Rules of the inbox: what is accepted, and what of it has no end yet. */
import { expect } from 'vitest';
import { type Trigger, withoutPayload } from '../../src/protocol/host.ts';
import type { StoredStatus } from '../../src/runtime/store/history/invocations.ts';
import { fenceOf, ownerOf, run, source, take } from '../support/records.ts';
import { oneSource, topic, twoSources } from './rules.ts';

const request: Trigger = {
  kind: 'http',
  prop: 'http',
  method: 'POST',
  url: 'http://127.0.0.1:1/h/hi_1/a?b=1',
  path: '/a',
  query: 'b=1',
  headers: { 'content-type': 'application/octet-stream' },
  clientIp: '127.0.0.1',
  body: Uint8Array.from([0, 255, 128, 10, 0]),
};

const triggers: Record<string, Trigger> = {
  'a request, its body byte for byte': request,
  'a request without a body': { ...request, method: 'GET', body: new Uint8Array(0) },
  'a tick': { kind: 'timer', prop: 'timer', timestamp: 1_700_000_000, cron: '* * * * *' },
  'an event with what text may hold': { kind: 'event', json: '{"text":"Zoë \\u0000 \u0000 🚰"}' },
  'an event that an app delivered': { kind: 'event', json: '{}', delivery: 'Ev1' },
};

export const inbox = topic('the inbox', twoSources, (rule) => {
  for (const [name, trigger] of Object.entries(triggers)) {
    rule(`gives back ${name} as it came`, async ({ store, reopen }) => {
      const fence = await fenceOf(store, 'dc_1');
      const accepted = store.accept({ emitterId: 'dc_1', fence, cause: 'http', trigger, at: 7 });
      await accepted.durable;
      const again = await reopen();
      expect(await again.invocations.trigger(accepted.n)).toEqual(trigger);
      const { unfinished } = await take(again, 'dc_1');
      // Its payload is read when its turn comes.
      expect(unfinished.map((one) => one.trigger)).toEqual([withoutPayload(trigger)]);
    });
  }

  rule('what has no end is unfinished, hooks too, and can be run again', async (opened) => {
    const { store } = opened;
    const accept = {
      emitterId: 'dc_1',
      fence: await fenceOf(store, 'dc_1'),
      at: 2,
    };
    const hook = store.accept({ ...accept, cause: 'hook', hook: 'deploy' });
    await run(store);
    const replay = store.accept({ ...accept, cause: 'replay', replayOf: hook.n });
    await replay.durable;
    const again = await opened.reopen();
    const { unfinished } = await take(again, 'dc_1');
    expect(unfinished.map(({ record }) => record)).toEqual([
      expect.objectContaining({ n: hook.n, hook: 'deploy', attempt: 1, status: 'queued' }),
      expect.objectContaining({ n: replay.n, replayOf: hook.n, hook: null }),
    ]);
    expect(unfinished[0]?.trigger).toBeUndefined();
    await again.invocations.retry(await ownerOf(again, 'dc_1'), [hook.n, replay.n]);
    const later = await opened.reopen();
    const attempts = (await take(later, 'dc_1')).unfinished.map(({ record }) => record.attempt);
    expect(attempts).toEqual([2, 2]);
  });

  rule('one that had an end runs again from the beginning', async ({ store, reopen }) => {
    const { n } = await run(store, { status: 'crashed' });
    await store.invocations.retry(await ownerOf(store, 'dc_1'), [n]);
    const again = await reopen();
    expect(await again.invocations.get(n)).toMatchObject({
      status: 'queued',
      attempt: 2,
      startedAt: null,
      endedAt: null,
    });
    expect((await take(again, 'dc_1')).unfinished).toHaveLength(1);
  });

  rule('a trigger that is not to be kept is gone with the commit', async ({ store, reopen }) => {
    const fence = await fenceOf(store, 'dc_1');
    const trigger = request;
    const { n } = store.accept({ emitterId: 'dc_1', fence, cause: 'http', trigger, at: 1 });
    await run(store, { n, forgetTrigger: true });
    expect(await (await reopen()).invocations.trigger(n)).toBeUndefined();
  });

  rule('knows a run by its request, unless that may not be kept', async ({ store, reopen }) => {
    const fence = await fenceOf(store, 'dc_1');
    const accept = { emitterId: 'dc_1', fence, at: 1 };
    const [kept] = [false, true].map(
      (noStore) => store.accept({ ...accept, cause: 'http', trigger: { ...request, noStore } }).n,
    );
    const event: Trigger = { kind: 'event', json: '{"method":"GET","path":"/","kind":"http"}' };
    await store.accept({ ...accept, cause: 'event', trigger: event }).durable;
    const again = await reopen();
    const known = { method: 'POST', path: '/a' };
    const { rows } = await again.invocations.list('dc_1', { limit: 9 });
    expect(rows.map((one) => one.request)).toEqual([null, null, known]);
    expect((await again.invocations.get(kept ?? 0))?.request).toEqual(known);
    const { unfinished } = await take(again, 'dc_1');
    expect(unfinished.map(({ record }) => record.request)).toEqual([known, null, null]);
  });

  rule('an unknown emitter is refused, and the store goes on', async ({ store }) => {
    const fence = await fenceOf(store, 'dc_1');
    expect(() => store.accept({ emitterId: 'dc_9', fence, cause: 'manual', at: 1 })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    await run(store);
  });

  rule('is listed newest first, by emitter, and knows the newest of each', async ({ store }) => {
    const numbers = [];
    for (let i = 0; i < 3; i++) numbers.unshift((await run(store)).n);
    await run(store, { emitterId: 'dc_2' });
    const page = await store.invocations.list('dc_1', { limit: 2 });
    expect(page.rows.map(({ n }) => n)).toEqual(numbers.slice(0, 2));
    expect(page.total).toBe(3);
    const next = await store.invocations.list('dc_1', { limit: 2, after: page.end ?? '' });
    expect(next.rows.map(({ n }) => n)).toEqual(numbers.slice(2));
    const before = await store.invocations.list('dc_1', { limit: 1, before: next.start ?? '' });
    expect(before.rows.map(({ n }) => n)).toEqual(numbers.slice(1, 2));
  });

  rule(
    'is listed by status; the runtime knows which of those without an end go on',
    async ({ store }) => {
      const ended = await run(store);
      const failed = await run(store, { status: 'failed' });
      const fence = await fenceOf(store, 'dc_1');
      const accept = {
        emitterId: 'dc_1',
        fence,
        at: 1,
        cause: 'manual',
        trigger: request,
      } as const;
      const [goesOn, waits] = [store.accept(accept), store.accept(accept)];
      await waits.durable;
      // One that has ended is not going on, whoever still says so.
      const running = [goesOn.n, ended.n];
      const listed = async (status: StoredStatus) => {
        const page = await store.invocations.list('dc_1', { limit: 9 }, { status, running });
        expect(page.total).toBe(page.rows.length);
        return page.rows.map(({ n }) => n);
      };
      expect(await listed('running')).toEqual([goesOn.n]);
      expect(await listed('queued')).toEqual([waits.n]);
      expect(await listed('failed')).toEqual([failed.n]);
      expect(await listed('succeeded')).toEqual([ended.n]);
      expect(await listed('crashed')).toEqual([]);
    },
  );

  rule('counts what failed over time', async ({ store }) => {
    const fence = await fenceOf(store, 'dc_1');
    for (const [at, status] of [
      [99, 'failed'],
      [100, 'failed'],
      [109, 'crashed'],
      [110, 'succeeded'],
      [129, 'failed'],
      [130, 'failed'],
    ] as const) {
      const { n } = store.accept({ emitterId: 'dc_1', fence, cause: 'manual', at });
      await run(store, { n, status });
    }
    await run(store, { emitterId: 'dc_2', status: 'failed' });
    const span = { from: 100, bucketMs: 10, buckets: 3 };
    expect(await store.invocations.countFailedOverTime('dc_1', span)).toEqual([2, 0, 1]);
  });
});

const timer = { id: 'ti_1', prop: 'timer', kind: 'timer', intervalSeconds: 60, nextAt: 5 } as const;

export const ticks = topic('a tick', oneSource, (rule) => {
  rule('is one write with its run', async ({ store, reopen }) => {
    await store.sources.replace(source('dc_1', { interfaces: [timer] }));
    const tick = {
      emitterId: 'dc_1',
      fence: await fenceOf(store, 'dc_1'),
      cause: 'timer',
      at: 1,
    } as const;
    const nextAt = () => store.sources.get('dc_1')?.interfaces[0]?.nextAt;
    const first = store.accept({ ...tick, tick: { interfaceId: 'ti_1', nextAt: 65_000 } });
    expect(nextAt()).toBe(65_000);
    await first.durable;
    const again = await reopen();
    expect(again.sources.get('dc_1')?.interfaces).toEqual([{ ...timer, nextAt: 65_000 }]);
    const { fence, unfinished } = await take(again, 'dc_1');
    expect(unfinished.map(({ record }) => record.n)).toEqual([first.n]);

    const never = { interfaceId: 'ti_1', nextAt: undefined };
    await again.accept({ ...tick, fence, tick: never }).durable;
    expect(again.sources.get('dc_1')?.interfaces[0]).not.toHaveProperty('nextAt');
  });

  rule('of a timer that is not there is refused, and the store goes on', async ({ store }) => {
    await store.sources.insert(source('dc_2', { interfaces: [timer] }));
    const fence = await fenceOf(store, 'dc_1');
    for (const interfaceId of ['ti_9', 'ti_1']) {
      const tick = { interfaceId, nextAt: 9 };
      expect(() => store.accept({ emitterId: 'dc_1', fence, cause: 'timer', at: 1, tick })).toThrow(
        expect.objectContaining({ code: 'not_found' }),
      );
    }
    expect(store.sources.get('dc_2')?.interfaces).toEqual([timer]);
    expect((await store.invocations.list('dc_1', { limit: 9 })).total).toBe(0);
    await run(store);
  });
});
