/** Numbers of deliveries that wait for their turn, first in first out, and how many are in flight. */
export class DeliveryQueue {
  readonly #limit: number;
  #waiting: number[] = [];
  #next = 0;
  #inFlight = 0;

  /** @param limit in flight at once. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get idle(): boolean {
    return this.#inFlight === 0 && this.isEmpty;
  }

  /** None waits; some may be in flight. */
  get isEmpty(): boolean {
    return this.#next === this.#waiting.length;
  }

  /** The waiting deliveries and those in flight. */
  get size(): number {
    return this.#waiting.length - this.#next + this.#inFlight;
  }

  push(n: number): void {
    this.#waiting.push(n);
  }

  /** The next one, in flight from now on; undefined when none waits or the limit is reached. */
  start(): number | undefined {
    if (this.#inFlight >= this.#limit) return undefined;
    const n = this.#waiting[this.#next];
    if (n === undefined) return undefined;
    this.#inFlight++;
    this.#next++;
    // Dropping the front in bulk keeps a long queue from being copied for each.
    if (this.#next > 1000 && this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    return n;
  }

  /** A delivery in flight has ended. */
  done(): void {
    this.#inFlight--;
  }

  /** A delivery in flight could not begin: it is the next one again, after earlier ones that were put back. */
  putBack(n: number): void {
    this.#inFlight--;
    let place = this.#next;
    while ((this.#waiting[place] ?? Infinity) < n) place++;
    this.#waiting.splice(place, 0, n);
  }
}
