import { expect, test } from 'vitest';
import { settledWithin } from '../../../../src/runtime/base/clock.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

test('settledWithin resolves when the work has settled, however it went, and its timer is gone', async () => {
  const clock = new FakeClock();
  await settledWithin(clock, 1000, Promise.resolve());
  await settledWithin(clock, 1000, Promise.reject(new Error('failed')));
  expect(clock.waits).toEqual([]);
});

test('settledWithin does not wait longer than it was told to', async () => {
  const clock = new FakeClock();
  let over = false;
  const waited = settledWithin(clock, 1000, new Promise(() => undefined)).then(() => {
    over = true;
  });
  clock.pass(999);
  await Promise.resolve();
  expect(over).toBe(false);
  clock.pass(1);
  await waited;
});
