import { type EventId, formatEventId } from '../../store/event-id.ts';

/** `<epoch ms>-<sequence>` of one emitter, the sequence from 0 within one millisecond (P10.9). */
export class EventIds {
  #ms: number;
  #sequence: number;

  /** @param newest of the emitter, if it has emitted: the next ones come after it */
  constructor(newest: EventId | undefined) {
    this.#ms = newest?.ms ?? 0;
    this.#sequence = newest?.seq ?? -1;
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
    return formatEventId({ ms: this.#ms, seq: this.#sequence });
  }
}
