/**
 * The runs of one emitter that wait for their turn, and how many are going on (no I/O).
 *
 * They go one by one, except HTTP requests, which run side by side up to a limit (a third party may
 * call back while a run or a hook waits for its answer), and hooks, which the lifecycle calls and
 * nothing holds up.
 */
import type { Work } from '../../../protocol/host.ts';
import type { WorkObserver } from '../../processes/host.ts';
import { neverHeld, type WorkHold } from '../work-hold.ts';
import { type Gate, openGate } from './probation.ts';

export type QueueName = 'serial' | 'http' | 'hook';

export interface Job {
  readonly n: number;
  readonly queue: QueueName;
  /** A function reads it when its turn has come. */
  readonly work: Work | (() => Promise<Work>);
  readonly listener: WorkObserver;
  /** Its turn has come. */
  started(): void;
  /** The process could not be started at all, or the work could not be read. */
  failed(error: unknown): void;
  /** The runtime ends before its turn: it stays in the inbox and runs at the next start. */
  leftBehind(): void;
  /** It is taken out before its turn: its source was switched off. */
  cancelled(): void;
}

export class RunQueue {
  readonly #httpConcurrency: number;
  readonly #waiting: Record<QueueName, Job[]> = { serial: [], http: [], hook: [] };
  readonly #running: Record<QueueName, number> = { serial: 0, http: 0, hook: 0 };
  readonly #paused = { serial: false, http: false };
  #stopped = false;
  #idleListeners: (() => void)[] = [];

  readonly #gate: Gate;
  readonly #hold: Pick<WorkHold, 'isHeld'>;

  /**
   * @param gate which of the runs may begin; hooks always may
   * @param hold whether anything may, hooks included
   */
  constructor(
    httpConcurrency: number,
    gate: Gate = openGate,
    hold: Pick<WorkHold, 'isHeld'> = neverHeld,
  ) {
    this.#httpConcurrency = httpConcurrency;
    this.#gate = gate;
    this.#hold = hold;
  }

  /** True while a run that is not an HTTP request is running or waits. */
  get busy(): boolean {
    return this.#running.serial > 0 || this.#waiting.serial.length > 0;
  }

  /** True if no run or hook is running, and none may start. */
  get idle(): boolean {
    return !this.hasRuns && this.#running.hook === 0 && !this.canStart;
  }

  /** A run is running; hooks do not count. */
  get hasRuns(): boolean {
    return this.#running.serial + this.#running.http > 0;
  }

  /** A hook is running or waits: it may need runs to begin before it can end. */
  get hasHooks(): boolean {
    return this.#running.hook > 0 || this.#waiting.hook.length > 0;
  }

  get depth(): { readonly waiting: number; readonly running: number } {
    const { serial, http, hook } = this.#waiting;
    const { serial: one, http: requests, hook: hooks } = this.#running;
    return {
      waiting: serial.length + http.length + hook.length,
      running: one + requests + hooks,
    };
  }

  /** Something waits that nothing but a process holds up. */
  get canStart(): boolean {
    return !this.#stopped && this.#hasReady && !this.#hold.isHeld;
  }

  /** In the order of the numbers: interrupted runs are before all later ones. */
  push(job: Job): void {
    const waiting = this.#waiting[job.queue];
    let place = waiting.length;
    while (place > 0 && (waiting[place - 1]?.n ?? 0) > job.n) place -= 1;
    if (place === waiting.length) waiting.push(job);
    else waiting.splice(place, 0, job);
  }

  /** The job whose turn it is, running from now on until `done`. */
  start(): Job | undefined {
    const job = this.#next();
    if (job !== undefined) this.#running[job.queue] += 1;
    return job;
  }

  done(queue: QueueName): void {
    this.#running[queue] -= 1;
    if (this.hasRuns) return;
    for (const listener of this.#idleListeners.splice(0)) listener();
  }

  /** Resolves when no run is running; hooks do not count. */
  async drained(): Promise<void> {
    if (this.hasRuns) await new Promise<void>((resolve) => this.#idleListeners.push(resolve));
  }

  /** Holds runs back (hooks continue) until `resume`. */
  pause(): void {
    this.#paused.serial = true;
    this.#paused.http = true;
  }

  /** HTTP requests may run; all other runs are still held back. */
  resumeHttp(): void {
    this.#paused.http = false;
  }

  resume(): void {
    this.#paused.serial = false;
    this.#paused.http = false;
  }

  /** Nothing starts any more. */
  stop(): void {
    this.#stopped = true;
  }

  /** Takes out one that waits. */
  take(n: number): Job | undefined {
    for (const waiting of Object.values(this.#waiting)) {
      const at = waiting.findIndex((job) => job.n === n);
      if (at !== -1) return waiting.splice(at, 1)[0];
    }
    return undefined;
  }

  /** Takes out all that nothing but a process holds up, see `canStart`. */
  takeReady(): Job[] {
    if (this.#stopped || this.#hold.isHeld) return [];
    const { hook, serial, http } = this.#waiting;
    if (!this.#gate.isOpen) return [...hook.splice(0), ...this.#takeAdmitted()];
    return [
      ...hook.splice(0),
      ...(this.#paused.serial ? [] : serial.splice(0)),
      ...(this.#paused.http ? [] : http.splice(0)),
    ];
  }

  /** Takes out all that waits, hooks first. */
  clear(): Job[] {
    const { hook, serial, http } = this.#waiting;
    return [...hook.splice(0), ...serial.splice(0), ...http.splice(0)];
  }

  get #hasReady(): boolean {
    const { serial, http, hook } = this.#waiting;
    if (hook.length > 0) return true;
    if (!this.#gate.isOpen) return this.#admitted() !== undefined;
    return (!this.#paused.serial && serial.length > 0) || (!this.#paused.http && http.length > 0);
  }

  #next(): Job | undefined {
    if (this.#stopped || !this.#hasReady || this.#hold.isHeld) return undefined;
    const hook = this.#waiting.hook.shift();
    if (hook !== undefined) return hook;
    if (!this.#gate.isOpen) return this.#takeAdmitted()[0];
    if (!this.#paused.http && this.#running.http < this.#httpConcurrency) {
      const http = this.#waiting.http.shift();
      if (http !== undefined) return http;
    }
    const mayStart = !this.#paused.serial && this.#running.serial === 0;
    return mayStart ? this.#waiting.serial.shift() : undefined;
  }

  /** Position of the one run that may begin while others may not. */
  #admitted(): { readonly from: Job[]; readonly at: number } | undefined {
    for (const queue of ['http', 'serial'] as const) {
      if (this.#paused[queue]) continue;
      const from = this.#waiting[queue];
      const at = from.findIndex(({ n }) => this.#gate.admits(n));
      if (at !== -1) return { from, at };
    }
    return undefined;
  }

  #takeAdmitted(): Job[] {
    const found = this.#admitted();
    return found === undefined ? [] : found.from.splice(found.at, 1);
  }
}
