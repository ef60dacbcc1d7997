/** Starts component processes, a few at a time, and keeps track of them. */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { WeirError } from '../../protocol/errors.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { Child } from './child.ts';
import { hostEnvironment } from './environment.ts';
import { Guard } from './guard.ts';
import type { AskedOfRuntime, HostOptions, Hosts } from './host.ts';
import { type HostRecord, startOf } from './leftovers.ts';
import type { LiveHost } from './live-host.ts';
import { EndedFromOutside, loadInto } from './load.ts';
import { endBeforeRuntime } from './oom-score.ts';
import { StartGate } from './start-gate.ts';

export interface HostsOptions {
  /** Absolute path of component-host.js. */
  readonly entry: string;
  /** The Node (or Electron) to run it with. */
  readonly execPath: string;
  /** The runtime's own environment; hosts get what `hostEnvironment` lets through. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `HOST=URL`: requests of components for a host go to a URL. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Old-space limit of the spare process, in megabytes; hosts with another limit are forked when needed. */
  readonly spareMemoryMb?: number;
  /** Answers what the code of any host asks for. */
  readonly onRequest?: HostOptions['onRequest'];
  /** A process was forked: remembered, so that a runtime started after a crash can end it. */
  readonly onFork?: (record: HostRecord) => void;
  /** A process has ended and can be forgotten. */
  readonly onExit?: (record: HostRecord) => void;
  /** The most processes that start at the same time; one more than the machine has cores unless given. */
  readonly mostStarting?: number;
  readonly clock?: Clock;
}

/** How often a component is loaded in all when its process is ended from outside meanwhile (P12.20). */
const maxLoads = 3;

/** The platform's memory limit of a source (P22.3). */
const platformMemoryMb = 256;

/** Forks processes and keeps track of them. A spare process, with the common limit, is kept ready. */
export function createHosts(options: HostsOptions): Hosts {
  const { entry, execPath, redirects = {}, spareMemoryMb = platformMemoryMb } = options;
  const clock = options.clock ?? systemClock;
  const environment = hostEnvironment(options.env);
  const guard = new Guard({ execPath, environment });
  const children = new Set<Child>();
  const hosts = new Set<LiveHost>();
  const gate = new StartGate({
    most: options.mostStarting ?? availableParallelism() + 1,
    clock,
    nextTurn: (callback) => setImmediate(callback),
  });
  let spare: Child | undefined;
  let closed = false;

  function forkChild(memoryMb: number): Child {
    const token = randomUUID();
    const child = new Child({ entry, execPath, memoryMb, environment, token });
    const record: HostRecord = { pid: child.pid ?? 0, token };
    children.add(child);
    if (child.pid !== undefined) {
      guard.add({ pid: child.pid, startedAt: startOf(child.pid) });
      void endBeforeRuntime(child.pid);
      options.onFork?.(record);
    }
    void child.exited.then(() => {
      children.delete(child);
      if (child.pid === undefined) return;
      guard.remove(child.pid);
      options.onExit?.(record);
    });
    return child;
  }

  function take(memoryMb: number): Child {
    if (memoryMb !== spareMemoryMb || spare?.alive !== true) return forkChild(memoryMb);
    const taken = spare;
    spare = undefined;
    return taken;
  }

  function warm(): void {
    if (closed || spare?.alive === true) return;
    try {
      spare = forkChild(spareMemoryMb);
    } catch {
      // Nobody waits for it. Whoever needs a process next is told why there is none.
      spare = undefined;
    }
  }

  return {
    async start(wanted) {
      const onRequest = (request: AskedOfRuntime) =>
        wanted.onRequest?.(request) ?? options.onRequest?.(request);
      for (let load = 1; ; load += 1) {
        if (closed) throw shuttingDown();
        const leave = await gate.enter(wanted.signal);
        try {
          if (closed) throw shuttingDown();
          const child = take(wanted.limits.memoryMb);
          // A person decides how long it takes.
          if (wanted.debug !== undefined) leave();
          const host = await loadInto(
            child,
            { ...wanted, onRequest },
            wanted.redirects ?? redirects,
            clock,
          );
          hosts.add(host);
          void child.exited.then(() => hosts.delete(host));
          return host;
        } catch (error) {
          // Under a debugger a person may have ended it.
          const again = error instanceof EndedFromOutside && wanted.debug === undefined;
          if (!again || load === maxLoads) throw error;
        } finally {
          leave();
          // Not before: the start of a spare process would slow down the starts that somebody waits for.
          if (gate.depth.waiting + gate.depth.running === 0) warm();
        }
      }
    },
    warm,
    list: () => [...hosts],
    get starts() {
      return gate.depth;
    },
    async close() {
      closed = true;
      await Promise.all([...hosts].map((host) => host.end(0)));
      for (const child of children) child.kill();
      await Promise.all([...children].map((child) => child.exited));
      await guard.close();
    },
  };
}

function shuttingDown(): WeirError {
  return new WeirError('runtime_unavailable', 'The runtime is shutting down.');
}
