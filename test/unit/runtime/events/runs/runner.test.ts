import { describe, expect, test } from 'vitest';
import type { HostConfiguration, Work } from '../../../../../src/protocol/host.ts';
import type { Host, WorkObserver } from '../../../../../src/runtime/processes/host.ts';
import type { Job, QueueName } from '../../../../../src/runtime/events/runs/run-queue.ts';
import { Runner } from '../../../../../src/runtime/events/runs/runner.ts';
import { checkMs, IdleProcesses } from '../../../../../src/runtime/processes/idle-processes.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

/** A host whose work ends when the test says so: the scheduling is what is tested here, not processes. */
class HandHost implements Host {
  readonly pid = 1;
  readonly sourceId = 'dc_1';
  readonly definition = {} as Host['definition'];
  alive = true;
  inspected = false;
  readonly running = new Map<number, WorkObserver>();
  readonly order: number[] = [];
  get inFlight(): number {
    return this.running.size;
  }
  async inspect(on: boolean): Promise<string | null> {
    this.inspected = on;
    return on ? 'ws://127.0.0.1:1/x' : null;
  }
  isPending = false;
  async hasPending(): Promise<boolean> {
    return this.isPending;
  }
  configure(): void {}
  configureStep(): void {}
  forgetExecution(): void {}
  work(n: number, _work: Work, listener: WorkObserver): void {
    this.order.push(n);
    this.running.set(n, listener);
  }
  finish(n: number): void {
    const listener = this.running.get(n);
    this.running.delete(n);
    listener?.done({});
  }
  async end(): Promise<void> {
    this.alive = false;
  }
  kill(): void {
    this.alive = false;
  }
  stop(n: number): boolean {
    if (!this.running.has(n)) return false;
    this.alive = false;
    return true;
  }
}

interface QueuedStarts {
  readonly signals: AbortSignal[];
  readonly admit: (() => void)[];
}

