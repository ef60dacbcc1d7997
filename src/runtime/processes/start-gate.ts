/** How many component processes may start at the same time, and the order in which the others wait. */
import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../base/clock.ts';

export interface StartGateOptions {
  /** The most that start at the same time. */
  readonly most: number;
  readonly clock: Pick<Clock, 'after'>;
  /** Calls back in a later turn of the loop. */
  readonly nextTurn: (callback: () => void) => void;
}

/** A start that takes longer, in ms, makes room: its code may wait for a network, or loop while it is evaluated. */
export const longestPlaceMs = 2000;

/**
 * Admits starts first come, first served, and one per turn of the loop: a fork stops the thread that calls it, so two
 * forks in one turn would hold up every request for twice as long.
 */
export class StartGate {
  readonly #options: StartGateOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #admitting = false;

  constructor(options: StartGateOptions) {
    this.#options = options;
  }

  /** How many starts wait for their turn, and how many have one. */
  get depth(): { readonly waiting: number; readonly running: number } {
    return { waiting: this.#waiting.length, running: this.#running };
  }

  /**
   * Resolves when a start may begin, with a function that the caller calls at the end of the start.
   * @param signal takes it out of the queue; rejects with `cancelled` then
   */
  enter(signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(this.#place());
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(new WeirError('cancelled', 'Starting the component was cancelled.'));
      };
      this.#waiting.push(admit);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted === true) giveUp();
      else this.#admitNext();
    });
  }

  #admitNext(): void {
    if (this.#admitting || this.#waiting.length === 0 || this.#running >= this.#options.most)
      return;
    this.#admitting = true;
    this.#options.nextTurn(() => {
      this.#admitting = false;
      this.#waiting.shift()?.();
      this.#admitNext();
    });
  }

  /** @returns makes room; does nothing once there is room again */
  #place(): () => void {
    this.#running += 1;
    let isFree = false;
    const leave = (): void => {
      if (isFree) return;
      isFree = true;
      cancel();
      this.#running -= 1;
      this.#admitNext();
    };
    const cancel = this.#options.clock.after(longestPlaceMs, leave);
    return leave;
  }
}
