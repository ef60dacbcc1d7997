import { expect, test } from 'vitest';
import type { Emit } from '../../../../../src/protocol/host.ts';
import { orderEmits } from '../../../../../src/runtime/events/emit/order.ts';

type Case = [
  name: string,
  emits: [event: string, ts: number | undefined, at: number][],
  order: string,
];

test.each<Case>([
  [
    'no ts: call order',
    [
      ['a', undefined, 3],
      ['b', undefined, 1],
    ],
    'ab',
  ],
  [
    'newest first becomes oldest first',
    [
      ['c', 3, 0],
      ['b', 2, 0],
      ['a', 1, 0],
    ],
    'abc',
  ],
  [
    'equal ts: call order',
    [
      ['a', 5, 0],
      ['b', 5, 0],
      ['c', 4, 0],
    ],
    'cab',
  ],
  [
    'one without ts counts as emitted at its call',
    [
      ['b', 20, 30],
      ['m', undefined, 15],
      ['a', 10, 31],
    ],
    'amb',
  ],
  [
    'seconds among milliseconds are taken as they are',
    [
      ['b', 1_700_000_000_000, 0],
      ['a', 1_700_000_000, 0],
    ],
    'ab',
  ],
  [
    'negative and fractional',
    [
      ['c', 0.5, 0],
      ['a', -1, 0],
      ['b', 0.25, 0],
    ],
    'abc',
  ],
])('%s', (_name, emits, order) => {
  const given: Emit[] = emits.map(([event, ts, at]) => ({
    event,
    at,
    ...(ts === undefined ? {} : { ts }),
  }));
  const before = [...given];
  expect(
    orderEmits(given)
      .map((emit) => emit.event)
      .join(''),
  ).toBe(order);
  expect(given).toEqual(before);
});

test('stable over a long batch with few different ts', () => {
  const given: Emit[] = Array.from({ length: 1000 }, (_, i) => ({
    event: String(i),
    at: 0,
    ts: i % 3,
  }));
  const events = orderEmits(given).map((emit) => Number(emit.event));
  for (let i = 1; i < events.length; i++) {
    const [previous, current] = [events[i - 1]!, events[i]!];
    expect(previous % 3 < current % 3 || (previous % 3 === current % 3 && previous < current)).toBe(
      true,
    );
  }
});
