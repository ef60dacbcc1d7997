import { describe, expect, test, vi } from 'vitest';
import { coalesce, debounce, every } from '../../../src/extension/timing.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function setUp() {
  const act = vi.fn<() => void>();
  return { act, clock: new FakeClock() };
}

describe('coalesce', () => {
  test('acts at once, and once more for a burst', () => {
    const { act, clock } = setUp();
    const { request } = coalesce(clock, 100, act);
    for (let n = 0; n < 50; n++) request();
    expect(act).toHaveBeenCalledTimes(1);
    clock.pass(100);
    expect(act).toHaveBeenCalledTimes(2);
    clock.pass(1000);
    expect(act).toHaveBeenCalledTimes(2);
  });

  test('never acts more often than the interval', () => {
    const { act, clock } = setUp();
    const { request } = coalesce(clock, 100, act);
    for (let n = 0; n < 100; n++) {
      request();
      clock.pass(10);
    }
    expect(act).toHaveBeenCalledTimes(11);
  });

  test('does nothing after it was disposed', () => {
    const { act, clock } = setUp();
    const { request, dispose } = coalesce(clock, 100, act);
    request();
    request();
    dispose();
    clock.pass(1000);
    expect(act).toHaveBeenCalledTimes(1);
  });
});

describe('debounce', () => {
  test('acts once, after the last request', () => {
    const { act, clock } = setUp();
    const { request } = debounce(clock, act);
    for (let n = 0; n < 10; n++) {
      request(100);
      clock.pass(99);
    }
    expect(act).not.toHaveBeenCalled();
    clock.pass(1);
    expect(act).toHaveBeenCalledTimes(1);
    clock.pass(1000);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test('does nothing after it was disposed, until the next request', () => {
    const { act, clock } = setUp();
    const { request, dispose } = debounce(clock, act);
    request(100);
    dispose();
    clock.pass(1000);
    expect(act).not.toHaveBeenCalled();
    request(100);
    clock.pass(100);
    expect(act).toHaveBeenCalledTimes(1);
  });
});

test('every acts once per interval until it is disposed', () => {
  const { act, clock } = setUp();
  const timer = every(clock, 100, act);
  expect(act).not.toHaveBeenCalled();
  clock.pass(1050);
  expect(act).toHaveBeenCalledTimes(10);
  timer.dispose();
  clock.pass(1000);
  expect(act).toHaveBeenCalledTimes(10);
});
