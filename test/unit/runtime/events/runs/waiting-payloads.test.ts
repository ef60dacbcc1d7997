import fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Trigger, Work } from '../../../../../src/protocol/host.ts';
import { OwnedEmitters } from '../../../../../src/runtime/events/owner/owned-emitters.ts';
import type { Host, WorkObserver } from '../../../../../src/runtime/processes/host.ts';
import { Run } from '../../../../../src/runtime/events/runs/run.ts';
import { IdleProcesses } from '../../../../../src/runtime/processes/idle-processes.ts';
import { Runner } from '../../../../../src/runtime/events/runs/runner.ts';
import { WaitingPayloads } from '../../../../../src/runtime/events/runs/waiting-payloads.ts';
import { Signals } from '../../../../../src/runtime/events/signals.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { invocationsOf } from '../../../../support/invocations.ts';
import { open } from '../../../../support/open-store.ts';
import { httpTrigger, source } from '../../../../support/records.ts';

const request = (body: string) => ({
  ...httpTrigger(new Uint8Array(Buffer.from(body))),
  headers: { a: 'b' },
});

/** A real store and runner; the process is a hand that takes work and lets the test end it. */
async function world(waitingBytes: number) {
  const store = await open(join(temporaryFolder(), 'weir.db'), fs);
  onTestFinished(() => store.close().catch(() => undefined));
  await store.sources.insert(source('dc_1'));
  const emitters = new OwnedEmitters();
  const emitter = emitters.add(await store.ownership.take('dc_1'));
  const given: Trigger[] = [];
  const open_: WorkObserver[] = [];
  const host = {
    alive: true,
    inFlight: 1,
    configure: () => undefined,
    kill: () => undefined,
    work: (_n: number, work: Work, observer: WorkObserver) => {
      if (work.call === 'run') given.push(work.trigger);
      open_.push(observer);
    },
  } as unknown as Host;
  const clock = new FakeClock();
  const runner = new Runner({
    openHost: async () => host,
    configuration: () => ({ props: {}, accounts: {}, endpoints: {}, db: {} }),
    httpConcurrency: 1,
    idleMs: 60_000,
    idleProcesses: new IdleProcesses({ clock }),
    emitterId: 'dc_1',
    clock,
  });
  const runs: Run[] = [];
  const signals = new Signals();
  signals.on('invocation', (run) => {
    if (run instanceof Run && !runs.includes(run)) runs.push(run);
  });
  const { inbox, invocations } = invocationsOf({
    store,
    signals,
    emitters,
    waitingBytes,
    runnerOf: () => runner,
  });
  const accept = (body: string) => inbox.accept('dc_1', { cause: 'http', trigger: request(body) });
  return { store, emitter, invocations, accept, given, open: open_, runs };
}

test('what waits beyond the limit goes from memory and runs with what was received', async () => {
  const { accept, given, open: ends, runs } = await world(10);
  const bodies = ['first', '12345', 'beyond', 'x', 'y'];
  for (const body of bodies) accept(body);
  // "first" and "12345" fill it.
  expect(runs.map((run) => run.isParked)).toEqual([false, false, true, true, true]);
  expect(runs.map(({ trigger }) => (trigger?.kind === 'http' ? trigger.body.length : -1))).toEqual([
    5, 5, 0, 0, 0,
  ]);
  for (let i = 0; i < bodies.length; i += 1) {
    await expect.poll(() => ends.length).toBe(i + 1);
    ends[i]?.done({});
  }
  expect(given).toEqual(bodies.map(request));
});

test('room that was left is used again', () => {
  const waiting = new WaitingPayloads(10);
  const run = (body: string) =>
    new Run({ n: 1, emitter: {} as never, cause: 'http', trigger: request(body), createdAt: 1 });
  const first = run('0123456789');
  waiting.enter(first);
  const parked = run('x');
  waiting.enter(parked);
  waiting.leave(parked);
  expect(parked.isParked).toBe(true);
  waiting.leave(first);
  waiting.leave(first);
  const [fits, doesNot] = [run('0123456789'), run('x')];
  waiting.enter(fits);
  waiting.enter(doesNot);
  expect([fits.isParked, doesNot.isParked]).toEqual([false, true]);
});

test('what an earlier runtime left is read when its turn comes', async () => {
  const { store, emitter, invocations, given, open: ends } = await world(1e6);
  const { id, fence } = emitter;
  for (const body of ['a', 'b']) {
    store.accept({ emitterId: id, fence, cause: 'http', trigger: request(body), at: 1 });
  }
  const { unfinished } = await store.ownership.take('dc_1');
  expect(unfinished.map(({ trigger }) => trigger)).toEqual([request(''), request('')]);
  invocations.recover([{ emitter, unfinished, released: false }]);
  for (const n of [1, 2]) {
    await expect.poll(() => ends.length).toBe(n);
    ends[n - 1]?.done({});
  }
  expect(given).toEqual([request('a'), request('b')]);
});
