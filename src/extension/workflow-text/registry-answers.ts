/** Answers of registries while the user types: they may be slow or missing, and nothing waits for them for long. */
import type { Clock } from '../clock.ts';

/** How long an answer is believed, in ms. */
const believedMs = 60_000;
/** How long nobody is asked again after nobody has answered, in ms. */
const silentMs = 5000;
/** How long a list of suggestions waits, in ms. */
const patienceMs = 400;
const mostKept = 200;

interface Kept {
  /** Until when it is believed. */
  until: number;
  /** Undefined where nobody answered. */
  readonly answer: Promise<unknown>;
}

export class RegistryAnswers {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #running: { readonly name: string; readonly abort: AbortController } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The answer to a question, as it was given within the last minute. One that is asked takes the place of another that is still being
   * looked for, since nobody types in two places.
   * @param name the question; two of one name have one answer
   * @param late is called when the answer came after this had given up
   * @returns undefined when nobody answers, or not in time
   */
  async get<T>(
    name: string,
    ask: (signal: AbortSignal) => Promise<T>,
    late: () => void,
  ): Promise<T | undefined> {
    const answer = this.#answer(name, ask);
    let isLate = false;
    let cancel = (): void => undefined;
    const patience = new Promise<undefined>((resolve) => {
      cancel = this.#clock.after(patienceMs, () => {
        isLate = true;
        resolve(undefined);
      });
    });
    void answer.then((value) => {
      if (isLate && value !== undefined) late();
    });
    const value = await Promise.race([answer, patience]);
    cancel();
    return value;
  }

  #answer<T>(name: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const now = this.#clock.now();
    const known = this.#kept.get(name);
    // The same name always gets the same kind of answer.
    if (known !== undefined && now < known.until) return known.answer as Promise<T>;
    if (this.#running !== undefined && this.#running.name !== name) this.#running.abort.abort();
    const running = { name, abort: new AbortController() };
    this.#running = running;
    const { signal } = running.abort;
    const answer = ask(signal).catch(() => {
      // A cancelled request is repeated; a failed one is not, for a while.
      if (this.#kept.get(name) === kept) {
        if (signal.aborted) this.#kept.delete(name);
        else kept.until = this.#clock.now() + silentMs;
      }
      return undefined;
    });
    const kept: Kept = { until: now + believedMs, answer };
    void answer.then(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }
}
