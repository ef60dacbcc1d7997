import { describe, expect, test } from 'vitest';
import type { Emit } from '../../../../../src/protocol/host.ts';
import type { DedupeStrategy } from '../../../../../src/runtime/events/emit/dedupe.ts';
import { OwnedEmitters } from '../../../../../src/runtime/events/owner/owned-emitters.ts';
import { EventPlanner } from '../../../../../src/runtime/events/emit/planner.ts';

function planner(strategy: DedupeStrategy | null): EventPlanner {
  let n = 0;
  return new EventPlanner({
    emitId: () => `emit${n++}`,
    listeners: {
      of: (id, channel) => ({ webhooks: [`wh_of_${id}_${channel}`], triggers: ['dc_listener'] }),
    },
    strategy: () => strategy,
    mostWaiting: { count: 3, bytes: 1000 },
  });
}

const emitters = new OwnedEmitters();

/** As it is handed to its owner when it has done nothing yet. */
function emitter(id: string) {
  return emitters.add({
    id,
    fence: 1,
    released: true,
    db: {},
    dedupe: { strategy: null, ids: [] },
    newestEvent: undefined,
    lastInvocation: undefined,
    unfinished: [],
    openDeliveries: [],
    waitingEmits: { count: 0, bytes: 0, nextAt: undefined },
    pendingSends: [],
  });
}

const emit = (fields: Partial<Emit>): Emit => ({ event: '{}', at: 1, ...fields });

test('an event carries what was given, its listeners and its ids', () => {
  const emits = [
    emit({ event: '{"b":2}', id: 0, ts: 20, name: 'news', summary: 'second' }),
    emit({ event: '1', ts: 10 }),
  ];
  expect(planner(null).plan(emitter('dc_1'), emits, 5000)).toEqual({
    drops: [],
    events: [
      {
        id: '5000-0',
        indexedAt: 5000,
        emitId: 'emit0',
        channel: '',
        ts: 10,
        payload: '1',
        webhooks: ['wh_of_dc_1_'],
        triggers: ['dc_listener'],
      },
      {
        id: '5000-1',
        indexedAt: 5000,
        emitId: 'emit1',
        channel: 'news',
        dedupeId: 0,
        summary: 'second',
        ts: 20,
        payload: '{"b":2}',
        webhooks: ['wh_of_dc_1_news'],
        triggers: ['dc_listener'],
      },
    ],
  });
});

test('a drop keeps the payload and says why; the next run remembers', () => {
  const one = planner('unique');
  const [first, second] = [emitter('dc_1'), emitter('dc_2')];
  const plan = one.plan(
    first,
    [emit({ id: 'a' }), emit({ id: 'a', event: '"again"', name: 'c' })],
    1,
  );
  expect(plan.dedupe).toEqual({ strategy: 'unique', append: ['a'] });
  expect(plan.drops).toMatchObject([
    {
      id: '1-1',
      at: 1,
      channel: 'c',
      dedupeId: 'a',
      payload: '"again"',
      reason: expect.stringContaining('"a"'),
    },
  ]);
  expect(one.plan(first, [emit({ id: 'a' })], 2).events).toEqual([]);
  expect(one.plan(second, [emit({ id: 'a' })], 2).events).toHaveLength(1);
});

