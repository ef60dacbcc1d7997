import type { Clock } from '../../src/runtime/base/clock.ts';

interface Timer {
  readonly at: number;
  readonly ms: number;
  readonly callback: () => void;
}

/** Time that passes when told to: the clock on the wall, and timers that count the time awake. */
export class FakeClock implements Clock {
  /** The ms of every timer that was ever set. */
  readonly asked: number[] = [];
  #now: number;
  #awake = 0;
  #timers: Timer[] = [];

  /** @param now what the clock on the wall shows at first, in epoch ms */
  constructor(now = 0) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly elapsed = (): number => this.#awake;

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#awake + ms, ms, callback };
    this.asked.push(ms);
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((one) => one !== timer));
  };

  /** The ms of the timers that wait, in the order they were set. */
  get waits(): number[] {
    return this.#timers.map(({ ms }) => ms);
  }

  /** Time runs on; what is due meanwhile is called at its time. */
  pass(ms: number): void {
    const end = this.#awake + ms;
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#ring(next);
    }
    this.#advance(end - this.#awake);
  }

  /** Time runs on until the next timer, which is called. @returns its ms; undefined when none waits */
  ring(): number | undefined {
    const next = this.#next();
    if (next !== undefined) this.#ring(next);
    return next?.ms;
  }

  /** The clock on the wall alone moves: it was set, or the machine slept. */
  jump(ms: number): void {
    this.#now += ms;
  }

  #next(): Timer | undefined {
    return this.#timers.toSorted((a, b) => a.at - b.at)[0];
  }

  #ring(timer: Timer): void {
    this.#timers = this.#timers.filter((one) => one !== timer);
    this.#advance(timer.at - this.#awake);
    timer.callback();
  }

  #advance(ms: number): void {
    this.#awake += ms;
    this.#now += ms;
  }
}
