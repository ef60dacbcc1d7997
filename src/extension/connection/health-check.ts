import type { Clock } from '../clock.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { Signal, type Disposable } from '../signal.ts';
import { every } from '../timing.ts';

/** How often a runtime is asked, in ms. */
const intervalMs = 10_000;
/** Without an answer for this long the runtime counts as not answering, in ms. */
const timeoutMs = 3000;

export interface HealthCheckOptions {
  /** The present connection; no runtime is started for a health check. */
  readonly client: () => RuntimeClient | undefined;
  /** Whether the window has the focus: nothing is asked while it does not. */
  readonly isFocused: () => boolean;
  readonly clock: Clock;
}

/** Measures whether a connected runtime answers, and how fast, for the status bar. */
export class HealthCheck implements Disposable {
  readonly onMeasured = new Signal<void>();
  readonly #options: HealthCheckOptions;
  readonly #timer: Disposable;
  #answeredInMs: number | undefined;
  #isLate = false;
  #isWaiting = false;

  constructor(options: HealthCheckOptions) {
    this.#options = options;
    this.#timer = every(options.clock, intervalMs, () => void this.#ask());
  }

  /** Round trip of the last answer; undefined before the first. */
  get answeredInMs(): number | undefined {
    return this.#answeredInMs;
  }

  /** No answer for three seconds. */
  get isLate(): boolean {
    return this.#isLate;
  }

  dispose(): void {
    this.#timer.dispose();
  }

  async #ask(): Promise<void> {
    const { client, isFocused, clock } = this.#options;
    const asked = client();
    if (asked === undefined) return this.#forget();
    if (this.#isWaiting || !isFocused()) return;
    this.#isWaiting = true;
    const start = clock.now();
    const cancelTimeout = clock.after(timeoutMs, () => this.#set(this.#answeredInMs, true));
    try {
      await asked.call('runtime.info', {});
      this.#set(Math.round(clock.now() - start), false);
    } catch {
      // A connection that broke is reported by the link, with the reason.
      this.#set(undefined, false);
    } finally {
      cancelTimeout();
      this.#isWaiting = false;
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
