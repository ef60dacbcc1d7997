/**
 * After a crash of a runtime, the interrupted runs run alone, one after the other, so that the run that crashes
 * runtimes is distinguished from the others (P12.14, P25.22). Before a run begins alone, it is marked in the store, and
 * the mark is removed before anything else begins: after the next crash, the mark names the cause. While nothing has
 * crashed, nothing is written, and `isOpen` is the only check.
 */
import { describeError } from '../../base/log.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { EmitterOwner } from '../../store/emitter-owner.ts';
import type { SuspectMark } from '../../store/history/suspicion.ts';
import type { Store } from '../../store/store.ts';
import { aloneMs, compareSuspects, type Suspect } from './death.ts';
import type { BaseServices } from '../../base/services.ts';

/** Whether a run may begin now. */
export interface Gate {
  /** Everything may. */
  readonly isOpen: boolean;
  /** This one may. @param n of the invocation */
  admits(n: number): boolean;
}

export const openGate: Gate = { isOpen: true, admits: () => true };

export interface ProbationOptions extends Pick<BaseServices, 'clock' | 'log'> {
  readonly store: { readonly invocations: Pick<Store['invocations'], 'markSuspects'> };
  /** How many runs and executions are in flight in this runtime. */
  readonly inFlight: () => number;
  /** Something may begin that might not before. */
  readonly changed: () => void;
}

interface OwnedSuspect extends Suspect {
  readonly owner: EmitterOwner;
}

/** How long work in flight may take to end before a run begins alone, in ms; if it takes longer, nothing runs alone. */
const quietMs = 1000;
/** How long the run whose turn it is may take to begin, in ms: its process has to start. */
const beginMs = 10_000;
/** After this time, in ms, all others begin, too, so that a crash does not block them. */
const mostMs = 20_000;

export class Probation implements Gate {
  readonly #options: ProbationOptions;
  #isOpen = true;
  readonly #waiting: OwnedSuspect[] = [];
  /** Written before anything begins. */
  readonly #marks: { readonly owner: EmitterOwner; readonly mark: SuspectMark }[] = [];
  #current: OwnedSuspect | undefined;
  #hasBegun = false;
  #hasEnded = false;
  /** Number of running jobs that do not wait for the gate. */
  #beside = 0;
  #isInterrupted = false;
  #isClosed = false;
  #over: Promise<void> | undefined;
  #look: (() => void) | undefined;

