/** `<epoch ms>-<sequence>`, the sequence from 0 within one millisecond (P10.9). */
export class EventIds {
  #ms = 0;
  #sequence = -1;

  /** @param newest the newest id of the store (`store.events.lastId()`): the next ones come after it. */
  constructor(newest: string | undefined) {
    const parts = newest === undefined ? undefined : parseEventId(newest);
    if (parts !== undefined) [this.#ms, this.#sequence] = parts;
  }

  /**
   * Greater than all before it. While the clock is behind the newest id (it was set back), the
   * millisecond stays and the sequence counts on.
   */
  next(now: number): string {
    if (now > this.#ms) {
      this.#ms = now;
      this.#sequence = 0;
    } else {
      this.#sequence++;
    }
    return `${this.#ms}-${this.#sequence}`;
  }
}

/** Milliseconds and sequence; undefined for text that is no event id. */
export function parseEventId(id: string): [ms: number, sequence: number] | undefined {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(id);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}
