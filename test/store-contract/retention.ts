/** Rules of retention: what goes by count, size and age, and what stays whatever the limits say. */
import { expect } from 'vitest';
import type { StepCommit } from '../../src/runtime/store/commit.ts';
import type { NewStepRun } from '../../src/runtime/store/history/executions.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { drop, event, fenceOf, ownerOf, run, take, webhook } from '../support/records.ts';
import { topic, twoSources } from './rules.ts';

const at = (i: number) => `${1000 + i}-0`;
const all = { bytes: 1e9, before: 0 };

/** An execution that has begun: what a commit of it says at least. */
async function begun(store: Store): Promise<StepCommit> {
  const fence = await fenceOf(store, 'dc_1');
  const trigger = { kind: 'event', json: '{}' } as const;
  const { n } = store.accept({ emitterId: 'dc_1', fence, cause: 'manual', trigger, at: 1 });
  return {
    n,
    emitterId: 'dc_1',
    fence,
    deploymentId: 'd_1',
    startedAt: 1,
    leg: 1,
    sends: [],
    sendsOut: true,
    events: [],
    drops: [],
    db: [],
    logs: [],
  };
}

function stepRun({ logs }: Pick<NewStepRun, 'logs'>): NewStepRun {
  return {
    seq: 1,
    path: 'one',
    namespace: 'one',
    run: 1,
    attempt: 1,
    status: 'paused',
    startedAt: 1,
    endedAt: 2,
    leg: 1,
    exports: '{}',
    returnValue: null,
    decision: null,
    error: null,
    pause: { kind: 'suspend', dueAt: null },
    sends: null,
    props: null,
    logs,
  };
}

