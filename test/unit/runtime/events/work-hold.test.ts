import { expect, test } from 'vitest';
import { WeirError } from '../../../../src/protocol/errors.ts';
import { RunQueue, type Job } from '../../../../src/runtime/events/runs/run-queue.ts';
import { openGate } from '../../../../src/runtime/events/runs/probation.ts';
import { WorkHold } from '../../../../src/runtime/events/work-hold.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const trouble = new WeirError('store_failed', 'The disk is full.');

function setUp() {
  const clock = new FakeClock();
  const store = {
    failure: undefined as WeirError | undefined,
    unreachable: undefined as WeirError | undefined,
  };
  const lease = { isPaused: false };
  const hold = new WorkHold({ store, clock, isPaused: () => lease.isPaused });
  const released: string[] = [];
  hold.onRelease(() => void released.push('first'));
  hold.onRelease(() => void released.push('second'));
  return { clock, store, hold, released, lease };
}

test('P12.25 a store that failed holds everything, and does not release it', () => {
  const { clock, store, hold, released } = setUp();
  expect(hold.isHeld).toBe(false);
  store.failure = trouble;
  expect(hold.isHeld).toBe(true);
  clock.pass(60_000);
  expect(hold.isHeld).toBe(true);
  expect(released).toEqual([]);
});

test('P12.25 a store that answers again releases in order whoever was held', () => {
  const { clock, store, hold, released } = setUp();
  store.unreachable = trouble;
  expect(hold.isHeld).toBe(true);
  clock.pass(1000);
  expect(released).toEqual([]);
  store.unreachable = undefined;
  clock.pass(1000);
  expect(released).toEqual(['first', 'second']);
  clock.pass(1000);
  expect(released).toHaveLength(2);
});

test('a runtime that is paused by its lease is released when the pause ends, and not before the store answers', () => {
  const { clock, store, hold, released, lease } = setUp();
  lease.isPaused = true;
  expect(hold.isHeld).toBe(true);
  store.unreachable = trouble;
  lease.isPaused = false;
  clock.pass(1000);
  expect(hold.isHeld).toBe(true);
  expect(released).toEqual([]);
  store.unreachable = undefined;
  clock.pass(1000);
  expect(released).toEqual(['first', 'second']);
});

test('P12.25 neither a run nor a hook of a queue begins, whenever the queue was made', () => {
  const { store, hold } = setUp();
  store.failure = trouble;
  const queue = new RunQueue(8, openGate, hold);
  for (const [n, name] of (['serial', 'http', 'hook'] as const).entries()) {
    queue.push({ n, queue: name } as Job);
  }
  expect([queue.canStart, queue.start(), queue.takeReady()]).toEqual([false, undefined, []]);
  store.failure = undefined;
  expect(queue.canStart).toBe(true);
  expect(queue.start()?.queue).toBe('hook');
});