describe('the end of a ring (P18.14)', () => {
  const listeners = {
    of: (_id: string, channel: string) => ({
      webhooks: ['wh_1'],
      triggers: channel === 'unheard' ? [] : ['dc_listener'],
    }),
  };
  const one = new EventPlanner({
    emitId: () => 'emit',
    listeners,
    strategy: () => 'unique',
    mostWaiting: { count: 1, bytes: 9 },
  });
  const emits = [emit({ id: 'a' }), emit({ id: 'b', name: 'unheard' })];
  const plan = (id: string, hops: number) => one.plan(emitter(id), emits, 1, hops);

  test('one before the last goes on', () => {
    expect(plan('dc_5', 31)).toMatchObject({ events: [{}, {}], drops: [] });
  });

  test('the last emits what starts nothing; the rest is dropped, and dedupe has not seen it', () => {
    expect(plan('dc_6', 32)).toMatchObject({
      events: [{ channel: 'unheard' }],
      drops: [{ dedupeId: 'a', reason: expect.stringContaining('ring') }],
      dedupe: { append: ['b'] },
    });
  });

  test('its notices are dropped as well', () => {
    const error = { name: 'Error', message: 'no' };
    const told = (hops: number) => {
      const run = { n: 1, emitterId: 'dc_7', cause: 'event', attempt: 1, startedAt: 1, endedAt: 1 };
      const trigger = { kind: 'event', json: '1', hops } as const;
      const ended = { ...run, trigger, hops, status: 'failed', error, logs: [] };
      return one.notices(emitter('dc_7'), () => ended, 1);
    };
    expect(told(31)).toMatchObject({ events: [{ channel: '$errors' }], drops: [] });
    expect(told(32)).toMatchObject({
      events: [],
      drops: [
        { channel: '$errors', summary: 'Error: no', reason: expect.stringContaining('ring') },
      ],
    });
  });
});

describe('with a delivery_ts', () => {
  const now = 5000;

  test('an emit waits, takes room and is no event; one that is past is', () => {
    const one = emitter('dc_8');
    const emits = [
      emit({ deliveryTs: now + 10, event: '"later"' }),
      emit({ event: '"now"' }),
      emit({ deliveryTs: now - 10, event: '"late"' }),
      emit({ deliveryTs: now + 5, event: '"soon"' }),
    ];
    const plan = planner(null).plan(one, emits, now);
    expect(plan.events.map(({ payload }) => payload)).toEqual(['"now"', '"late"']);
    expect(plan.scheduled?.map(({ payload }) => payload)).toEqual(['"later"', '"soon"']);
    expect(one.waitingEmits).toMatchObject({ count: 2, bytes: 13, nextAt: now + 5 });
    const more = planner(null).plan(one, [emits[0]!, emits[3]!], now);
    expect([more.scheduled?.length, more.drops]).toEqual([
      1,
      [expect.objectContaining({ reason: expect.stringMatching(/^3 events/) })],
    ]);
  });

  test('what there is no room for is not remembered by dedupe', () => {
    const one = emitter('dc_9');
    const emits = [1, 2, 3, 4].map((id) => emit({ id, deliveryTs: now + id }));
    const plan = planner('unique').plan(one, emits, now);
    expect([plan.scheduled?.length, plan.drops.length]).toEqual([3, 1]);
    one.waitingEmits.remove({ count: 1, bytes: 2 });
    expect(planner('unique').plan(one, [emits[3]!], now).scheduled).toHaveLength(1);
  });

  test('it becomes an event of the listeners of then, with what was given', () => {
    const one = emitter('dc_10');
    const emits = [emit({ id: 'a', name: 'news', summary: 'S', ts: 1, deliveryTs: now + 1 })];
    const [scheduled] = planner(null).plan(one, emits, now).scheduled ?? [];
    const waiting = {
      n: 7,
      emitterId: 'dc_10',
      invocation: 3,
      dueAt: now + 1,
      scheduledAt: now,
      channel: 'news',
      dedupeId: 'a',
      summary: 'S',
      ts: 1,
      payload: '{}',
      hops: 1,
    };
    expect(waiting).toMatchObject({ ...scheduled });
    expect(planner(null).due(one, [waiting], now + 2)).toEqual([
      {
        emit: waiting,
        event: {
          id: `${now + 2}-0`,
          indexedAt: now + 2,
          emitId: 'emit0',
          channel: 'news',
          dedupeId: 'a',
          summary: 'S',
          ts: 1,
          payload: '{}',
          webhooks: ['wh_of_dc_10_news'],
          triggers: ['dc_listener'],
        },
      },
    ]);
  });
});

test('nothing emitted is nothing to commit', () => {
  expect(planner('unique').plan(emitter('dc_1'), [], 1)).toEqual({ events: [], drops: [] });
});
