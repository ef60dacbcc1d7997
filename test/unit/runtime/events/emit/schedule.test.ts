import { describe, expect, test } from 'vitest';
import type { Emit } from '../../../../../src/protocol/host.ts';
import {
  dueAtOf,
  holdBack,
  partByDueTime,
} from '../../../../../src/runtime/events/emit/schedule.ts';

const now = 1_800_000_000_000;
const day = 86_400_000;
const nothing = { count: 0, bytes: 0 };
const roomy = { count: 100, bytes: 1e6 };

const emit = (deliveryTs?: number, fields: Partial<Emit> = {}): Emit => ({
  event: '{}',
  at: now,
  ...(deliveryTs !== undefined && { deliveryTs }),
  ...fields,
});

test.each([
  ['none', undefined, undefined],
  ['one that is past', now - 1, undefined],
  ['this moment', now, undefined],
  ['one in seconds', now / 1000, undefined],
  ['one to come', now + 1, now + 1],
  ['a part of a millisecond', now + 0.5, now + 1],
])('with %s as delivery_ts an emit is due at once or then', (_what, deliveryTs, dueAt) => {
  expect(dueAtOf(emit(deliveryTs), now)).toBe(dueAt);
});

describe('what may not wait', () => {
  const reasons = (emits: readonly Emit[], waiting = nothing, most = roomy) =>
    holdBack(emits, waiting, most, now).dropped.map(({ reason }) => reason);

  test('is what is due in more than ten years', () => {
    expect(reasons([emit(now + 3650 * day)])).toEqual([]);
    const microseconds = now * 1000;
    expect(reasons([emit(microseconds)])).toEqual([
      `Its delivery_ts ${microseconds} is more than ten years ahead: give epoch milliseconds.`,
    ]);
  });

  test('is what is one too many, together with those that wait', () => {
    const most = { count: 3, bytes: 1e6 };
    const emits = [emit(now + 1), emit(), emit(now + 2), emit(now - 1)];
    const { emits: taken, dropped } = holdBack(emits, { count: 2, bytes: 4 }, most, now);
    expect(taken).toEqual([emits[0], emits[1], emits[3]]);
    expect(dropped).toEqual([
      { emit: emits[2], reason: expect.stringMatching(/^3 events .* scheduled\.events/) },
    ]);
  });

  test('is what is too large, together with those that wait', () => {
    const most = { count: 9, bytes: 10 };
    const large = emit(now + 1, { event: '"éééé"' });
    expect(reasons([large], nothing, most)).toEqual([]);
    expect(reasons([large], { count: 1, bytes: 1 }, most)).toEqual([
      expect.stringContaining('scheduled.megabytes'),
    ]);
    // What goes at once takes no room.
    expect(reasons([emit(undefined, { event: '"éééé"' })], { count: 9, bytes: 10 }, most)).toEqual(
      [],
    );
  });
});

test('a batch is parted in its order; what was left out stays out', () => {
  const emits = [
    emit(now + 5, { id: 'a', name: 'c', summary: 'S', ts: 7 }),
    emit(undefined, { id: 'b' }),
    emit(now + 2),
    emit(now - 2),
  ];
  expect(partByDueTime(emits, now, 4)).toEqual({
    now: [emits[1], emits[3]],
    later: [
      {
        dueAt: now + 5,
        scheduledAt: now,
        channel: 'c',
        dedupeId: 'a',
        summary: 'S',
        ts: 7,
        payload: '{}',
        hops: 5,
      },
      { dueAt: now + 2, scheduledAt: now, channel: '', payload: '{}', hops: 5 },
    ],
  });
});

test('runs that each wait a minute for the next are no ring', () => {
  const hops = (wait: number) => partByDueTime([emit(now + wait)], now, 20).later[0]?.hops;
  expect([hops(59_999), hops(60_000)]).toEqual([21, 1]);
});
