/** The idle component processes of a runtime: each ends after a while, and sooner when there are more than the budget allows. */
import type { Clock } from '../base/clock.ts';
import { type IdleProcess, type ProcessBudget, processesToEnd } from './budget.ts';

/**
 * How long after a process has become idle the budget is checked, in ms: processes that are called in a burst become
 * idle together.
 */
export const checkMs = 1000;
/** One that became idle less than this ago, in ms, is not ended: a retry may follow, or the next step. */
const youngMs = checkMs / 2;
/** An emitter whose runs are further apart than this, in ms, is not regular: as long as an idle process waits by default. */
const regularMs = 300_000;

interface Waiting extends IdleProcess {
  end(): void;
}

/** Runs of an emitter with less than `regularMs` between them. */
interface Series {
  readonly since: number;
  last: number;
}

export interface IdleProcessesOptions {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  /** None: each process waits its whole time. */
  readonly budget?: ProcessBudget | undefined;
}

export class IdleProcesses {
  readonly #options: IdleProcessesOptions;
  readonly #waiting = new Set<Waiting>();
  /** By emitter. It outlives a process that was ended early. */
  readonly #series = new Map<string, Series>();
  #isChecking = false;

  constructor(options: IdleProcessesOptions) {
    this.#options = options;
  }

  /**
   * A process has become idle.
   * @param hasRun something ran in it just now; not when it was only started
   * @param end called once, after `ms`, or early when the budget is exceeded
   * @returns cancels it: the process is used again
   */
  rest(
    emitterId: string,
    ms: number,
    hasRun: boolean,
    end: (isEarly: boolean) => void,
  ): () => void {
    const { clock, budget } = this.#options;
    if (budget === undefined) return clock.after(ms, () => end(false));
    const idleSince = clock.elapsed();
    const leave = (): void => {
      cancelTimer();
      this.#waiting.delete(waiting);
    };
    const cancelTimer = clock.after(ms, () => {
      this.#waiting.delete(waiting);
      end(false);
    });
    const waiting: Waiting = {
      idleSince,
      isRegular: this.#isRegular(emitterId, idleSince, hasRun),
      end() {
        leave();
        end(true);
      },
    };
    this.#waiting.add(waiting);
    this.#checkSoon(budget);
    return leave;
  }

  #isRegular(emitterId: string, now: number, hasRun: boolean): boolean {
    const found = this.#series.get(emitterId);
    const series =
      found === undefined || now - found.last > regularMs ? { since: now, last: now } : found;
    if (hasRun) {
      series.last = now;
      this.#series.set(emitterId, series);
    }
    // Runs within a second may be one burst, or one delivery and its retry.
    return series.last - series.since > checkMs;
  }

  #checkSoon(budget: ProcessBudget): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#options.clock.after(checkMs, () => {
      this.#isChecking = false;
      const now = this.#options.clock.elapsed();
      for (const [id, { last }] of this.#series)
        if (now - last > regularMs) this.#series.delete(id);
      for (const waiting of processesToEnd([...this.#waiting], budget)) {
        if (now - waiting.idleSince < youngMs) this.#checkSoon(budget);
        else waiting.end();
      }
    });
  }
}
