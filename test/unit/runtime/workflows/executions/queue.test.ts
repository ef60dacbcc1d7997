import { describe, expect, it } from 'vitest';
import { type Gate, openGate } from '../../../../../src/runtime/events/runs/probation.ts';
import { ExecutionQueue, limitsOf } from '../../../../../src/runtime/workflows/executions/queue.ts';

const one = (n: number, concurrencyKey?: string) => ({ n, concurrencyKey });

function queue(
  workers: number,
  throttle?: { limit: number; intervalMs: number },
  gate: Gate = openGate,
) {
  const limits = { ...limitsOf({ workers }), throttle };
  return new ExecutionQueue<ReturnType<typeof one>>(limits, gate);
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
    for (const n of [1, 3, 5]) waiting.push(one(n, 'a'));
    for (const n of [2, 4]) waiting.push(one(n, 'b'));
    waiting.push(one(6));
    expect(begun(waiting)).toEqual([1, 2, 6]);
    waiting.done(one(1, 'a'));
    expect(begun(waiting)).toEqual([3]);
  });

  it('P25.62 those of a key that were cut off keep their order, and go before those that were not', () => {
    const waiting = queue(16);
    waiting.push(one(4, 'a'));
    waiting.pushCutOff(one(2, 'a'));
    waiting.pushCutOff(one(1, 'a'));
    const order: number[] = [];
    while (order.length < 3) {
      for (const n of begun(waiting)) {
        order.push(n);
        waiting.done(one(n, 'a'));
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
  it('go first, in the order of the inbox', () => {
    const waiting = queue(16);
    waiting.push(one(8));
    waiting.pushDue(one(7));
    for (const n of [2, 1, 3]) waiting.pushCutOff(one(n));
    expect(begun(waiting)).toEqual([1, 2, 3, 7, 8]);
  });

  it('while one of them is to run alone, only that one begins', () => {
    const gate = { isOpen: false, admits: (n: number) => n === 2 };
    const waiting = queue(16, undefined, gate);
    waiting.push(one(8));
    waiting.pushDue(one(7));
    for (const n of [1, 2]) waiting.pushCutOff(one(n));
    expect(begun(waiting)).toEqual([2]);
    gate.isOpen = true;
    expect(begun(waiting)).toEqual([1, 7, 8]);
  });

  it('can be cancelled while they wait', () => {
    const waiting = queue(1);
    for (const n of [1, 2]) waiting.pushCutOff(one(n));
    expect(waiting.take(1)?.n).toBe(1);
    expect(begun(waiting)).toEqual([2]);
  });
});