function setUp(
  httpConcurrency = 2,
  configured: () => void = () => undefined,
  clock = new FakeClock(),
  idleProcesses = new IdleProcesses({ clock }),
) {
  const hosts: HandHost[] = [];
  const failures: unknown[] = [];
  const leftBehind: number[] = [];
  const cancelled: number[] = [];
  const lost: number[] = [];
  let refuse: Error | undefined;
  /** Starts that wait for their turn; undefined while they need not. */
  let queued: QueuedStarts | undefined;
  const runner = new Runner({
    openHost: async (signal) => {
      await new Promise<void>((resolve, reject) => {
        if (queued === undefined) resolve();
        else {
          queued.signals.push(signal);
          queued.admit.push(resolve);
          signal.addEventListener('abort', () => reject(new Error('cancelled')));
        }
      });
      if (refuse !== undefined) throw refuse;
      const host = new HandHost();
      hosts.push(host);
      return host;
    },
    configuration: () => {
      configured();
      return { props: {}, accounts: {}, endpoints: {}, db: {} } satisfies HostConfiguration;
    },
    httpConcurrency,
    idleMs: 60_000,
    clock,
    idleProcesses,
    emitterId: 'dc_1',
  });
  const submit = (n: number, queue: QueueName, work: Job['work'] = { call: 'additionalProps' }) =>
    runner.submit({
      n,
      queue,
      work,
      started: () => undefined,
      listener: {
        progress: () => undefined,
        respond: () => undefined,
        done: () => undefined,
        lost: () => void lost.push(n),
      },
      failed: (error) => void failures.push(error),
      leftBehind: () => void leftBehind.push(n),
      cancelled: () => void cancelled.push(n),
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    runner,
    hosts,
    failures,
    leftBehind,
    cancelled,
    lost,
    submit,
    settled,
    clock,
    refuse: (error: Error) => (refuse = error),
    queueStarts: (): QueuedStarts => (queued = { signals: [], admit: [] }),
  };
}

describe('the queue of a source', () => {
  test('runs go one by one, in order; one process is started for all', async () => {
    const { hosts, submit, settled, runner } = setUp();
    submit(1, 'serial');
    submit(2, 'serial');
    await settled();
    expect(hosts).toHaveLength(1);
    expect(hosts[0]?.order).toEqual([1]);
    expect(runner.busy).toBe(true);
    hosts[0]?.finish(1);
    expect(hosts[0]?.order).toEqual([1, 2]);
    hosts[0]?.finish(2);
    expect(runner.busy).toBe(false);
  });

  test('HTTP requests run side by side up to the limit, beside a run that goes on', async () => {
    const { hosts, submit, settled } = setUp(2);
    submit(1, 'serial');
    for (const n of [2, 3, 4]) submit(n, 'http');
    await settled();
    expect(hosts[0]?.order.toSorted()).toEqual([1, 2, 3]);
    hosts[0]?.finish(2);
    expect(hosts[0]?.order).toContain(4);
  });

  test('while it is paused hooks go on and runs wait', async () => {
    const { hosts, submit, settled, runner } = setUp();
    runner.pause();
    submit(1, 'serial');
    submit(2, 'http');
    submit(3, 'hook');
    await settled();
    expect(hosts[0]?.order).toEqual([3]);
    runner.resume();
    expect(hosts[0]?.order.toSorted()).toEqual([1, 2, 3]);
  });

  test('paused but for requests, these go on; what waits then can be cancelled', async () => {
    const { hosts, cancelled, submit, settled, runner } = setUp(1);
    runner.pause();
    submit(1, 'serial');
    submit(2, 'http');
    submit(3, 'http');
    runner.resumeHttp();
    await settled();
    expect(hosts[0]?.order).toEqual([2]);
    runner.cancelWaiting();
    expect(cancelled).toEqual([1, 3]);
    hosts[0]?.finish(2);
    runner.resume();
    expect(hosts[0]?.order).toEqual([2]);
  });

  test('a run that is stopped while its payload is read back never begins; the next one does', async () => {
    const { hosts, lost, submit, settled, runner } = setUp();
    let read: (work: Work) => void = () => undefined;
    submit(1, 'serial', () => new Promise((resolve) => (read = resolve)));
    submit(2, 'serial');
    await settled();
    expect(hosts[0]?.order).toEqual([]);
    expect(runner.stopJob(1)).toBe(true);
    expect(lost).toEqual([1]);
    expect(hosts[0]?.order).toEqual([2]);
    read({ call: 'additionalProps' });
    await settled();
    expect(hosts[0]?.order).toEqual([2]);
    expect(runner.stopJob(1)).toBe(false);
  });

  test('drain waits for the runs in flight', async () => {
    const { hosts, submit, settled, runner } = setUp();
    submit(1, 'serial');
    await settled();
    let drained = false;
    const waiting = runner.drain(60_000).then(() => (drained = true));
    await settled();
    expect(drained).toBe(false);
    hosts[0]?.finish(1);
    await waiting;
    expect(drained).toBe(true);
  });

  test('once it is stopped what is in flight ends, and what waits is left behind', async () => {
    const { hosts, failures, leftBehind, submit, settled, runner } = setUp(1);
    submit(1, 'http');
    submit(2, 'http');
    await settled();
    runner.stop();
    runner.resume();
    hosts[0]?.finish(1);
    expect(hosts[0]?.order).toEqual([1]);
    expect(leftBehind).toEqual([2]);
    expect(failures).toEqual([]);
  });

  test('what was cut off runs again before what came later', async () => {
    const { hosts, submit, settled } = setUp();
    submit(1, 'serial');
    await settled();
    for (const n of [4, 3, 2]) submit(n, 'serial');
    for (const n of [1, 2, 3]) hosts[0]?.finish(n);
    expect(hosts[0]?.order).toEqual([1, 2, 3, 4]);
  });

  test('an update during a start: the old code does not come back', async () => {
    const { hosts, submit, settled, runner } = setUp();
    submit(1, 'http');
    runner.pause();
    const updated = new HandHost();
    await runner.replaceHost(updated);
    runner.resume();
    await settled();
    expect(hosts.map(({ alive }) => alive)).toEqual([false]);
    expect(runner.host).toBe(updated);
    expect(updated.order).toEqual([1]);
  });

  test('a process reads its db only when the one before has said its last', async () => {
    const told: string[] = [];
    const { submit, settled, runner } = setUp(2, () => void told.push('configured'));
    const old = new HandHost();
    old.end = async () => {
      await settled();
      told.push('ended');
    };
    await runner.replaceHost(old);
    old.alive = false;
    submit(1, 'serial');
    await expect.poll(() => told).toEqual(['configured', 'ended', 'configured']);
    await runner.replaceHost(new HandHost());
  });

  test('a process that was started again ends when it has nothing to do', async () => {
    const { hosts, runner, clock } = setUp();
    await runner.restart();
    clock.pass(60_000);
    expect(hosts.map(({ alive }) => alive)).toEqual([false]);
  });

  test('a process that cannot be started after the stop fails nothing that waits', async () => {
    const { failures, submit, settled, runner, refuse } = setUp();
    refuse(new Error('no more processes'));
    submit(1, 'http');
    runner.stop();
    await settled();
    expect(failures).toEqual([]);
  });

  test('a process that ended is replaced for the next run', async () => {
    const { hosts, submit, settled } = setUp();
    submit(1, 'serial');
    await settled();
    hosts[0]?.finish(1);
    hosts[0]?.kill();
    submit(2, 'serial');
    await settled();
    expect(hosts.map(({ order }) => order)).toEqual([[1], [2]]);
  });

  test('a process that is there only after the end is ended too', async () => {
    const { runner, hosts, failures, submit, settled } = setUp();
    submit(1, 'serial');
    while (hosts.length === 0) await Promise.resolve();
    runner.close('the source was deleted');
    await settled();
    expect(hosts.map(({ alive, order }) => ({ alive, order }))).toEqual([
      { alive: false, order: [] },
    ]);
    expect(failures.map(String)).toEqual(['Error: the source was deleted']);
  });

  test('after the end no process is started, and what still comes is told so', async () => {
    const { runner, hosts, failures, submit, settled } = setUp();
    submit(1, 'serial');
    runner.close('the source was deleted');
    submit(2, 'hook');
    await settled();
    expect(hosts).toEqual([]);
    expect(failures.map(String)).toEqual(Array(2).fill('Error: the source was deleted'));
  });

  test('what is held back does not fail with a process that cannot be started', async () => {
    const { hosts, failures, submit, settled, refuse, runner } = setUp();
    runner.pause();
    submit(1, 'serial');
    submit(2, 'http');
    refuse(new Error('the old code is gone'));
    submit(3, 'hook');
    await settled();
    expect(failures).toHaveLength(1);
    await runner.replaceHost(new HandHost());
    runner.resume();
    await settled();
    expect(failures).toHaveLength(1);
    expect(hosts).toEqual([]);
  });

  test('when no process can be started, every job that waits is told', async () => {
    const { failures, submit, settled, refuse } = setUp();
    refuse(new Error('no such file'));
    submit(1, 'serial');
    submit(2, 'http');
    await settled();
    expect(failures).toHaveLength(2);
  });
});

describe('P22.8 a start that waits for its turn', () => {
  test.for<[string, (runner: Runner) => void]>([
    ['its run is stopped by a person', (runner) => runner.stopJob(1)],
    ['its source is switched off', (runner) => runner.cancelWaiting()],
    ['the runtime ends', (runner) => runner.stop()],
    ['its source is deleted', (runner) => runner.close('the source was deleted')],
  ])('is cancelled when %s', async ([, end]) => {
    const { runner, hosts, submit, settled, queueStarts } = setUp();
    const { signals } = queueStarts();
    submit(1, 'serial');
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    end(runner);
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(hosts).toEqual([]);
  });

  test('goes on while another run needs its process', async () => {
    const { runner, hosts, submit, settled, queueStarts } = setUp();
    const { signals, admit } = queueStarts();
    submit(1, 'serial');
    submit(2, 'serial');
    await settled();
    runner.stopJob(1);
    admit[0]?.();
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    expect(hosts[0]?.order).toEqual([2]);
  });

  test('is begun again by a run that comes right after it was cancelled', async () => {
    const { runner, hosts, failures, submit, settled, queueStarts } = setUp();
    const { admit } = queueStarts();
    submit(1, 'serial');
    await settled();
    runner.stopJob(1);
    submit(2, 'serial');
    await settled();
    admit[1]?.();
    await settled();
    expect(failures).toEqual([]);
    expect(hosts[0]?.order).toEqual([2]);
  });
});

describe('P22.10 an idle process that a server would end early', () => {
  const idleMs = 60_000;

  function onServer() {
    const clock = new FakeClock();
    const budget = { mostRegular: 0, mostOccasional: 0 };
    const idleProcesses = new IdleProcesses({ clock, budget });
    return setUp(2, undefined, clock, idleProcesses);
  }

  test('ends, and the next run starts another one', async () => {
    const { hosts, submit, settled, clock } = onServer();
    submit(1, 'serial');
    await settled();
    clock.pass(checkMs);
    await settled();
    expect(hosts[0]?.alive).toBe(true);
    hosts[0]?.finish(1);
    clock.pass(checkMs);
    await settled();
    expect(hosts[0]?.alive).toBe(false);
    submit(2, 'serial');
    await settled();
    expect(hosts[1]?.order).toEqual([2]);
  });

  test.for<[string, (host: HandHost) => void]>([
    ['its code waits for a timer', (host) => (host.isPending = true)],
    ['a debugger is attached', (host) => (host.inspected = true)],
  ])('stays while %s, until its whole time is over', async ([, keep]) => {
    const { hosts, submit, settled, clock } = onServer();
    submit(1, 'serial');
    await settled();
    const [host] = hosts;
    keep(host!);
    host?.finish(1);
    clock.pass(checkMs);
    await settled();
    clock.pass(idleMs - 1);
    await settled();
    expect(host?.alive).toBe(true);
    host!.inspected = false;
    clock.pass(1);
    await settled();
    expect(host?.alive).toBe(false);
  });

  test('stays when a run begins while it is asked', async () => {
    const { hosts, submit, settled, clock } = onServer();
    submit(1, 'serial');
    await settled();
    hosts[0]?.finish(1);
    clock.pass(checkMs);
    submit(2, 'serial');
    hosts[0]?.finish(2);
    await settled();
    expect(hosts[0]?.alive).toBe(true);
    expect(hosts[0]?.order).toEqual([1, 2]);
  });
});

describe('a configuration that changes', () => {
  test('is told at once while nothing goes on, and not before there is a process', async () => {
    let told = 0;
    const { runner, hosts, submit, settled } = setUp(2, () => void (told += 1));
    runner.reconfigure();
    expect(told).toBe(0);
    submit(1, 'serial');
    await settled();
    expect(told).toBe(1);
    hosts[0]?.finish(1);
    runner.reconfigure();
    expect(told).toBe(2);
    submit(2, 'serial');
    expect(told).toBe(2);
  });

  test('is told before the next run that begins while none goes on: a run keeps what it has in memory', async () => {
    let told = 0;
    const { runner, hosts, submit, settled } = setUp(2, () => void (told += 1));
    submit(1, 'http');
    await settled();
    submit(2, 'hook');
    runner.reconfigure();
    submit(3, 'http');
    hosts[0]?.finish(1);
    hosts[0]?.finish(3);
    submit(4, 'serial');
    hosts[0]?.finish(4);
    // The hook still goes on.
    expect(told).toBe(1);
    hosts[0]?.finish(2);
    submit(5, 'serial');
    expect(told).toBe(2);
    expect(hosts[0]?.order).toEqual([1, 2, 3, 4, 5]);
  });

  test('that a process was started with is not told again', async () => {
    let told = 0;
    const { runner, hosts, submit, settled } = setUp(2, () => void (told += 1));
    submit(1, 'serial');
    await settled();
    runner.reconfigure();
    hosts[0]?.kill();
    hosts[0]?.finish(1);
    submit(2, 'serial');
    await settled();
    expect(told).toBe(2);
    hosts[1]?.finish(2);
    submit(3, 'serial');
    expect(told).toBe(2);
  });
});
