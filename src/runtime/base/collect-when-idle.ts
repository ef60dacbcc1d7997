/**
 * Gives memory back once there is nothing to do: V8 keeps the heap that a burst of events or a search
 * has needed (150 MB, of which 17 are in use), as a server's process is always in the foreground to it.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';

/** The collector of a program, as far as this needs it. */
export interface Collector {
  /** Bytes of the heap, garbage and free pages included. */
  heapBytes(): number;
  /** Tells of each collection that the program needed. Returns how to stop it. */
  onCollection(listener: () => void): () => void;
  /** Collects all garbage and gives free pages back. Holds the program up: 30 to 60 ms. */
  giveBack(): void;
}

/** If no collection ran for this long, nothing of weight runs: even a single event allocates. Our decision. */
const quietMs = 3000;
/** Less growth than this is not worth the time. */
const worthBytes = 8 * 1024 * 1024;

/** Watches the collector, not a clock: at rest it does nothing at all. Returns how to stop it. */
export function collectWhenIdle(collector: Collector, clock: Pick<Clock, 'after'>): () => void {
  let settledBytes = 0;
  let collections = 0;
  let cancel: (() => void) | undefined;

  const look = (seen: number): void => {
    cancel = undefined;
    if (collections !== seen) return wait();
    if (collector.heapBytes() - settledBytes < worthBytes) return;
    collector.giveBack();
    settledBytes = collector.heapBytes();
  };
  const wait = (): void => {
    const seen = collections;
    cancel = clock.after(quietMs, () => look(seen));
  };
  const unwatch = collector.onCollection(() => {
    collections += 1;
    if (cancel === undefined) wait();
  });
  wait();
  return () => {
    unwatch();
    cancel?.();
  };
}

/** That of this process. */
export function ownCollector(): Collector {
  return {
    heapBytes: () => getHeapStatistics().total_heap_size,
    onCollection(listener) {
      const observer = new PerformanceObserver(listener);
      observer.observe({ entryTypes: ['gc'] });
      return () => observer.disconnect();
    },
    giveBack() {
      // There is no other way to it, but a flag of the program, which not everybody who starts it has.
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as (options: object) => void;
      setFlagsFromString('--no-expose-gc');
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    },
  };
}