  constructor(options: ProbationOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  admits(n: number): boolean {
    return this.#isOpen || this.#current?.n === n;
  }

  /** Adds a run that may have been in flight at a crash. It takes its place in the queue within this call. */
  add(owner: EmitterOwner, suspect: Suspect): void {
    this.#waiting.push({ ...suspect, owner });
    this.#start();
  }

  /** Written before anything begins: a mark that an earlier runtime left is counted once. */
  mark(owner: EmitterOwner, mark: SuspectMark): void {
    this.#marks.push({ owner, mark });
    this.#start();
  }

  /** Its process runs it from now on. */
  begun(n: number): void {
    if (this.#isOpen || this.#current?.n !== n) return;
    this.#hasBegun = true;
    this.#look?.();
  }

  /** It has ended or is paused, and that is on disk; or nobody runs it any more. */
  ended(n: number): void {
    if (this.#isOpen) return;
    if (this.#current?.n === n) this.#hasEnded = true;
    else this.#drop((one) => one.n === n);
    this.#look?.();
  }

  /** This emitter has another owner now, or was deleted. */
  forget(emitterId: string): void {
    if (this.#isOpen) return;
    this.#drop(({ owner }) => owner.id === emitterId);
    if (this.#current?.owner.id === emitterId) this.#hasEnded = true;
    this.#look?.();
  }

  /**
   * Lets everything begin: a person waits for something.
   * @returns undefined when it may begin already
   */
  interrupt(): Promise<void> | undefined {
    if (this.#isOpen) return undefined;
    this.#isInterrupted = true;
    this.#look?.();
    return this.#over;
  }

  /** Runs what waits for no gate, and is not in the inbox: nothing else runs alone meanwhile. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    await this.interrupt();
    this.#beside += 1;
    try {
      return await work();
    } finally {
      this.#beside -= 1;
      this.#look?.();
    }
  }

  /** The runtime ends in peace: that counts against nobody. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.interrupt();
  }

  #start(): void {
    if (this.#isClosed || this.#over !== undefined) return;
    this.#isOpen = false;
    this.#over = this.#run()
      .catch((error: unknown) => {
        // The store has reported why it failed.
        if (WeirError.is(error, 'store_failed')) return;
        this.#options.log('error', `What was cut off cannot run alone: ${describeError(error)}`);
      })
      .then(() => {
        this.#waiting.length = 0;
        this.#marks.length = 0;
        this.#current = undefined;
        this.#over = undefined;
        this.#isInterrupted = false;
        this.#isOpen = true;
        this.#options.changed();
      });
  }

  async #run(): Promise<void> {
    const { clock, changed } = this.#options;
    // All that is taken over in this turn is known by then.
    await Promise.resolve();
    const since = clock.elapsed();
    for (;;) {
      await this.#writeMarks();
      if (this.#isInterrupted || clock.elapsed() - since >= mostMs) return;
      const suspect = this.#waiting.sort(compareSuspects).shift();
      if (suspect === undefined) return;
      if (!(await this.#isQuiet())) return;
      const { owner, n, attempt, outlived } = suspect;
      this.#hasBegun = false;
      this.#hasEnded = false;
      if (!(await this.#write(owner, { n, attempt, outlived, isAlone: true }))) continue;
      if (!this.#isInterrupted) {
        this.#current = suspect;
        changed();
        await this.#alone(outlived);
        this.#current = undefined;
      }
      if (this.#hasEnded) continue;
      const isLonger = this.#hasBegun && !this.#isInterrupted;
      const mark = { n, attempt, outlived: outlived + (isLonger ? 1 : 0), isAlone: false };
      await this.#write(owner, mark);
    }
  }

  /** Resolves when it has ended, or its time alone is over. */
  async #alone(outlived: number): Promise<void> {
    await this.#wait(beginMs, () => this.#hasBegun || this.#hasEnded);
    if (this.#hasBegun) await this.#wait(aloneMs(outlived), () => this.#hasEnded);
  }

  async #isQuiet(): Promise<boolean> {
    const isQuiet = (): boolean => this.#options.inFlight() + this.#beside === 0;
    await this.#wait(quietMs, isQuiet);
    return isQuiet() && !this.#isInterrupted;
  }

  /** Resolves when it holds, after so many ms, or when somebody waits for all of this. */
  async #wait(ms: number, holds: () => boolean): Promise<void> {
    if (holds() || this.#isInterrupted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        this.#look = undefined;
        resolve();
      };
      const cancel = this.#options.clock.after(ms, end);
      this.#look = () => {
        if (holds() || this.#isInterrupted) end();
      };
    });
  }

  async #writeMarks(): Promise<void> {
    for (let one = this.#marks.shift(); one !== undefined; one = this.#marks.shift()) {
      await this.#write(one.owner, one.mark);
    }
  }

  /** @returns false if its emitter is gone, or has another owner */
  async #write(owner: EmitterOwner, mark: SuspectMark): Promise<boolean> {
    try {
      await this.#options.store.invocations.markSuspects(owner, [mark]);
      return true;
    } catch (error) {
      if (WeirError.is(error, 'not_found') || WeirError.is(error, 'conflict')) return false;
      throw error;
    }
  }

  #drop(isGone: (one: OwnedSuspect) => boolean): void {
    const kept = this.#waiting.filter((one) => !isGone(one));
    this.#waiting.splice(0, this.#waiting.length, ...kept);
  }
}
