import type { DedupeChange } from '../../store/commit.ts';
import type { DedupeRecord } from '../../store/ownership.ts';

/** How many ids `unique` remembers: 100, first in first out, never refreshed (P11.2, P11.3). */
export const uniqueLimit = 100;

/** A `DedupeRecord` made fast to ask. */
class Remembered {
  strategy: string | null;
  readonly ids: Set<string>;
  greatest: number | undefined;
  last: string | undefined;

  constructor({ strategy, ids, greatest, last }: Remembered | DedupeRecord) {
    this.strategy = strategy;
    this.ids = new Set(ids);
    this.greatest = greatest;
    this.last = last;
  }

  apply(change: DedupeChange): void {
    if (change.reset === true) {
      this.ids.clear();
      this.greatest = undefined;
      this.last = undefined;
    }
    this.strategy = change.strategy;
    for (const id of change.append ?? []) this.#remember(id);
    this.greatest = change.greatest ?? this.greatest;
    this.last = change.last ?? this.last;
  }

  #remember(id: string): void {
    // An id that was forgotten within the batch is added again as the newest.
    this.ids.delete(id);
    this.ids.add(id);
    if (this.ids.size <= uniqueLimit) return;
    for (const oldest of this.ids) {
      this.ids.delete(oldest);
      return;
    }
  }
}

/**
 * The dedupe state of one emitter, updated by changes. Changes of a commit in progress are visible at once, and undone
 * if the store refuses the commit.
 */
export class DedupeMemory {
  /** As the store has it. */
  readonly #stored: Remembered;
  /** Changes of commits under way, in their order. */
  #ahead: DedupeChange[] = [];
  /** With the changes under way. */
  #seen: Remembered;

  constructor(record: DedupeRecord) {
    this.#stored = new Remembered(record);
    this.#seen = new Remembered(record);
  }

  get strategy(): string | null {
    return this.#seen.strategy;
  }

  /** `unique`: in the order they were emitted, oldest first. */
  get ids(): ReadonlySet<string> {
    return this.#seen.ids;
  }

  get greatest(): number | undefined {
    return this.#seen.greatest;
  }

  get last(): string | undefined {
    return this.#seen.last;
  }

  /** The commits that store the changes follow in the same order, and `stored` or `refused` for each. */
  apply(change: DedupeChange): void {
    this.#ahead.push(change);
    this.#seen.apply(change);
  }

  stored(change: DedupeChange): void {
    this.#ahead = this.#ahead.filter((one) => one !== change);
    this.#stored.apply(change);
  }

  refused(change: DedupeChange): void {
    this.#ahead = this.#ahead.filter((one) => one !== change);
    this.#seen = new Remembered(this.#stored);
    for (const one of this.#ahead) this.#seen.apply(one);
  }
}
