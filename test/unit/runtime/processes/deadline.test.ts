import { expect, test } from 'vitest';
import { Deadline } from '../../../../src/runtime/processes/deadline.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function setUp(limitMs = 1000): { clock: FakeClock; deadline: Deadline; expired: number[] } {
  const clock = new FakeClock();
  const expired: number[] = [];
  return { clock, expired, deadline: new Deadline(clock, limitMs, (n) => expired.push(n)) };
}

test('the oldest piece of work is over when the limit has passed, not before', () => {
  const { clock, deadline, expired } = setUp();
  deadline.start(1);
  clock.pass(500);
  deadline.start(2);
  clock.pass(499);
  expect(expired).toEqual([]);
  clock.pass(1);
  expect(expired).toEqual([1]);
});

test('an end that was only read late is not an expiry', () => {
  const { clock, deadline, expired } = setUp();
  deadline.start(1);
  // The first look finds it late; its end is read before the second.
  clock.ring();
  deadline.end(1);
  clock.pass(5000);
  expect(expired).toEqual([]);
});

test('one timer serves many, and none runs while there is nothing to watch', () => {
  const { clock, deadline, expired } = setUp();
  for (let n = 1; n <= 100; n += 1) {
    deadline.start(n);
    deadline.end(n);
  }
  expect(clock.waits).toEqual([1000]);
  clock.pass(5000);
  expect([clock.waits, expired]).toEqual([[], []]);
  deadline.start(101);
  clock.pass(1000);
  expect(expired).toEqual([101]);
});

test('what started later has its own whole time', () => {
  const { clock, deadline, expired } = setUp();
  deadline.start(1);
  clock.pass(900);
  deadline.start(2);
  deadline.end(1);
  clock.pass(999);
  expect(expired).toEqual([]);
  clock.pass(1);
  expect(expired).toEqual([2]);
});

test('while it is held nothing expires; released, everything has its whole time again', () => {
  const { clock, deadline, expired } = setUp();
  deadline.start(1);
  clock.pass(900);
  deadline.hold();
  clock.pass(5000);
  deadline.release();
  clock.pass(999);
  expect(expired).toEqual([]);
  clock.pass(1);
  expect(expired).toEqual([1]);
});

test('a limit above the longest timer of the system is waited for in parts', () => {
  const limitMs = 2 ** 31 + 1000;
  const { clock, deadline, expired } = setUp(limitMs);
  deadline.start(1);
  clock.pass(limitMs - 1);
  expect(Math.max(...clock.asked)).toBeLessThan(2 ** 31);
  expect(expired).toEqual([]);
  clock.pass(1);
  expect(expired).toEqual([1]);
});

test('a stopped one is silent', () => {
  const { clock, deadline, expired } = setUp();
  deadline.start(1);
  deadline.stop();
  clock.pass(5000);
  expect(expired).toEqual([]);
});
