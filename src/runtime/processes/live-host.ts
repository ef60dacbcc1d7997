import type { ComponentDefinition } from '../../protocol/definition.ts';
import { messageOf } from '../../protocol/errors.ts';
import type {
  ConsoleLine,
  FromHost,
  HostConfiguration,
  RuntimeRequest,
  ThrownError,
  ToHost,
  Work,
} from '../../protocol/host.ts';
import { deepest, encode } from '../../protocol/message-pack/encode.ts';
import { type Clock, settledWithin } from '../base/clock.ts';
import type { Child, ChildObserver } from './child.ts';
import { Deadline } from './deadline.ts';
import type { Host, HostOptions, WorkObserver } from './host.ts';
import { toProcessExit, type Exit, type ExitReport } from './process-exit.ts';

/** How long a process that was asked to end may take before it is killed. */
const endMs = 2000;

/** A process that says nothing for so long, in ms, is busy. */
const pendingMs = 1000;

/** A piece of work that the process has not ended yet. */
interface InFlight {
  readonly observer: WorkObserver;
  /** Size of its output so far, see `sizeOfMessage`. */
  size: number;
}

/** A process with a component loaded in it. Every piece of work ends in `done` or `lost`, once. */
export class LiveHost implements Host {
  readonly pid: number;
  readonly definition: ComponentDefinition;
  readonly #child: Child;
  readonly #options: HostOptions;
  readonly #clock: Clock;
  readonly #deadline: Deadline;
  readonly #inFlight = new Map<number, InFlight>();
  readonly #inspections: ((url: string | null) => void)[] = [];
  readonly #pendingQuestions: ((isPending: boolean) => void)[] = [];
  #onIdle: (() => void) | undefined;
  #killed: Exit['killed'] = null;
  #report: ExitReport | null = null;
  #alive = true;
  #askedToEnd = false;
  /** The configuration cannot be sent. */
  #misfit: ThrownError | undefined;
  #inspected: boolean;
  #outsideSize = 0;

  constructor(child: Child, definition: ComponentDefinition, options: HostOptions, clock: Clock) {
    this.pid = child.pid ?? 0;
    this.definition = definition;
    this.#child = child;
    this.#options = options;
    this.#clock = clock;
    this.#deadline = new Deadline(clock, options.limits.timeoutMs, (n) => this.#timeout(n));
    this.#inspected = options.debug !== undefined;
    if (this.#inspected) this.#deadline.hold();
    child.observe({
      message: (message, size) => this.#message(message, size),
      exited: (exit) => this.#lose(exit),
    });
  }

  get sourceId(): string | null {
    return this.#options.sourceId;
  }

  get alive(): boolean {
    return this.#alive && !this.#askedToEnd && this.#killed === null;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get inspected(): boolean {
    return this.#inspected;
  }

  inspect(on: boolean): Promise<string | null> {
    if (!this.#alive) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#inspections.push(resolve);
      this.#child.send({ t: 'inspect', on });
    });
  }

