import { expect, test } from 'vitest';
import { Deadline, type Clock } from '../../../../src/runtime/hosts/deadline.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function setUp() {
  const clock = new FakeClock();
  const system: Clock = { now: clock.now, after: (ms, call) => clock.setTimer(call, ms) };
  const expired: number[] = [];
  const deadline = new Deadline(system, 1000, (n) => expired.push(n));
  return { clock, system, expired, deadline };
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

test('an end that was only read late is no expiry', () => {
  const { clock, system, deadline, expired } = setUp();
  deadline.start(1);
  system.after = (_ms, call) => {
    // The first look finds it late; its end is read before the second.
    deadline.end(1);
    call();
    return () => {};
  };
  clock.pass(5000);
  expect(expired).toEqual([]);
});

test('one timer serves many, and none runs while there is nothing to watch', () => {
  const { clock, deadline, expired } = setUp();
  for (let n = 1; n <= 100; n += 1) {
    deadline.start(n);
    deadline.end(n);
  }
  expect(clock.asked).toHaveLength(1);
  clock.pass(5000);
  expect([clock.asked.length, expired]).toEqual([1, []]);
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

test('a stopped one is silent', () => {
  const { clock, deadline, expired } = setUp();
  deadline.start(1);
  deadline.stop();
  clock.pass(5000);
  expect(expired).toEqual([]);
});
