/**
 * Decides whether work may begin: runs and hooks, executions and their steps, deliveries, sends, ticks of timers. Code that
 * begins work asks here at that moment, because the effects of work whose end cannot be stored happen
 * again at the next start.
 */
import type { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../base/clock.ts';

export interface WorkHoldOptions {
  readonly store: {
    readonly failure: WeirError | undefined;
    readonly unreachable: WeirError | undefined;
  };
  readonly clock: Pick<Clock, 'after'>;
  /** True while another runtime may be about to begin the same work; never unless given. */
  readonly isPaused?: (() => boolean) | undefined;
}

/** Between two looks at what holds work up, in ms. */
const lookMs = 50;

export class WorkHold {
  readonly #options: WorkHoldOptions;
  readonly #listeners: (() => void)[] = [];
  #cancelLook: (() => void) | undefined;

  constructor(options: WorkHoldOptions) {
    this.#options = options;
  }

  /** True while nothing may begin. Whoever was told so is told by `onRelease` when it may. */
  get isHeld(): boolean {
    const { store, isPaused } = this.#options;
    if (store.failure !== undefined) return true;
    if (store.unreachable === undefined && isPaused?.() !== true) return false;
    this.#lookLater();
    return true;
  }

  /** Calls the listener each time that work which had to wait may begin, in the order of these calls. */
  onRelease(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Never releases anything again. */
  close(): void {
    this.#cancelLook?.();
    this.#listeners.length = 0;
  }

  #release(): void {
    if (this.isHeld) return;
    for (const listener of this.#listeners) listener();
  }

  /** Nobody says when a store answers again. One that has failed never does, until a restart. */
  #lookLater(): void {
    this.#cancelLook ??= this.#options.clock.after(lookMs, () => {
      this.#cancelLook = undefined;
      this.#release();
    });
  }
}

/** For work that nothing holds up. */
export const neverHeld: Pick<WorkHold, 'isHeld' | 'onRelease'> = {
  isHeld: false,
  onRelease: () => undefined,
};
