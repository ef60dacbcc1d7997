import { expect, test } from 'vitest';
import {
  replaySignals,
  RemoteRuns,
  relaySignals,
  type RelayedSignal,
} from '../../../../src/runtime/cluster/relayed-signals.ts';
import { type Committed, Signals } from '../../../../src/runtime/events/signals.ts';
import type { InvocationRecord } from '../../../../src/runtime/store/history/invocations.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const record = (n: number, emitterId = 'dc_1'): InvocationRecord => ({
  n,
  emitterId,
  cause: 'http',
  hook: null,
  request: null,
  status: 'queued',
  attempt: 1,
  replayOf: null,
  createdAt: 1,
  startedAt: null,
  endedAt: null,
  emitted: 0,
  dropped: 0,
  error: null,
});
const run = (n: number, emitterId?: string) => ({ n, record: () => record(n, emitterId) });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A node that follows, and one that leads and hears what it tells. */
function two(isWatched: boolean) {
  const here = new Signals();
  const there = new Signals();
  const clock = new FakeClock();
  const runs = new RemoteRuns();
  const told: RelayedSignal[][] = [];
  const ticked: string[] = [];
  const running = new Set([2]);
  relaySignals({
    signals: here,
    clock,
    isOwn: (id) => id !== 'dc_9',
    isRunning: ({ n }) => running.has(n),
    isWatched: () => isWatched,
    tell(signals) {
      told.push([...signals]);
      replaySignals(there, runs, (id) => ticked.push(id), signals);
    },
  });
  return { here, there, clock, runs, told, ticked, running };
}

const committed = (n: number): Committed => ({
  run: run(n),
  commit: { n, emitterId: 'dc_1', events: [], drops: [], logs: [], status: 'succeeded' },
  made: { logIds: [], deliveries: [], triggered: [] },
});

test('what happens here is told there in one piece a turn, as it was', async () => {
  const { here, there, runs, told } = two(true);
  const heard: unknown[] = [];
  there.on('invocation', (one) => heard.push(one.n));
  there.on('committed', ({ commit }) => heard.push(commit));
  here.emit('invocation', run(2));
  here.emit('committed', committed(1));
  await turn();
  expect(told).toHaveLength(1);
  expect(heard).toEqual([2, committed(1).commit]);
  expect([runs.isRunning(2), runs.isRunning(1), runs.running()]).toEqual([true, false, [2]]);
  expect(runs.lastOf('dc_1')?.n).toBe(2);
  runs.forget('dc_1');
  expect([runs.lastOf('dc_1'), runs.running()]).toEqual([undefined, []]);
});

test('of what nobody follows the newest run of each source is told, from time to time', async () => {
  const { here, clock, runs, told } = two(false);
  for (let n = 1; n <= 100; n++) here.emit('committed', committed(n));
  here.emit('invocation', run(7, 'dc_2'));
  await turn();
  expect(told).toEqual([]);
  expect(clock.ring()).toBe(250);
  await turn();
  expect(told).toHaveLength(1);
  expect([runs.lastOf('dc_1')?.n, runs.lastOf('dc_2')?.n]).toEqual([100, 7]);
  expect(told[0]).toHaveLength(2);
});

test('one that was told as running is told when it has ended, though newer ones came', async () => {
  const { here, clock, runs, running } = two(false);
  here.emit('invocation', run(2));
  clock.ring();
  await turn();
  expect(runs.recordOf(2)?.n).toBe(2);
  running.delete(2);
  here.emit('committed', committed(2));
  here.emit('committed', committed(3));
  clock.ring();
  await turn();
  expect([runs.running(), runs.lastOf('dc_1')?.n]).toEqual([[], 3]);
});

test('timers that moved are told of sources that run here alone', async () => {
  const { here, clock, ticked } = two(false);
  for (const id of ['dc_1', 'dc_9', 'dc_1']) here.emit('source', id);
  clock.ring();
  await turn();
  expect(ticked).toEqual(['dc_1']);
});
