import { expect, test } from 'vitest';
import { planRestart } from '../../../../src/extension/connection/restart-policy.ts';

const now = 1_000_000;

test('waits longer after each loss within a minute, then gives up', () => {
  const plans = [1, 2, 3, 4, 5, 6].map((n) =>
    planRestart(
      Array.from({ length: n }, () => now),
      now,
    ),
  );
  expect(plans).toEqual([
    { restart: true, delayMs: 0 },
    { restart: true, delayMs: 500 },
    { restart: true, delayMs: 1000 },
    { restart: true, delayMs: 2000 },
    { restart: true, delayMs: 4000 },
    { restart: false },
  ]);
});

test('losses of more than a minute ago are forgotten', () => {
  const old = Array.from({ length: 9 }, () => now - 60_000);
  expect(planRestart([...old, now], now)).toEqual({ restart: true, delayMs: 0 });
});
