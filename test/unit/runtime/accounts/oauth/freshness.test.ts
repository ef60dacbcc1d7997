import { expect, test } from 'vitest';
import { isDue, retryAfter } from '../../../../../src/runtime/accounts/oauth/freshness.ts';
import { healthOf } from '../../../../../src/runtime/accounts/oauth/health.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Of a token that came at the hour of 10 and lives for so many seconds. */
const token = (expiresIn: number | undefined, more = {}) => ({
  ...healthOf(
    { expiresIn, scope: undefined },
    { now: 10 * hour, kind: 'code', scope: 'a b', canRefresh: true, refreshed: false },
  ),
  ...more,
});

const rows: readonly (readonly [string, ReturnType<typeof token>, number, boolean])[] = [
  ['a new one is not due', token(3600), 10 * hour, false],
  [
    'with more left than the run and a minute it is not',
    token(3600),
    11 * hour - 7 * minute,
    false,
  ],
  ['with less left it is', token(3600), 11 * hour - 5 * minute, true],
  ['one that has run out is', token(3600), 12 * hour, true],
  ['clause 19: one that never runs out is not', token(undefined), 99 * hour, false],
  ['one that cannot be refreshed is not', token(3600, { canRefresh: false }), 12 * hour, false],
  ['clause 18: a dead one is not', token(3600, { status: 'dead' }), 12 * hour, false],
  [
    'one that waits for its next try is not',
    token(3600, { retryAt: 12 * hour + 1 }),
    12 * hour,
    false,
  ],
  ['and is after that', token(3600, { retryAt: 12 * hour }), 12 * hour, true],
  ['clause 20: the clock was set back by an hour', token(3600), 9 * hour, true],
  [
    'clause 20: a try that lies hours ahead by such a clock',
    token(3600, { retryAt: 14 * hour }),
    12 * hour,
    true,
  ],
  ['clause 21: a minute lives for half a minute', token(60), 10 * hour + 29_000, false],
  ['clause 21: and is due then', token(60), 10 * hour + 30_000, true],
  ['clause 21: two seconds are not due at once', token(2), 10 * hour + 900, false],
];

test.each(rows)('%s', (_what, health, now, expected) => {
  expect(isDue(health, now, 5 * minute)).toBe(expected);
});

test('the pause between two tries doubles, up to five minutes', () => {
  expect([1, 2, 3, 4, 7, 30].map(retryAfter)).toEqual([
    5000, 10_000, 20_000, 40_000, 300_000, 300_000,
  ]);
});
