/** 2026: a number has 15 digits until 2033, and is exact until 2095. */
const beginning = Date.UTC(2026, 0, 1);
const slotBits = 64;
const countBits = 64;

/** No node gives out this number, or a greater one, before this moment. @param ms epoch ms */
export function numberAt(ms: number): number {
  return Math.max(0, Math.floor(ms) - beginning) * slotBits * countBits;
}

/**
 * Numbers for new rows: unique on all nodes, ascending on each, made without asking anybody. Milliseconds, the
 * node's slot, a count; of more than 64 in one millisecond the rest is of the next ones.
 */
export class Numbers {
  readonly #slot: number;
  readonly #now: () => number;
  #ms = 0;
  #count = countBits;

  /** @param now epoch ms */
  constructor(slot: number, now: () => number) {
    this.#slot = slot;
    this.#now = now;
  }

  /** No number up to this one is given out any more. */
  after(number: number): void {
    const ms = Math.floor(number / (slotBits * countBits)) + 1;
    if (ms <= this.#ms) return;
    this.#ms = ms;
    this.#count = 0;
  }

  /**
   * How many ms these numbers are ahead of the clock: a node that got this slot before that time would assign them
   * again.
   */
  get ahead(): number {
    return Math.max(0, this.#ms + 1 - (Math.floor(this.#now()) - beginning));
  }

  next(): number {
    const ms = Math.max(0, Math.floor(this.#now()) - beginning);
    if (ms > this.#ms) {
      this.#ms = ms;
      this.#count = 0;
    } else if (this.#count >= countBits) {
      this.#ms += 1;
      this.#count = 0;
    }
    return (this.#ms * slotBits + this.#slot) * countBits + this.#count++;
  }
}
