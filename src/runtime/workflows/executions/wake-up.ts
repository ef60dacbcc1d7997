/** The one clock of all pauses: takes up what is due, and sleeps until what is due next. */
import { messageOf } from '../../../protocol/errors.ts';
import { longestWaitMs } from '../../base/clock.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { UsesStore } from '../../store/store.ts';
import type { BaseServices } from '../../base/services.ts';

export interface WakeUpOptions
  extends UsesStore<'executions'>, Pick<BaseServices, 'clock' | 'log'> {
  /** How many executions are in memory. */
  readonly live: () => number;
  /** Continues it, unless it is running already. @param mayBeCutOff it may have been running at a crash */
  readonly take: (record: InvocationRecord, mayBeCutOff: boolean) => void;
}

/** After a look that failed, in ms. */
const againMs = 1000;

/** How many due executions are read from the store at a time. */
const dueAtOnce = 200;

export class WakeUp {
  readonly #options: WakeUpOptions;
  #stopped = false;
  #cancel: (() => void) | undefined;
  /** Workflows whose due executions may have been running at a crash. */
  readonly #mayBeCutOff = new Set<string>();
  /** A look at what is due has not taken all of it. */
  #isMoreDue = false;
  #isLooking = false;
  #lookAgain = false;

  constructor(options: WakeUpOptions) {
    this.#options = options;
  }

  /** The last owner of a workflow ended in a crash: due executions may have been running then. */
  afterCrash(workflowId: string): void {
    this.#mayBeCutOff.add(workflowId);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  /** An execution has ended or waits: there may be room for due ones. */
  roomMade(): void {
    if (this.#isMoreDue && this.#options.live() < dueAtOnce / 2) this.look();
  }

  /** Takes up what is due, in order (P25.21), and waits for what is due next. One look at a time. */
  look(): void {
    if (this.#stopped) return;
    if (this.#isLooking) {
      this.#lookAgain = true;
      return;
    }
    this.#isLooking = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#takeDue()
      .catch((error: unknown) => {
        if (this.#stopped) return;
        this.#options.log('error', `What is due could not be read: ${messageOf(error)}`);
        this.#cancel = this.#options.clock.after(againMs, () => this.look());
      })
      .finally(() => {
        this.#isLooking = false;
        if (!this.#lookAgain) return;
        this.#lookAgain = false;
        this.look();
      });
  }

  async #takeDue(): Promise<void> {
    const { store, clock, live, take } = this.#options;
    const now = clock.now();
    const most = dueAtOnce + live();
    const marked = new Set(this.#mayBeCutOff);
    const due = await store.executions.due(now, most);
    this.#isMoreDue = due.length >= most;
    for (const record of due) take(record, marked.has(record.emitterId));
    // Workflows that were marked meanwhile are checked again.
    if (!this.#isMoreDue) for (const id of marked) this.#mayBeCutOff.delete(id);
    if (this.#stopped) return;
    const next = await store.executions.nextWakeAfter(now);
    if (next === undefined) return;
    const ms = Math.min(Math.max(1, next - clock.now()), longestWaitMs);
    this.#cancel?.();
    this.#cancel = clock.after(ms, () => this.look());
  }
}
