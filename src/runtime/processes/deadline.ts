import type { Clock } from '../base/clock.ts';

/** The longest timer that the system takes; a longer one fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Watches pieces of work that all have the same time limit, in ms: one timer for the oldest, however
 * many start and end. `expired` is called once, with the number of the oldest, when it is over its time.
 */
export class Deadline {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly #limitMs: number;
  readonly #expired: (n: number) => void;
  readonly #started = new Map<number, number>();
  #cancel: (() => void) | undefined;
  #suspect: number | undefined;
  #held = false;

  constructor(
    clock: Pick<Clock, 'elapsed' | 'after'>,
    limitMs: number,
    expired: (n: number) => void,
  ) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#expired = expired;
  }

  start(n: number): void {
    this.#started.set(n, this.#clock.elapsed());
    if (this.#cancel === undefined && !this.#held) this.#watch(this.#limitMs);
  }

  /** Nothing expires until `release`. */
  hold(): void {
    this.#held = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Work that has started has its whole time again. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#suspect = undefined;
    for (const n of this.#started.keys()) this.#started.set(n, this.#clock.elapsed());
    if (this.#started.size > 0) this.#watch(this.#limitMs);
  }

  end(n: number): void {
    this.#started.delete(n);
  }

  stop(): void {
    this.#started.clear();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #watch(ms: number): void {
    this.#cancel = this.#clock.after(Math.min(ms, longestTimerMs), () => {
      this.#cancel = undefined;
      this.#look();
    });
  }

  #look(): void {
    const oldest = this.#started.entries().next().value;
    if (oldest === undefined) return;
    const [n, at] = oldest;
    const left = at + this.#limitMs - this.#clock.elapsed();
    // When this comes late, an end may still wait to be read: only a second look is sure.
    if (left > 0 || this.#suspect !== n) {
      this.#suspect = left > 0 ? undefined : n;
      this.#watch(Math.max(left, 0));
      return;
    }
    this.stop();
    this.#expired(n);
  }
}
