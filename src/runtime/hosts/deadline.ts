import type { Clock } from '../clock.ts';

/** What measures how long work takes. */
export type ElapsedClock = Pick<Clock, 'elapsed' | 'after'>;

/**
 * Watches pieces of work that all have the same time limit: one timer for the oldest, however many
 * start and end. `expired` is called with the oldest that is over its time, once.
 */
export class Deadline {
  readonly #clock: ElapsedClock;
  readonly #limitMs: number;
  readonly #expired: (n: number) => void;
  readonly #started = new Map<number, number>();
  #cancel: (() => void) | undefined;
  #suspect: number | undefined;
  #held = false;

  constructor(clock: ElapsedClock, limitMs: number, expired: (n: number) => void) {
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

  /** What is going on has its whole time again. */
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
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      this.#look();
    });
  }

  #look(): void {
    const oldest = this.#started.entries().next().value;
    if (oldest === undefined) return;
    const [n, at] = oldest;
    const left = at + this.#limitMs - this.#clock.elapsed();
    // Seen late, its end may wait to be read: only who is still there at a second look is over.
    if (left > 0 || this.#suspect !== n) {
      this.#suspect = left > 0 ? undefined : n;
      this.#watch(Math.max(left, 0));
      return;
    }
    this.stop();
    this.#expired(n);
  }
}
