import { expect, test } from 'vitest';
import { backoff } from '../../../src/client/backoff.ts';

test.each([
  [0, 0.5, 100],
  [1, 0.5, 200],
  [5, 0.5, 3200],
  [6, 0.5, 5000],
  [1000, 0.5, 5000],
  [0, 0, 80],
  [0, 1, 120],
])('attempt %i with %f → %i ms', (attempt, random, ms) => {
  expect(backoff(attempt, random)).toBe(ms);
});
