/** Numbers of deliveries that wait for their turn, first in first out, and how many are in flight. */
export class Lane {
  readonly #limit: number;
  #waiting: number[] = [];
  #next = 0;
  #inFlight = 0;

  /** @param limit in flight at once. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get idle(): boolean {
    return this.#inFlight === 0 && this.#next === this.#waiting.length;
  }

  push(n: number): void {
    this.#waiting.push(n);
  }

  /** The next one; undefined when none waits or the limit is reached. */
  get next(): number | undefined {
    return this.#inFlight < this.#limit ? this.#waiting[this.#next] : undefined;
  }

  /** The next one is in flight until `done`. */
  start(): void {
    this.#inFlight++;
    this.#next++;
    // Dropping the front in bulk keeps a long queue from being copied for each.
    if (this.#next > 1000 && this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
  }

  done(): void {
    this.#inFlight--;
  }
}
