/**
 * Relays a follower's signals to the leader: whoever follows something there sees it as if it had happened there. A
 * broken connection may lose some signals; what is on disk is shown when it is read.
 */
import type { ShownRun } from '../events/owner/owned-emitters.ts';
import { EndOfTurn } from '../base/end-of-turn.ts';
import type { Committed, Due, Said, Signals } from '../events/signals.ts';
import type { DeliveryRecord } from '../store/history/deliveries.ts';
import type { InvocationRecord } from '../store/history/invocations.ts';
import type { LogRecord } from '../store/history/logs.ts';
import type { Services } from '../events/services.ts';

export type RelayedSignal =
  | { readonly of: 'ticked'; readonly id: string }
  | { readonly of: 'invocation'; readonly record: InvocationRecord; readonly isRunning: boolean }
  | { readonly of: 'said'; readonly said: Said }
  | {
      readonly of: 'committed';
      readonly record: InvocationRecord;
      /** Of a step's end: whether the execution continues. */
      readonly isRunning: boolean;
      readonly committed: Omit<Committed, 'run'>;
    }
  | { readonly of: 'due'; readonly due: Due }
  | { readonly of: 'eventsDeleted'; readonly id: string }
  | { readonly of: 'log'; readonly line: LogRecord }
  | { readonly of: 'delivery'; readonly delivery: DeliveryRecord };

export interface RelaySignalsOptions extends Pick<Services, 'signals' | 'clock'> {
  /** Whether this node runs an emitter. */
  readonly isOwn: (id: string) => boolean;
  /** Whether it is running. */
  readonly isRunning: (run: ShownRun) => boolean;
  /** Whether somebody follows all signals; otherwise only the newest runs are relayed, and when timers tick. */
  readonly isWatched: () => boolean;
  /** Gets the signals of one turn of the loop. */
  readonly tell: (told: readonly RelayedSignal[]) => void;
}

/** Time between two reports of the newest runs while nobody follows them, in ms. */
const unwatchedMs = 250;

export function relaySignals(options: RelaySignalsOptions): void {
  const { signals, clock, isOwn, isRunning, isWatched, tell } = options;
  const endOfTurn = new EndOfTurn();
  let told: RelayedSignal[] = [];
  const add = (one: RelayedSignal): void => {
    if (told.length === 0) {
      endOfTurn.add(() => {
        const all = told;
        told = [];
        tell(all);
      });
    }
    told.push(one);
  };
  /** Runs that were reported as running: their end is reported, too. */
  const shownRunning = new Set<number>();
  const runOf = (run: ShownRun): RelayedSignal => {
    const isGoing = isRunning(run);
    if (isGoing) shownRunning.add(run.n);
    else shownRunning.delete(run.n);
    return { of: 'invocation', record: run.record(), isRunning: isGoing };
  };
  const newest = new Map<string, ShownRun>();
  const ended = new Map<number, ShownRun>();
  const ticked = new Set<string>();
  let isWaiting = false;
  const later = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    clock.after(unwatchedMs, () => {
      isWaiting = false;
      for (const run of new Set([...ended.values(), ...newest.values()])) add(runOf(run));
      for (const id of ticked) add({ of: 'ticked', id });
      newest.clear();
      ended.clear();
      ticked.clear();
    });
  };
  const note = (run: ShownRun): void => {
    newest.set(run.record().emitterId, run);
    later();
  };
  const watched =
    <T extends unknown[]>(of: (...args: T) => RelayedSignal) =>
    (...args: T): void => {
      if (isWatched()) add(of(...args));
    };
  const moved = (id: string): void => {
    if (!isOwn(id)) return;
    ticked.add(id);
    later();
  };
  signals.on('source', moved);
  signals.on('workflow', moved);
  signals.on('invocation', (run) => (isWatched() ? add(runOf(run)) : note(run)));
  signals.on('committed', ({ run, commit, made }) => {
    if (!isWatched()) {
      if (shownRunning.has(run.n)) ended.set(run.n, run);
      note(run);
      return;
    }
    const isGoing = isRunning(run);
    if (!isGoing) shownRunning.delete(run.n);
    const { n, emitterId, events, drops, notices, logs, scheduled, error, status } = commit;
    const toldCommit = { n, emitterId, events, drops, notices, logs, scheduled, error, status };
    add({
      of: 'committed',
      record: run.record(),
      isRunning: isGoing,
      committed: { commit: toldCommit, made },
    });
  });
  signals.on(
    'said',
    watched((said) => ({ of: 'said', said })),
  );
  signals.on(
    'due',
    watched((due) => ({ of: 'due', due })),
  );
  signals.on('eventsDeleted', (id) => add({ of: 'eventsDeleted', id }));
  signals.on(
    'log',
    watched((line) => ({ of: 'log', line })),
  );
  signals.on(
    'delivery',
    watched((delivery) => ({ of: 'delivery', delivery })),
  );
}

/** The runs of emitters that other nodes own, as they were reported last. */
export class RemoteRuns {
  readonly #last = new Map<string, ShownRun>();
  /** By number. */
  readonly #running = new Map<number, InvocationRecord>();

  isRunning(n: number): boolean {
    return this.#running.has(n);
  }

  running(): number[] {
    return [...this.#running.keys()];
  }

  /** The last report of a running run. */
  recordOf(n: number): InvocationRecord | undefined {
    return this.#running.get(n);
  }

  lastOf(id: string): ShownRun | undefined {
    return this.#last.get(id);
  }

  /** @returns the run, as this node shows it */
  set(record: InvocationRecord, isRunning: boolean): ShownRun {
    const run = { n: record.n, record: () => record };
    if (isRunning) this.#running.set(record.n, record);
    else this.#running.delete(record.n);
    if (record.n >= (this.#last.get(record.emitterId)?.n ?? 0))
      this.#last.set(record.emitterId, run);
    return run;
  }

  /** The emitter is now this node's or nobody's, or its node is met again and reports again what runs there. */
  forget(id: string): void {
    this.#last.delete(id);
    for (const [n, { emitterId }] of this.#running) if (emitterId === id) this.#running.delete(n);
  }
}

/** Emits another node's signals here. @param ticked a timer there has moved */
export function replaySignals(
  signals: Signals,
  runs: RemoteRuns,
  ticked: (id: string) => void,
  told: readonly RelayedSignal[],
): void {
  for (const one of told) {
    switch (one.of) {
      case 'ticked':
        ticked(one.id);
        break;
      case 'invocation':
        signals.emit('invocation', runs.set(one.record, one.isRunning));
        break;
      case 'said':
        signals.emit('said', one.said);
        break;
      case 'committed':
        signals.emit('committed', { run: runs.set(one.record, one.isRunning), ...one.committed });
        break;
      case 'due':
        signals.emit('due', one.due);
        break;
      case 'eventsDeleted':
        signals.emit('eventsDeleted', one.id);
        break;
      case 'log':
        signals.emit('log', one.line);
        break;
      case 'delivery':
        signals.emit('delivery', one.delivery);
        break;
    }
  }
}
