/** The judge itself: each fault is found. */
import { expect, test } from 'vitest';
import { judge, type Seen, type Sent } from './expectations.ts';

const sent: readonly Sent[] = [
  { number: 1, version: 1, acknowledged: true },
  { number: 2, version: 1, acknowledged: true },
  { number: 3, version: 2, acknowledged: false },
];
const right: Seen = {
  emitted: [
    { number: 2, count: 1, version: 1 },
    { number: 1, count: 2, version: 1 },
  ],
  followed: [
    { number: 2, count: 1 },
    { number: 1, count: 2 },
  ],
  delivered: [2, 2, 1],
  streamed: [2, 1],
};

test('what is right is right', () => {
  expect(judge(sent, right)).toEqual({ missing: [], wrong: [] });
});

test.each<[string, Partial<Seen>, 'missing' | 'wrong']>([
  ['a lost event', { emitted: right.emitted.slice(0, 1) }, 'missing'],
  ['an event twice', { emitted: [...right.emitted, { number: 1, count: 3, version: 1 }] }, 'wrong'],
  ['an event of nothing', { emitted: [{ number: 9, count: 1, version: 1 }] }, 'wrong'],
  [
    'an older version',
    { emitted: [...right.emitted, { number: 3, count: 3, version: 1 }] },
    'wrong',
  ],
  ['a db that went back', { emitted: right.emitted.map((one) => ({ ...one, count: 1 })) }, 'wrong'],
  ['a listener that missed one', { followed: right.followed.slice(0, 1) }, 'missing'],
  ['a listener in another order', { followed: right.followed.toReversed() }, 'wrong'],
  ['a stream that missed one', { streamed: [1] }, 'wrong'],
  ['a stream that told one twice', { streamed: [2, 2, 1] }, 'wrong'],
  ['a webhook that missed the last', { delivered: [2] }, 'missing'],
  ['a webhook in another order', { delivered: [1, 2] }, 'wrong'],
])('%s is found', (_fault, fault, where) => {
  expect(judge(sent, { ...right, ...fault })[where]).not.toEqual([]);
});
