/** Runs the jobs of one emitter: keeps its process, started on first need, and gives it what is due. */
import type { HostConfiguration } from '../../protocol/host.ts';
import type { Clock } from '../clock.ts';
import type { Host, WorkObserver } from '../hosts/host.ts';
import { type Job, RunQueue } from './run-queue.ts';

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

  resume(): void {
    this.#queue.resume();
    this.#startNext();
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
  async drain(graceMs: number): Promise<void> {
    let cancel: (() => void) | undefined;
    const grace = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(graceMs, resolve);
    });
    await Promise.race([this.#queue.drained(), grace]);
    cancel?.();
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
    const { listener, queue, work } = job;
    job.started();
    const observer: WorkObserver = {
      progress: (produced) => listener.progress(produced),
      respond: (response) => listener.respond(response),
      done: (end) => {
        this.#ended(queue);
        listener.done(end);
        this.#startNext();
      },
      lost: (loss) => {
        this.#ended(queue);
        listener.lost(loss);
        this.#startNext();
      },
    };
    if (typeof work !== 'function') {
      host.work(job.n, work, observer);
      return;
    }
    work().then(
      (read) => host.work(job.n, read, observer),
      (error: unknown) => {
        this.#ended(queue);
        job.failed(error);
        this.#startNext();
      },
    );
  }

  #ended(queue: Job['queue']): void {
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
