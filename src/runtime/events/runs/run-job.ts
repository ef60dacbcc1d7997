import type { ConsoleLine, HostResponse } from '../../../protocol/host.ts';
import type { ProcessExit } from '../../processes/host.ts';
import { type Outcome, type OutcomeObserver, OutcomeRecorder } from '../../processes/outcome.ts';
import type { Run } from './run.ts';
import type { Job } from './run-queue.ts';

/** Observes runs; one for all of them. */
export interface RunObserver {
  /** Its turn has come. */
  started(run: Run): void;
  /** @param from how many lines it has sent before */
  said(run: Run, lines: readonly ConsoleLine[], from: number): void;
  /** It ended by itself. */
  done(run: Run, outcome: Outcome): void;
  /** Its process ended first. */
  lost(run: Run, loss: ProcessExit, outcome: Outcome): void;
  /** Its process could not be started. */
  failed(run: Run, error: unknown): void;
  /** The runtime ends before its turn. */
  leftBehind(run: Run): void;
  /** Its source was switched off before its turn. */
  cancelled(run: Run): void;
}

/**
 * A run in the queue of its emitter. Made for every event, so it is an object with methods and not a set of closures.
 */
export class RunJob implements Job, OutcomeObserver {
  readonly work: Job['work'];
  readonly listener = new OutcomeRecorder(this);
  readonly #run: Run;
  readonly #observer: RunObserver;

  constructor(run: Run, work: Job['work'], observer: RunObserver) {
    this.work = work;
    this.#run = run;
    this.#observer = observer;
  }

  get n(): number {
    return this.#run.n;
  }

  get queue(): Run['queue'] {
    return this.#run.queue;
  }

  started(): void {
    this.#observer.started(this.#run);
  }

  failed(error: unknown): void {
    this.#observer.failed(this.#run, error);
  }

  leftBehind(): void {
    this.#observer.leftBehind(this.#run);
  }

  cancelled(): void {
    this.#observer.cancelled(this.#run);
  }

  said(lines: readonly ConsoleLine[], from: number): void {
    this.#observer.said(this.#run, lines, from);
  }

  respond(response: HostResponse): void {
    void this.#run.caller.respond?.(response);
  }

  done(outcome: Outcome): void {
    this.#observer.done(this.#run, outcome);
  }

  lost(loss: ProcessExit, outcome: Outcome): void {
    this.#observer.lost(this.#run, loss, outcome);
  }
}
