import { expect, test } from 'vitest';
import { Deadline, type Clock } from '../../../../src/runtime/hosts/deadline.ts';

/** Time that passes when told to; counts the timers that were set. */
class HandClock implements Clock {
  time = 0;
  set = 0;
  #timer: { at: number; call: () => void } | undefined;
  now(): number {
    return this.time;
  }
  after(ms: number, call: () => void): () => void {
    this.set += 1;
    const timer = { at: this.time + ms, call };
    this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = undefined;
    };
  }
  pass(ms: number): void {
    const until = this.time + ms;
    while (this.#timer !== undefined && this.#timer.at <= until) {
      this.time = this.#timer.at;
      const { call } = this.#timer;
      this.#timer = undefined;
      call();
    }
    this.time = until;
  }
}

function setUp(): { clock: HandClock; deadline: Deadline; expired: number[] } {
  const clock = new HandClock();
  const expired: number[] = [];
  return { clock, expired, deadline: new Deadline(clock, 1000, (n) => expired.push(n)) };
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
  const { clock, deadline, expired } = setUp();
  deadline.start(1);
  clock.after = (_ms, call) => {
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
  expect(clock.set).toBe(1);
  clock.pass(5000);
  expect([clock.set, expired]).toEqual([1, []]);
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