  hasPending(): Promise<boolean> {
    if (!this.#alive) return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = this.#clock.after(pendingMs, () => resolve(true));
      this.#pendingQuestions.push((isPending) => {
        cancel();
        resolve(isPending);
      });
      this.#child.send({ t: 'pending' });
    });
  }

  configure(configuration: HostConfiguration): void {
    const message: ToHost = { t: 'configure', configuration };
    this.#misfit = misfitOf(message);
    if (this.#misfit === undefined) this.#child.send(message);
  }

  configureStep(component: string, bundle: string, configuration: HostConfiguration): void {
    this.#child.send({ t: 'configureStep', component, bundle, configuration });
  }

  forgetExecution(execution: number): void {
    this.#child.send({ t: 'forgetExecution', execution });
  }

  work(n: number, work: Work, observer: WorkObserver): void {
    if (!this.alive) {
      const message = 'its process had ended before it could start';
      setImmediate(() => observer.lost({ cause: 'killed', message, atFault: false }));
      return;
    }
    const message: ToHost = { t: 'work', n, work };
    // A trigger is flat, and every event passes here.
    const misfit = this.#misfit ?? (work.call === 'run' ? undefined : misfitOf(message));
    if (misfit !== undefined) {
      setImmediate(() => observer.done({ error: misfit }));
      return;
    }
    this.#inFlight.set(n, { observer, size: 0 });
    this.#deadline.start(n);
    this.#child.send(message);
  }

  async end(graceMs = 5000): Promise<void> {
    this.#askedToEnd = true;
    await settledWithin(this.#clock, graceMs, this.#idle());
    if (this.#inFlight.size > 0) this.kill('it was stopped before it had finished');
    else if (this.#alive) this.#child.send({ t: 'end' });
    const cancel = this.#clock.after(endMs, () => this.#child.kill());
    await this.#child.exited;
    cancel();
  }

  kill(reason: string): void {
    this.#killed ??= { cause: 'killed', reason };
    this.#child.kill();
  }

  stop(n: number): boolean {
    if (!this.#inFlight.has(n)) return false;
    this.#killed ??= { cause: 'stopped', n };
    this.#child.kill();
    return true;
  }

  /** Resolves when no work is in flight, or the process has ended. */
  async #idle(): Promise<void> {
    if (this.#inFlight.size === 0 || !this.#alive) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #timeout(n: number): void {
    this.#killed ??= { cause: 'timeout', n, timeoutMs: this.#options.limits.timeoutMs };
    this.#child.kill();
  }

  #message(message: FromHost, size: number): void {
    switch (message.t) {
      case 'done': {
        const work = this.#produced(message.n, size);
        if (work === undefined) break;
        this.#inFlight.delete(message.n);
        this.#deadline.end(message.n);
        work.observer.done(message);
        if (this.#inFlight.size === 0) this.#onIdle?.();
        break;
      }
      case 'progress':
        if (message.n === 0) this.#outside(message.logs ?? [], size);
        else this.#produced(message.n, size)?.observer.progress(message);
        break;
      case 'respond':
        void this.#inFlight.get(message.n)?.observer.respond(message.response);
        break;
      case 'refreshTimeout':
        this.#inFlight.get(message.n)?.observer.refreshTimeout?.();
        break;
      case 'request':
        void this.#answer(message.id, message.request);
        break;
      case 'ending':
        this.#report = message;
        break;
      case 'pending':
        this.#pendingQuestions.shift()?.(message.isPending);
        break;
      case 'inspector':
        this.#inspect(message.url);
        break;
      case 'ready':
      case 'loaded':
      case 'loadFailed':
      case 'attached':
        break;
    }
  }

  /** Takes note of what a piece of work has produced; undefined when it is over, or this was too much. */
  #produced(n: number, size: number): InFlight | undefined {
    const work = this.#inFlight.get(n);
    if (work === undefined) return undefined;
    work.size += size;
    // Its own process refuses what is above the limit, and counts a little otherwise: it sends each key
    // of a db once more at the end.
    if (work.size <= 2e6 * this.#options.limits.outputMb) return work;
    this.#endForOutput(n);
    return undefined;
  }

  /** Console lines outside any piece of work: of its whole life a process keeps 1 MB. */
  #outside(lines: readonly ConsoleLine[], size: number): void {
    this.#outsideSize += size;
    if (this.#outsideSize > 2e6 * this.#options.limits.outputMb) this.#endForOutput(0);
    else this.#options.onLog?.(lines);
  }

  #endForOutput(n: number): void {
    this.#killed ??= { cause: 'output', n, outputMb: this.#options.limits.outputMb };
    this.#child.kill();
  }

  #inspect(url: string | null): void {
    const answer = this.#inspections.shift();
    // Nobody asked: with an open inspector it would have no time limit.
    if (answer === undefined) return;
    this.#inspected = url !== null;
    if (this.#inspected) this.#deadline.hold();
    else this.#deadline.release();
    answer(url);
  }

  async #answer(id: number, request: RuntimeRequest): Promise<void> {
    try {
      const value =
        request.of === 'respond'
          ? await this.#inFlight.get(request.n)?.observer.respond(request.response)
          : await this.#options.onRequest?.(request);
      this.#child.send({ t: 'reply', id, value });
    } catch (error) {
      this.#child.send({ t: 'reply', id, error: messageOf(error) });
    }
  }

  #lose(exit: Parameters<ChildObserver['exited']>[0]): void {
    this.#alive = false;
    this.#inspected = false;
    this.#deadline.stop();
    for (const answer of this.#inspections.splice(0)) answer(null);
    for (const answer of this.#pendingQuestions.splice(0)) answer(false);
    const lost = [...this.#inFlight];
    this.#inFlight.clear();
    const facts: Exit = {
      ...exit,
      report: this.#report,
      killed: this.#killed,
      memoryMb: this.#options.limits.memoryMb,
    };
    for (const [n, { observer }] of lost) observer.lost(toProcessExit(facts, n, lost.length === 1));
    this.#onIdle?.();
    const asked = this.#askedToEnd && lost.length === 0;
    // No piece of work has this number, so none is at fault.
    this.#options.onEnd?.(asked ? null : toProcessExit(facts, 0, false));
  }
}

/**
 * Values that a user gave are nested as deeply as they like. What cannot be sent fails the work that it was
 * for, before it is among other messages. Undefined when it can.
 */
function misfitOf(message: ToHost): ThrownError | undefined {
  try {
    // Nested as deeply as in its batch.
    encode([[message]]);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const what = `A value for it is nested more than ${deepest} levels deep`;
    return { name: error.name, message: `${what}; a component can be given no such value.` };
  }
}
