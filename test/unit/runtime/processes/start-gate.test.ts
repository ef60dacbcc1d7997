import { expect, test } from 'vitest';
import { longestPlaceMs, StartGate } from '../../../../src/runtime/processes/start-gate.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function setUp(most: number) {
  const clock = new FakeClock();
  const turns: (() => void)[] = [];
  const gate = new StartGate({ most, clock, nextTurn: (callback) => void turns.push(callback) });
  const begun: number[] = [];
  const leave = new Map<number, () => void>();
  const enter = (n: number, signal?: AbortSignal): Promise<void> =>
    gate.enter(signal).then((left) => {
      begun.push(n);
      leave.set(n, left);
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** One turn of the loop. */
  const turn = async (): Promise<void> => {
    for (const callback of turns.splice(0)) callback();
    await settled();
  };
  return { gate, begun, leave, enter, turn, settled, clock };
}

test('P22.8 starts begin in order, one per turn, and no more than the limit at a time', async () => {
  const { gate, begun, leave, enter, turn } = setUp(2);
  for (let n = 1; n <= 4; n += 1) void enter(n);
  expect(gate.depth).toEqual({ waiting: 4, running: 0 });
  await turn();
  expect(begun).toEqual([1]);
  await turn();
  await turn();
  expect(begun).toEqual([1, 2]);
  expect(gate.depth).toEqual({ waiting: 2, running: 2 });
  leave.get(2)?.();
  leave.get(1)?.();
  await turn();
  expect(begun).toEqual([1, 2, 3]);
  await turn();
  expect(begun).toEqual([1, 2, 3, 4]);
  // Twice is as once.
  leave.get(1)?.();
  expect(gate.depth).toEqual({ waiting: 0, running: 2 });
});

test('P22.8 a start that is not needed any more leaves the queue, and the next one moves up', async () => {
  const { gate, begun, leave, enter, turn } = setUp(1);
  const [second, early] = [new AbortController(), new AbortController()];
  void enter(1);
  const cancelled = enter(2, second.signal);
  void enter(3);
  await turn();
  second.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  early.abort();
  await expect(enter(4, early.signal)).rejects.toMatchObject({ code: 'cancelled' });
  expect(gate.depth).toEqual({ waiting: 1, running: 1 });
  leave.get(1)?.();
  await turn();
  expect(begun).toEqual([1, 3]);
});

test('the last one that waits may leave between its turn and the turn of the loop', async () => {
  const { gate, enter, turn } = setUp(1);
  const only = new AbortController();
  const cancelled = enter(1, only.signal);
  only.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  await turn();
  expect(gate.depth).toEqual({ waiting: 0, running: 0 });
});

test('P22.8 a start that takes long makes room for the others', async () => {
  const { gate, begun, leave, enter, turn, clock } = setUp(1);
  void enter(1);
  void enter(2);
  await turn();
  clock.pass(longestPlaceMs - 1);
  await turn();
  expect(begun).toEqual([1]);
  clock.pass(1);
  await turn();
  expect(begun).toEqual([1, 2]);
  leave.get(1)?.();
  expect(gate.depth).toEqual({ waiting: 0, running: 1 });
  leave.get(2)?.();
  expect(clock.waits).toEqual([]);
});
