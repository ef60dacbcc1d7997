import { expect, test } from 'vitest';
import { createRateLimit } from '../../../../src/runtime/server/rate-limit.ts';

test('five seconds of requests at once, then as many as are due, each key by itself', () => {
  let now = 0;
  const limit = createRateLimit(2, () => now);
  const taken = () => Array.from({ length: 12 }, () => limit.take('a')).filter((ms) => ms === 0);
  expect(taken()).toHaveLength(10);
  expect(limit.take('a')).toBe(500);
  expect(limit.take('b')).toBe(0);
  now = 490;
  expect(limit.take('a')).toBeGreaterThanOrEqual(10);
  now = 500;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(500);
  now = 1_000_000;
  expect(taken()).toHaveLength(10);
});

test('less than one a second', () => {
  let now = 0;
  const limit = createRateLimit(0.1, () => now);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(10_000);
  now = 10_000;
  expect(limit.take('a')).toBe(0);
});
