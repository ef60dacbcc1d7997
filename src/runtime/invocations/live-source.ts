/**
 * A deployed source that can run: its process, started on first need, and its queue.
 *
 * Runs of one source go one by one, except HTTP requests, which run side by side up to a limit (a
 * third party may call back while a run or a hook waits for its answer), and hooks, which the
 * lifecycle calls and nothing holds up.
 */
import type { HostConfiguration, Work } from '../../protocol/host.ts';
import type { Host, WorkObserver } from '../hosts/host.ts';

export type Lane = 'serial' | 'http' | 'hook';

export interface Job {
  readonly n: number;
  readonly lane: Lane;
  readonly work: Work;
  readonly listener: WorkObserver;
  /** Its turn has come. */
  started(): void;
  /** Called when the process could not be started at all. */
  failed(error: unknown): void;
}

export interface LiveSourceOptions {
  /** Starts a process of the current code. */
  openHost(): Promise<Host>;
  /** Props, accounts, endpoints and db as they are now. */
  configuration(): HostConfiguration;
  readonly httpConcurrency: number;
  readonly idleMs: number;
}

export class LiveSource {
  readonly #options: LiveSourceOptions;
  readonly #waiting: { serial: Job[]; http: Job[]; hook: Job[] } = {
    serial: [],
    http: [],
    hook: [],
  };
  readonly #running = { serial: 0, http: 0, hook: 0 };
  #host: Host | undefined;
  #starting: Promise<void> | undefined;
  #paused = false;
  #stopped = false;
  /** Why it is over. */
  #closed: string | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #drained: (() => void)[] = [];

  constructor(options: LiveSourceOptions) {
    this.#options = options;
  }

  get host(): Host | undefined {
    return this.#host?.alive === true ? this.#host : undefined;
  }

  /** True while a run that is not an HTTP request is going on or waits. */
  get busy(): boolean {
    return this.#running.serial > 0 || this.#waiting.serial.length > 0;
  }

  submit(job: Job): void {
    this.#waiting[job.lane].push(job);
    this.#pump();
  }

  /** Holds runs back (hooks go on) until `resume`. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#pump();
  }

  /**
   * The runtime ends: what is in flight may end, nothing else starts any more. What waits hears nothing;
   * it lies in the inbox and runs at the next start.
   */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when no run is in flight, or after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    if (this.#running.serial + this.#running.http === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#drained.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** From now on work goes to this process; the old one ends when its work is done. */
  async replaceHost(host: Host | undefined, graceMs: number): Promise<void> {
    const old = this.#host;
    this.#host = host;
    if (host !== undefined) {
      host.configure(this.#options.configuration());
      this.#idle();
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
    this.#paused = true;
    this.#closed = reason;
    clearTimeout(this.#idleTimer);
    this.#host?.kill(reason);
    this.#host = undefined;
    const waiting = [
      ...this.#waiting.hook.splice(0),
      ...this.#waiting.serial.splice(0),
      ...this.#waiting.http.splice(0),
    ];
    for (const job of waiting) job.failed(new Error(reason));
  }

  #pump(): void {
    if (!this.#canStartOne()) return;
    const host = this.host;
    if (host === undefined) {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = undefined;
        this.#pump();
      });
      return;
    }
    clearTimeout(this.#idleTimer);
    for (let job = this.#next(); job !== undefined; job = this.#next()) this.#run(host, job);
  }

  #canStartOne(): boolean {
    if (this.#stopped) return false;
    const { serial, http, hook } = this.#waiting;
    if (hook.length > 0) return true;
    return !this.#paused && (serial.length > 0 || http.length > 0);
  }

  #next(): Job | undefined {
    if (this.#stopped) return undefined;
    const hook = this.#waiting.hook.shift();
    if (hook !== undefined || this.#paused) return hook;
    if (this.#running.http < this.#options.httpConcurrency) {
      const http = this.#waiting.http.shift();
      if (http !== undefined) return http;
    }
    return this.#running.serial === 0 ? this.#waiting.serial.shift() : undefined;
  }

  async #open(): Promise<void> {
    const host = await this.#options.openHost();
    // Meanwhile its source may have been deleted: nobody else would end it.
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
      // Nothing of this source can run; each waiting job says so instead of waiting for ever.
      const waiting = [
        ...this.#waiting.hook.splice(0),
        ...this.#waiting.serial.splice(0),
        ...this.#waiting.http.splice(0),
      ];
      for (const job of waiting) job.failed(error);
    }
  }

  #run(host: Host, job: Job): void {
    this.#running[job.lane] += 1;
    const { listener } = job;
    job.started();
    host.work(job.n, job.work, {
      progress: (produced) => listener.progress(produced),
      respond: (response) => listener.respond(response),
      done: (end) => {
        this.#ended(job.lane);
        listener.done(end);
        this.#pump();
      },
      lost: (loss) => {
        this.#ended(job.lane);
        listener.lost(loss);
        this.#pump();
      },
    });
  }

  #ended(lane: Lane): void {
    this.#running[lane] -= 1;
    const { serial, http, hook } = this.#running;
    if (serial + http > 0) return;
    for (const drained of this.#drained.splice(0)) drained();
    if (hook === 0 && !this.#canStartOne()) this.#idle();
  }

  #idle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      const host = this.#host;
      if (host === undefined || host.inFlight > 0) return;
      // A person looks at it.
      if (host.inspected) {
        this.#idle();
        return;
      }
      this.#host = undefined;
      host.end().catch(() => host.kill('it did not end'));
    }, this.#options.idleMs).unref();
  }
}
