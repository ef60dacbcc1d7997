import type { RuntimeClient } from '../model/runtime-client.ts';
import { Signal } from '../signal.ts';

/** How often a runtime is asked, in ms. */
const intervalMs = 10_000;
/** An answer that takes longer is said to be missing, in ms. */
const patienceMs = 3000;

export interface PulseOptions {
  /** The connection there is; nothing is started for a look. */
  readonly client: () => RuntimeClient | undefined;
  /** False while nobody looks: then nothing is asked. */
  readonly isWatched: () => boolean;
  readonly now: () => number;
}

/** Whether a runtime that is connected answers, and how fast: what the status bar says is measured. */
export class Pulse {
  readonly onMeasured = new Signal<void>();
  readonly #options: PulseOptions;
  readonly #timer: NodeJS.Timeout;
  #answeredInMs: number | undefined;
  #isLate = false;
  #waiting = false;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#ask(), intervalMs);
    this.#timer.unref();
  }

  /** The last answer's round trip; undefined before there was one. */
  get answeredInMs(): number | undefined {
    return this.#answeredInMs;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    const { client, isWatched, now } = this.#options;
    const asked = client();
    if (asked === undefined) return this.#forget();
    if (this.#waiting || !isWatched()) return;
    this.#waiting = true;
    const start = now();
    const patience = setTimeout(() => this.#set(this.#answeredInMs, true), patienceMs);
    try {
      await asked.call('runtime.info', {});
      this.#set(Math.round(now() - start), false);
    } catch {
      // A connection that broke is told by the link, with the reason.
      this.#set(undefined, false);
    } finally {
      clearTimeout(patience);
      this.#waiting = false;
    }
  }

  #forget(): void {
    if (this.#answeredInMs !== undefined || this.#isLate) this.#set(undefined, false);
  }

  #set(answeredInMs: number | undefined, isLate: boolean): void {
    this.#answeredInMs = answeredInMs;
    this.#isLate = isLate;
    this.onMeasured.fire();
  }
}
