/** Runs the jobs of one emitter: keeps its process, started on first need, and gives it what is due. */
import type { HostConfiguration, HostResponse, Produced, Work } from '../../../protocol/host.ts';
import { settledWithin } from '../../base/clock.ts';
import type { Host, ProcessExit, WorkObserver } from '../../processes/host.ts';
import { IdleEnd } from '../../processes/idle-end.ts';
import type { IdleProcesses } from '../../processes/idle-processes.ts';
import type { WorkHold } from '../work-hold.ts';
import type { Gate } from './probation.ts';
import { type Job, type QueueName, RunQueue } from './run-queue.ts';
import { stoppedExit } from '../../processes/process-exit.ts';
import type { BaseServices } from '../../base/services.ts';

export interface RunnerOptions extends Pick<BaseServices, 'clock'> {
  /**
   * Starts a process of the current code, when its turn has come.
   * @param signal aborted when nobody needs the process any more
   */
  openHost(signal: AbortSignal): Promise<Host>;
  /** Props, accounts, endpoints and db as they are now. */
  configuration(): HostConfiguration;
  /** Prepares a run, for example by refreshing tokens that would expire during it; never rejects. */
  freshen?(): Promise<void> | undefined;
  readonly httpConcurrency: number;
  /** Which runs may begin; all unless given. */
  readonly gate?: Gate | undefined;
  /** Whether anything may begin; always unless given. */
  readonly hold?: Pick<WorkHold, 'isHeld'> | undefined;
  readonly idleMs: number;
  /** Among which its process waits while it is idle. */
  readonly idleProcesses: IdleProcesses;
  /** `dc_…` */
  readonly emitterId: string;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #queue: RunQueue;
  #host: Host | undefined;
  /** Settles when no change of the process is under way any more; they go one by one. */
  #changing: Promise<void> | undefined;
  /** The start of a process that is under way, or waits for its turn. */
  #opening: AbortController | undefined;
  /** Jobs whose turn has come while their payload is read back. */
  readonly #reading = new Map<number, Job>();
  /** Preparation of the next run; settles by itself. */
  #freshening: Promise<void> | undefined;
  /**
   * A refresh counts for the runs that waited for it: a token that lives for a second does not hold up anybody
   * permanently.
   */
  #isFresh = false;
  /** The process has an outdated configuration. */
  #isStale = false;
  /** Why it is over. */
  #closed: string | undefined;
  readonly #idleEnd: IdleEnd;
  readonly #turn: Turn = {
    ended: (queue) => this.#ended(queue),
    next: () => this.#startNext(),
  };

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#queue = new RunQueue(options.httpConcurrency, options.gate, options.hold);
    this.#idleEnd = new IdleEnd({
      ...options,
      host: () => this.#host,
      end: (host) => {
        this.#host = undefined;
        host.end().catch(() => host.kill('it did not end'));
      },
    });
  }

  get host(): Host | undefined {
    return this.#host?.alive === true ? this.#host : undefined;
  }

  /** How many runs and hooks wait, and how many are running. */
  get depth(): RunQueue['depth'] {
    return this.#queue.depth;
  }

  /** True while a run that is not an HTTP request is running or waits. */
  get busy(): boolean {
    return this.#queue.busy;
  }

  /** No run or hook is running. */
  get isResting(): boolean {
    return !this.#queue.hasRuns && (this.#host?.inFlight ?? 0) === 0;
  }

  /**
   * Something of the configuration has changed. The process is told while nothing is going on in it: at
   * once, or else before the next run that begins then. What a run has in memory is not taken from it.
   */
  reconfigure(): void {
    this.#isStale = true;
    this.#configureWhileResting();
  }

  submit(job: Job): void {
    this.#queue.push(job);
    this.#startNext();
  }

  /** Something may begin that might not before. */
  startNext(): void {
    this.#startNext();
  }

  /** Holds runs back (hooks continue) until `resume`. */
  pause(): void {
    this.#queue.pause();
  }

  /** HTTP requests may run while all other runs are still held back: a hook may wait for one. */
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
    this.#cancelUnneededStart();
  }

  /**
   * The runtime ends: what is in flight may end, nothing else starts any more. What waits is handed to
   * `leftBehind`.
   */
  stop(): void {
    this.#queue.stop();
    for (const job of this.#queue.clear()) job.leftBehind();
    this.#cancelUnneededStart();
  }

  /** Resolves when no run is in flight, or after `graceMs`. */
  drain(graceMs: number): Promise<void> {
    return settledWithin(this.#options.clock, graceMs, this.#queue.drained());
  }

  /** A person ends a run or hook that waits or runs; false if it is not here. */
  stopJob(n: number): boolean {
    const notBegun = this.#queue.take(n) ?? this.#takeReading(n);
    if (notBegun === undefined) return this.#host?.stop(n) === true;
    notBegun.listener.lost(stoppedExit(true));
    this.#cancelUnneededStart();
    this.#startNext();
    return true;
  }

  /** Cancels for this reason. Resolves when no run is running. */
  async cancelInFlight(reason: string): Promise<void> {
    if (this.#host !== undefined && this.#host.inFlight > 0) this.#host.kill(reason);
    await this.#queue.drained();
  }

  /**
   * From now on work goes to this process. The one before is ended first; what it still does is lost, so
   * hold runs back and drain before.
   */
  replaceHost(host: Host): Promise<void> {
    return this.#change(async () => {
      await this.#endHost();
      this.#use(host);
    });
  }

  /**
   * A fresh process of the same code, once nothing is in flight: hold runs back and drain before.
   * Rejects when it cannot be started; the next run tries again.
   */
  restart(): Promise<void> {
    return this.#change(async () => {
      await this.#endHost();
      this.#use(await this.#options.openHost(new AbortController().signal));
    });
  }

  /** Ends the process at once; what is in flight is lost, what waits is handed to `failed`. */
  close(reason: string): void {
    this.#queue.pause();
    this.#closed = reason;
    this.#idleEnd.cancel();
    this.#host?.kill(reason);
    this.#host = undefined;
    this.#opening?.abort();
    for (const job of this.#queue.clear()) job.failed(new Error(reason));
  }

  #startNext(): void {
    if (!this.#queue.canStart) return;
    const host = this.host;
    if (host === undefined) {
      if (this.#changing === undefined) void this.#change(() => this.#start());
      return;
    }
    if (!this.#freshened()) return;
    this.#idleEnd.cancel();
    this.#configureWhileResting();
    // Running jobs keep the old token, which outlives them; jobs that begin from now on wait for the new one.
    if (this.#isFresh && this.#isStale && !this.#queue.hasHooks) return;
    this.#isFresh = false;
    for (let job = this.#queue.start(); job !== undefined; job = this.#queue.start()) {
      this.#run(host, job);
    }
  }

  /** False while something has to come first; what waits is started then. */
  #freshened(): boolean {
    if (this.#isFresh) return true;
    this.#freshening ??= this.#options
      .freshen?.()
      ?.then(
        () => {
          this.#isFresh = true;
        },
        // Each job that may start says so.
        (error: unknown) => {
          for (const job of this.#queue.takeReady()) job.failed(error);
        },
      )
      .then(() => {
        this.#freshening = undefined;
        this.#startNext();
      });
    return this.#freshening === undefined;
  }

  /** Changes run one after the other: an update must not cross a start, which would bring the old code back. */
  async #change(change: () => Promise<void>): Promise<void> {
    const before = this.#changing;
    const changed = (async () => {
      await before;
      await change();
    })();
    const over: Promise<void> = changed
      .catch(() => undefined)
      .then(() => {
        if (this.#changing === over) this.#changing = undefined;
        this.#startNext();
      });
    this.#changing = over;
    await changed;
  }

  async #start(): Promise<void> {
    // An update that came before has left one.
    if (this.host !== undefined) return;
    const opening = (this.#opening = new AbortController());
    try {
      await this.#endHost();
      // Its emitter is gone: no process is started to be ended at once.
      if (this.#closed !== undefined) throw new Error(this.#closed);
      this.#use(await this.#options.openHost(opening.signal));
    } catch (error) {
      // No job needed the process any more. A job that came since then starts one for itself.
      if (opening.signal.aborted) return;
      // Each job that may start fails instead of waiting without end. Jobs that are held back may get other code.
      for (const job of this.#queue.takeReady()) job.failed(error);
    } finally {
      this.#opening = undefined;
    }
  }

  /** Every job that waited for the process was ended. */
  #cancelUnneededStart(): void {
    if (this.#queue.depth.waiting === 0) this.#opening?.abort();
  }

  #use(host: Host): void {
    // Meanwhile its emitter may have been deleted: nobody else would end it.
    if (this.#closed !== undefined) {
      host.kill(this.#closed);
      throw new Error(this.#closed);
    }
    host.configure(this.#options.configuration());
    this.#isStale = false;
    this.#host = host;
    this.#idleEnd.start(false);
  }

  #configureWhileResting(): void {
    if (!this.#isStale || !this.isResting) return;
    this.#isStale = false;
    // A process that starts later is configured then.
    this.host?.configure(this.#options.configuration());
  }

  /**
   * Resolves when the process is gone and all it said was told. What it has set in its db by then is
   * what the next one reads (P9.11); one that was killed may still have something to say.
   */
  async #endHost(): Promise<void> {
    this.#idleEnd.cancel();
    await this.#host?.end(0);
    this.#host = undefined;
  }

  #run(host: Host, job: Job): void {
    job.started();
    const { work } = job;
    if (typeof work === 'function') this.#read(job, work);
    else host.work(job.n, work, new JobInTurn(job, this.#turn));
  }

  /** Its payload was let go while it waited. */
  #read(job: Job, work: () => Promise<Work>): void {
    this.#reading.set(job.n, job);
    work().then(
      (read) => {
        if (!this.#reading.delete(job.n)) return;
        const host = this.host;
        if (host !== undefined) {
          host.work(job.n, read, new JobInTurn(job, this.#turn));
          return;
        }
        // Meanwhile its process has ended; it has not begun.
        this.#ended(job.queue);
        if (this.#closed === undefined) this.submit(job);
        else job.failed(new Error(this.#closed));
      },
      (error: unknown) => {
        if (!this.#reading.delete(job.n)) return;
        this.#ended(job.queue);
        job.failed(error);
        this.#startNext();
      },
    );
  }

  #takeReading(n: number): Job | undefined {
    const job = this.#reading.get(n);
    if (job === undefined) return undefined;
    this.#reading.delete(n);
    this.#ended(job.queue);
    return job;
  }

  #ended(queue: QueueName): void {
    this.#queue.done(queue);
    if (this.#queue.idle) this.#idleEnd.start(true);
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
    void this.#job.listener.respond(response);
  }

  done(end: Parameters<WorkObserver['done']>[0]): void {
    const { listener, queue } = this.#job;
    this.#turn.ended(queue);
    listener.done(end);
    this.#turn.next();
  }

  lost(loss: ProcessExit): void {
    const { listener, queue } = this.#job;
    this.#turn.ended(queue);
    listener.lost(loss);
    this.#turn.next();
  }
}
