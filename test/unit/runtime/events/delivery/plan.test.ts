import { describe, expect, test } from 'vitest';
import {
  failureOf,
  type Answer,
  type Failure,
} from '../../../../../src/runtime/events/delivery/failure.ts';
import { planNext, retryDelays } from '../../../../../src/runtime/events/delivery/plan.ts';
import type { DeliveryStatus } from '../../../../../src/runtime/store/history/deliveries.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const half = () => 0.5;
const refused: Failure = { class: 'refused', message: 'Nothing listens at a.' };
const answer = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: '',
});

/** What follows from an attempt, as status and ms from now. */
function after(
  attempts: number,
  made: Answer | Failure,
  {
    status = 'retrying',
    manual = false,
    random = half,
  }: { status?: DeliveryStatus; manual?: boolean; random?: () => number } = {},
) {
  const given =
    'status' in made ? { answer: made, failure: failureOf(made) } : { answer: null, failure: made };
  const next = planNext({ status, attempts, nextAt: now + 77 }, { ...given, manual }, now, random);
  return [next.status, next.nextAt === null ? null : next.nextAt - now];
}

describe('the schedule', () => {
  test.each([
    [0, 1_000],
    [1, 5_000],
    [2, 30_000],
    [3, 120_000],
    [4, 600_000],
    [5, 1_800_000],
    [6, 7_200_000],
  ])('after %i failed attempts before it: %i ms', (attempts, delay) => {
    expect(after(attempts, refused)).toEqual(['retrying', delay]);
    expect(after(attempts, refused, { random: () => 0 })).toEqual(['retrying', delay * 0.8]);
    const [, most] = after(attempts, refused, { random: () => 1 - 2 ** -53 });
    expect(most).toBeLessThanOrEqual(delay * 1.2);
    expect(most).toBeGreaterThan(delay * 1.19);
  });

  test('the eighth failure is the last', () => {
    expect(after(retryDelays.length, refused)).toEqual(['exhausted', null]);
    expect(after(retryDelays.length + 5, answer(500))).toEqual(['exhausted', null]);
  });
});

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [301, 'retrying'],
  [400, 'retrying'],
  [404, 'retrying'],
  [408, 'retrying'],
  [410, 'exhausted'],
  [429, 'retrying'],
  [500, 'retrying'],
  [503, 'retrying'],
])('%i is %s', (status, expected) => {
  expect(after(0, answer(status))[0]).toBe(expected);
});

test('an event that is no longer stored is given up at once', () => {
  expect(after(0, { class: 'gone', message: 'The event is no longer stored.' })).toEqual([
    'exhausted',
    null,
  ]);
});

describe('Retry-After', () => {
  test.each([
    ['7', 7_000],
    [' 120 ', 120_000],
    ['0', 1_000],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['Fri, 20 Nov 2026 12:05:00 GMT', 300_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 1_000],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 3_600_000],
  ])('"%s" waits %i ms, without jitter', (header, delay) => {
    const made = answer(503, { 'retry-after': header });
    expect(after(3, made, { random: () => 0 })).toEqual(['retrying', delay]);
  });

  test.each(['soon', '', '-5x'])('"%s" is no time: the schedule stands', (header) => {
    expect(after(1, answer(429, { 'retry-after': header }))).toEqual(['retrying', 5_000]);
  });

  test('does not lengthen the life of a delivery, nor delay one that arrived', () => {
    expect(after(7, answer(503, { 'retry-after': '1' }))).toEqual(['exhausted', null]);
    expect(after(0, answer(200, { 'retry-after': '60' }))).toEqual(['delivered', null]);
  });
});

describe('by hand', () => {
  test.each<DeliveryStatus>(['pending', 'retrying', 'delivered', 'exhausted', 'cancelled'])(
    'a failure leaves a %s one and its schedule as they are',
    (status) => {
      expect(after(2, refused, { status, manual: true })).toEqual([status, 77]);
    },
  );

  test.each<DeliveryStatus>(['pending', 'retrying', 'exhausted', 'cancelled'])(
    'a success delivers a %s one',
    (status) => {
      expect(after(9, answer(200), { status, manual: true })).toEqual(['delivered', null]);
    },
  );
});

test('an attempt that fails after another one delivered changes nothing', () => {
  expect(after(1, refused, { status: 'delivered' })[0]).toBe('delivered');
});
