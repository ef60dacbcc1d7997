import { describe, expect, it } from 'vitest';
import { ExecutionQueue, limitsOf } from '../../../../../src/runtime/workflows/executions/queue.ts';

const one = (n: number, attempt = 1, concurrencyKey?: string) => ({ n, attempt, concurrencyKey });

function queue(workers: number, throttle?: { limit: number; intervalMs: number }) {
  const limits = { ...limitsOf({ workers }), throttle };
  return new ExecutionQueue<ReturnType<typeof one>>(limits);
}

/** Those that begin at this time. */
function begun(from: ReturnType<typeof queue>, now = 0): number[] {
  const found: number[] = [];
  for (let next = from.start(now); next !== undefined; next = from.start(now)) found.push(next.n);
  return found;
}

describe('whose turn it is', () => {
  it('P25.60 in the order of the inbox, as many as there are workers, what is due first', () => {
    const waiting = queue(2);
    for (const n of [3, 1, 2]) waiting.push(one(n));
    waiting.pushDue(one(9));
    expect(begun(waiting)).toEqual([9, 1]);
    expect(begun(waiting)).toEqual([]);
    waiting.done({});
    expect(begun(waiting)).toEqual([2]);
  });

  it('P25.62 one of each key at a time, in the order of the inbox; those of others pass it by', () => {
    const waiting = queue(16);
    for (const n of [1, 3, 5]) waiting.push(one(n, 1, 'a'));
    for (const n of [2, 4]) waiting.push(one(n, 1, 'b'));
    waiting.push(one(6));
    expect(begun(waiting)).toEqual([1, 2, 6]);
    waiting.done(one(1, 1, 'a'));
    expect(begun(waiting)).toEqual([3]);
  });

  it('P25.62 those of a key that were cut off keep their order, and go before those that were not', () => {
    const waiting = queue(16);
    waiting.push(one(4, 1, 'a'));
    waiting.pushCutOff(one(2, 1, 'a'));
    waiting.pushCutOff(one(1, 2, 'a'));
    const order: number[] = [];
    for (let now = 0; order.length < 3; now += 2000) {
      for (const n of begun(waiting, now)) {
        order.push(n);
        waiting.cameFurther(n);
        waiting.done(one(n, 1, 'a'));
      }
    }
    expect(order).toEqual([1, 2, 4]);
  });

  it('P25.61 no more than the throttle lets in each window; 0 lets none', () => {
    const waiting = queue(16, { limit: 2, intervalMs: 1000 });
    for (const n of [1, 2, 3]) waiting.push(one(n));
    expect(begun(waiting, 5000)).toEqual([1, 2]);
    expect(waiting.opensAt(5500)).toBe(6000);
    expect(begun(waiting, 5999)).toEqual([]);
    expect(begun(waiting, 6000)).toEqual([3]);
    waiting.limits = { ...waiting.limits, throttle: { limit: 0, intervalMs: 1000 } };
    waiting.push(one(4));
    expect([begun(waiting, 9000), waiting.opensAt(9000)]).toEqual([[], undefined]);
  });

  it('the clock set back opens a new window, and waits for nothing', () => {
    const waiting = queue(16, { limit: 1, intervalMs: 1000 });
    for (const n of [1, 2]) waiting.push(one(n));
    expect(begun(waiting, 50_000)).toEqual([1]);
    expect(begun(waiting, 10)).toEqual([2]);
  });
});

describe('P25.22 those that the end of a runtime cut off', () => {
  it('go on one by one, each when a step of the last has ended; others do not wait for them', () => {
    const waiting = queue(16);
    waiting.push(one(8));
    waiting.pushDue(one(7));
    for (const n of [1, 2, 3]) waiting.pushCutOff(one(n));
    expect(begun(waiting)).toEqual([1, 7, 8]);
    expect(waiting.cameFurther(1)).toBe(true);
    expect(begun(waiting)).toEqual([2]);
    expect(waiting.cameFurther(1)).toBe(false);
    expect(begun(waiting)).toEqual([]);
    expect(waiting.cameFurther(2)).toBe(true);
    expect(begun(waiting)).toEqual([3]);
  });

  it('the one that was cut off least goes first', () => {
    const waiting = queue(16);
    const attempts = [2, 1, 2, 1];
    attempts.forEach((attempt, index) => waiting.pushCutOff(one(index + 1, attempt)));
    const order: number[] = [];
    for (let now = 0; order.length < 4; now += 1000) order.push(...begun(waiting, now));
    expect(order).toEqual([2, 4, 1, 3]);
  });

  it('wait a second at most for one whose step takes its time, and not when the clock is set back', () => {
    const waiting = queue(16);
    for (const n of [1, 2, 3]) waiting.pushCutOff(one(n));
    expect(begun(waiting, 10_000)).toEqual([1]);
    expect(waiting.opensAt(10_500)).toBe(11_000);
    expect(begun(waiting, 10_999)).toEqual([]);
    expect(begun(waiting, 11_000)).toEqual([2]);
    expect(begun(waiting, 3)).toEqual([3]);
  });

  it('one that was cut off twice lets others load the code first, where others are there', () => {
    const waiting = queue(16);
    waiting.push(one(8));
    waiting.pushCutOff(one(1, 2));
    expect(begun(waiting, 0)).toEqual([8]);
    expect(waiting.opensAt(400)).toBe(1000);
    expect(waiting.cameFurther(8)).toBe(true);
    expect(begun(waiting, 400)).toEqual([1]);
    const alone = queue(16);
    alone.pushCutOff(one(1, 2));
    expect(begun(alone, 0)).toEqual([1]);
    const slow = queue(16);
    slow.push(one(8));
    slow.pushCutOff(one(1, 2));
    expect([begun(slow, 0), begun(slow, 1000)]).toEqual([[8], [1]]);
  });

  it('P25.60 with one worker they go first, in the order of the inbox', () => {
    const waiting = queue(1);
    waiting.push(one(3));
    waiting.pushCutOff(one(1, 2));
    expect(begun(waiting)).toEqual([1]);
    waiting.cameFurther(1);
    expect(begun(waiting)).toEqual([]);
    waiting.done({});
    expect(begun(waiting)).toEqual([3]);
  });

  it('can be cancelled while they wait', () => {
    const waiting = queue(16);
    for (const n of [1, 2]) waiting.pushCutOff(one(n));
    expect(waiting.take(2)?.n).toBe(2);
    expect(begun(waiting, 0)).toEqual([1]);
    expect(begun(waiting, 5000)).toEqual([]);
  });
});
