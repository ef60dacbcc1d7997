/** Runs the jobs of one emitter: keeps its process, started on first need, and gives it what is due. */
import type { HostConfiguration, HostResponse, Produced } from '../../protocol/host.ts';
import { type Clock, settledWithin } from '../clock.ts';
import type { Host, Loss, WorkObserver } from '../hosts/host.ts';
import { type Job, type QueueName, RunQueue } from './run-queue.ts';

export interface RunnerOptions {
  /** Starts a process of the current code. */
  openHost(): Promise<Host>;
  /** Props, accounts, endpoints and db as they are now. */
  configuration(): HostConfiguration;
  readonly httpConcurrency: number;
  readonly idleMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #queue: RunQueue;
  #host: Host | undefined;
  #starting: Promise<void> | undefined;
  #stopped = false;
  /** Why it is over. */
  #closed: string | undefined;
  #cancelIdle: (() => void) | undefined;
  readonly #turn: Turn = {
    ended: (queue) => this.#ended(queue),
    next: () => this.#startNext(),
  };

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#queue = new RunQueue(options.httpConcurrency);
  }

  get host(): Host | undefined {
    return this.#host?.alive === true ? this.#host : undefined;
  }

  /** True while a run that is not an HTTP request is going on or waits. */
  get busy(): boolean {
    return this.#queue.busy;
  }

  submit(job: Job): void {
    this.#queue.push(job);
    this.#startNext();
  }

  /** Holds runs back (hooks go on) until `resume`. */
  pause(): void {
    this.#queue.pause();
  }

  /** HTTP requests go on while all other runs are held back still: a hook may wait for one. */
  resumeHttp(): void {
    this.#queue.resumeHttp();
    this.#startNext();
  }

  resume(): void {
    this.#queue.resume();
    this.#startNext();
  }

  /** The source was switched off: what waits for its turn does not run any more. */
  cancelWaiting(): void {
    for (const job of this.#queue.clear()) job.cancelled();
  }

  /**
   * The runtime ends: what is in flight may end, nothing else starts any more. What waits hears nothing;
   * it lies in the inbox and runs at the next start.
   */
  stop(): void {
    this.#stopped = true;
    this.#queue.stop();
  }

  /** Resolves when no run is in flight, or after `graceMs`. */
  drain(graceMs: number): Promise<void> {
    return settledWithin(this.#options.clock, graceMs, this.#queue.drained());
  }

  /** From now on work goes to this process; the old one ends when its work is done. */
  async replaceHost(host: Host | undefined, graceMs: number): Promise<void> {
    const old = this.#host;
    this.#host = host;
    if (host !== undefined) {
      host.configure(this.#options.configuration());
      this.#endWhenIdle();
    }
    if (old !== undefined && old !== host) await old.end(graceMs);
  }

  /**
   * A fresh process of the same code, once nothing is in flight: hold runs back and drain before.
   * Rejects when it cannot be started; the next run tries again.
   */
  async restart(): Promise<void> {
    await this.#starting;
    await this.replaceHost(undefined, 0);
    this.#starting = this.#open().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** Props, accounts or endpoints changed. A process that does not run reads them when it starts. */
  reconfigure(): void {
    this.host?.configure(this.#options.configuration());
  }

  /** Ends the process at once; what is in flight is lost, what waits is handed to `failed`. */
  close(reason: string): void {
    this.#queue.pause();
    this.#closed = reason;
    this.#cancelIdle?.();
    this.#host?.kill(reason);
    this.#host = undefined;
    for (const job of this.#queue.clear()) job.failed(new Error(reason));
  }

  #startNext(): void {
    if (!this.#queue.canStart) return;
    const host = this.host;
    if (host === undefined) {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = undefined;
        this.#startNext();
      });
      return;
    }
    this.#cancelIdle?.();
    for (let job = this.#queue.start(); job !== undefined; job = this.#queue.start()) {
      this.#run(host, job);
    }
  }

  async #open(): Promise<void> {
    const host = await this.#options.openHost();
    // Meanwhile its emitter may have been deleted: nobody else would end it.
    if (this.#closed !== undefined) {
      host.kill(this.#closed);
      throw new Error(this.#closed);
    }
    host.configure(this.#options.configuration());
    this.#host = host;
  }

  async #start(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      if (this.#stopped) return;
      // Nothing of this emitter can run; each waiting job says so instead of waiting for ever.
      for (const job of this.#queue.clear()) job.failed(error);
    }
  }

  #run(host: Host, job: Job): void {
    job.started();
    host.work(job.n, job.work, new JobInTurn(job, this.#turn));
  }

  #ended(queue: QueueName): void {
    this.#queue.done(queue);
    if (this.#queue.idle) this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    this.#cancelIdle?.();
    this.#cancelIdle = this.#options.clock.after(this.#options.idleMs, () => {
      const host = this.#host;
      if (host === undefined || host.inFlight > 0) return;
      // A person looks at it.
      if (host.inspected) {
        this.#endWhenIdle();
        return;
      }
      this.#host = undefined;
      host.end().catch(() => host.kill('it did not end'));
    });
  }
}

/** Around the end of a job: its place is free before its end is told, and what waits comes after. */
interface Turn {
  ended(queue: QueueName): void;
  next(): void;
}

class JobInTurn implements WorkObserver {
  readonly #job: Job;
  readonly #turn: Turn;

  constructor(job: Job, turn: Turn) {
    this.#job = job;
    this.#turn = turn;
  }

  progress(produced: Partial<Produced>): void {
    this.#job.listener.progress(produced);
  }

  respond(response: HostResponse): void {
    this.#job.listener.respond(response);
  }

  done(end: Parameters<WorkObserver['done']>[0]): void {
    const { listener, queue } = this.#job;
    this.#turn.ended(queue);
    listener.done(end);
    this.#turn.next();
  }

  lost(loss: Loss): void {
    const { listener, queue } = this.#job;
    this.#turn.ended(queue);
    listener.lost(loss);
    this.#turn.next();
  }
}
