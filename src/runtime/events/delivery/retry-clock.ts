import { longestWaitMs } from '../../base/clock.ts';
import { DueQueue } from './due-queue.ts';
import type { BaseServices } from '../../base/services.ts';

export interface Retry {
  readonly n: number;
  readonly webhookId: string;
}

export interface RetryClockOptions extends Pick<BaseServices, 'clock'> {
  readonly due: (retry: Retry) => void;
}

/** Tells when the next attempt at a delivery is due. One timer of the system waits for the earliest. */
export class RetryClock {
  readonly #options: RetryClockOptions;
  readonly #queue = new DueQueue<Retry>();
  #cancel: (() => void) | undefined;
  #closed = false;
  #lastWake = -Infinity;

  constructor(options: RetryClockOptions) {
    this.#options = options;
  }

  /** How many wait for their time. */
  get size(): number {
    return this.#queue.size;
  }

  /** @param at epoch ms. */
  push(at: number, retry: Retry): void {
    const before = this.#queue.nextAt;
    this.#queue.push(at, retry);
    if (before === undefined || at < before) this.#wait();
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { nextAt } = this.#queue;
    if (nextAt === undefined || this.#closed) return;
    const ms = Math.min(Math.max(0, nextAt - this.#options.clock.now()), longestWaitMs);
    this.#cancel = this.#options.clock.after(ms, () => this.#wake());
  }

  #wake(): void {
    const now = this.#options.clock.now();
    // A clock that was set back must not put retries off.
    if (now < this.#lastWake) this.#queue.advance(this.#lastWake - now);
    this.#lastWake = now;
    for (let retry = this.#queue.take(now); retry !== undefined; retry = this.#queue.take(now)) {
      this.#options.due(retry);
    }
    this.#wait();
  }
}