export const retention = topic('retention', twoSources, (rule) => {
  for (const [name, keep, left] of [
    ['count', { count: 120, bytes: 1e9, before: 0 }, 120],
    ['bytes', { count: 1e9, bytes: 10 * 150, before: 0 }, 150],
    ['age', { count: 1e9, bytes: 1e9, before: 1000 + 60 }, 140],
    ['nothing, for the 100 newest stay', { count: 1, bytes: 1, before: 9999 }, 100],
    ['nothing, for all is within the limits', { count: 200, bytes: 1e9, before: 0 }, 200],
  ] as const) {
    rule(`removes events by ${name}`, async ({ store, reopen }) => {
      const payload = '"12345678"';
      const events = Array.from({ length: 200 }, (_, i) => event(at(i), { payload }));
      await run(store, { events });
      await run(store, { emitterId: 'dc_2', events: events.slice(0, 10) });
      expect(await store.events.prune(await ownerOf(store, 'dc_1'), keep)).toBe(200 - left);
      const again = await reopen();
      const page = await again.events.list('dc_1', { limit: 500 });
      const kept = events.slice(200 - left).map(({ id }) => id);
      expect(page.rows.map(({ id }) => id)).toEqual(kept.toReversed());
      expect((await again.events.list('dc_2', { limit: 1 })).total).toBe(10);
    });
  }

  rule('counts drops, events and notices apart', async ({ store }) => {
    const many = Array.from({ length: 150 }, (_, i) => at(i));
    await run(store, {
      events: [event('1-0')],
      drops: many.map((id) => drop(id)),
      notices: Array.from({ length: 130 }, (_, i) => event(at(500 + i), { channel: '$logs' })),
    });
    expect(await store.events.prune(await ownerOf(store, 'dc_1'), { ...all, count: 100 })).toBe(80);
    expect(await store.events.get('dc_1', '1-0')).toBeDefined();
    expect((await store.events.list('dc_1', { limit: 1, channel: '$logs' })).total).toBe(100);
  });

  rule('counts what came, went and was deleted in between', async ({ store, reopen }) => {
    const keep = { ...all, count: 150 };
    const add = (ms: number, count: number) =>
      run(store, { events: Array.from({ length: count }, (_, i) => event(`${ms}-${i}`)) });
    await add(1, 140);
    expect(await store.events.prune(await ownerOf(store, 'dc_1'), keep)).toBe(0);
    await add(2, 40);
    expect(await store.events.prune(await ownerOf(store, 'dc_1'), keep)).toBe(30);
    await add(3, 10);
    expect(
      await store.events.delete(await ownerOf(store, 'dc_1'), { start: '2-0', end: '2-4' }),
    ).toBe(5);
    expect(await store.events.prune(await ownerOf(store, 'dc_1'), keep)).toBe(5);
    const again = await reopen();
    expect((await again.events.list('dc_1', { limit: 1 })).total).toBe(150);
    expect(await again.events.prune(await ownerOf(again, 'dc_1'), { ...keep, count: 120 })).toBe(
      30,
    );
    expect(await again.events.prune({ id: 'dc_9', fence: 1 }, keep)).toBe(0);
  });

  rule('an invocation stays while an event of it does, or while it has no end', async (opened) => {
    const { store } = opened;
    const fence = await fenceOf(store, 'dc_1');
    const trigger = { kind: 'event', json: '{}' } as const;
    const accept = () =>
      store.accept({ emitterId: 'dc_1', fence, cause: 'manual', trigger, at: 1 });
    const unfinished = accept();
    const withEvent = await run(store, { events: [event('1-0')] });
    const withoutEvent = await run(store, { n: accept().n });
    for (let i = 0; i < 100; i++) await run(store);
    expect(
      await store.invocations.prune(await ownerOf(store, 'dc_1'), { count: 1, before: 0 }),
    ).toBe(1);
    expect(await store.invocations.get(withoutEvent.n)).toBeUndefined();
    expect(await store.invocations.trigger(withoutEvent.n)).toBeUndefined();
    expect(await store.invocations.get(withEvent.n)).toBeDefined();
    const open = (await take(store, 'dc_1')).unfinished;
    expect(open.map(({ record }) => record.n)).toEqual([unfinished.n]);
    await store.events.delete(await ownerOf(store, 'dc_1'), {});
    expect(
      await store.invocations.prune(await ownerOf(store, 'dc_1'), { count: 1, before: 0 }),
    ).toBe(1);
    expect(await store.invocations.get(withEvent.n)).toBeUndefined();
  });

  rule('log lines go by age or count', async ({ store, reopen }) => {
    const lines = Array.from({ length: 300 }, (_, i) => ({
      at: i,
      kind: 'console' as const,
      level: 'info' as const,
      text: String(i),
    }));
    const made = await run(store, { logs: lines });
    expect(await store.logs.prune(await ownerOf(store, 'dc_1'), { count: 250, before: 0 })).toBe(
      50,
    );
    expect(await store.logs.prune(await ownerOf(store, 'dc_1'), { count: 250, before: 120 })).toBe(
      70,
    );
    expect(await store.logs.prune(await ownerOf(store, 'dc_1'), { count: 250, before: 1e9 })).toBe(
      80,
    );
    const kept = await (await reopen()).logs.ofInvocation(made.n);
    expect([kept.length, kept[0]?.text]).toEqual([100, '200']);
  });

  rule('log lines of an execution that has not ended stay (P25.74)', async ({ store }) => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        at: i,
        kind: 'console' as const,
        level: 'info' as const,
        text: String(i),
      }));
    const leg = await begun(store);
    await store.commitStep({ ...leg, step: stepRun({ logs: lines(50) }), pause: { wakeAt: null } });
    await run(store, { logs: lines(200) });
    const owner = await ownerOf(store, 'dc_1');
    const kept = async () => (await store.executions.stepsWithLogs(leg.n))[0]?.logs.length;
    // The oldest 130: what stays of them is not taken from others.
    expect(await store.logs.prune(owner, { count: 120, before: 0 })).toBe(80);
    expect(await kept()).toBe(50);
    expect(await store.logs.prune(owner, { count: 120, before: 0 })).toBe(0);
    await store.commitStep({ ...leg, leg: 2, end: { status: 'succeeded', at: 9, reason: null } });
    expect(await store.logs.prune(owner, { count: 120, before: 0 })).toBe(50);
    expect(await kept()).toBe(0);
  });

  rule('an execution stays while an event of any leg does', async ({ store }) => {
    const leg = await begun(store);
    const pause = { wakeAt: null };
    await store.commitStep({ ...leg, events: [event('1-0')], pause });
    // Numbers of others lie in between.
    for (let i = 0; i < 110; i++) await run(store, { events: [event(at(i))] });
    await store.commitStep({ ...leg, leg: 2, events: [event('2000-0')], pause });
    const end = { status: 'succeeded', at: 9, reason: null } as const;
    await store.commitStep({ ...leg, leg: 3, events: [event('2001-0')], end });
    const listed = (await store.events.ofInvocation(leg.n)).map(({ id }) => id);
    expect(listed).toEqual(['1-0', '2000-0', '2001-0']);
    const owner = await ownerOf(store, 'dc_1');
    await store.events.prune(owner, { ...all, count: 100 });
    await store.invocations.prune(owner, { count: 1, before: 0 });
    expect(await store.invocations.get(leg.n)).toBeDefined();
    await store.events.delete(owner, {});
    for (let i = 0; i < 110; i++) await run(store);
    await store.invocations.prune(owner, { count: 1, before: 0 });
    expect(await store.invocations.get(leg.n)).toBeUndefined();
  });

  rule('deliveries that are over go with their attempts, open ones stay', async (opened) => {
    const { store } = opened;
    await store.webhooks.insert(webhook('wh_1'));
    const emit = async (count: number, ms: number, emitterId = 'dc_1') => {
      const events = Array.from({ length: count }, (_, i) =>
        event(`${ms}-${i}`, { webhooks: ['wh_1'] }),
      );
      const { deliveries } = await run(store, { emitterId, events });
      return deliveries.map(({ delivery }) => delivery);
    };
    const [first, second] = await emit(3, 1);
    const [other] = await emit(1, 1, 'dc_2');
    const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: {}, body: '{}' };
    const attempt = { at: 5, request, response: null, totalMs: 3, error: null };
    for (const delivery of [second, other]) {
      const delivered = { status: 'delivered', nextAt: null } as const;
      if (delivery)
        await store.deliveries.record(
          await fenceOf(store, delivery.emitterId),
          delivery,
          attempt,
          delivered,
        );
    }
    await emit(101, 9);
    expect(
      await store.deliveries.prune(await ownerOf(store, 'dc_1'), { count: 1, before: 0 }),
    ).toBe(1);
    const again = await opened.reopen();
    expect(await again.deliveries.get(second?.n ?? 0)).toBeUndefined();
    expect(await again.deliveries.attempts(second?.n ?? 0)).toEqual([]);
    expect((await again.deliveries.get(first?.n ?? 0))?.status).toBe('pending');
    expect((await again.deliveries.get(other?.n ?? 0))?.status).toBe('delivered');
  });
});
