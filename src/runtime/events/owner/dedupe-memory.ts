import type { DedupeChange } from '../../store/commit.ts';
import type { DedupeRecord } from '../../store/ownership.ts';

/** What `unique` remembers: 100 ids, first in first out, never refreshed (P11.2, P11.3). */
export const uniqueLimit = 100;

/** What dedupe remembers of one emitter: a `DedupeRecord` made fast to ask, kept up by changes. */
export class DedupeMemory {
  strategy: string | null;
  /** `unique`: in the order they were emitted, oldest first. */
  readonly ids: Set<string>;
  greatest: number | undefined;
  last: string | undefined;

  constructor({ strategy, ids, greatest, last }: DedupeRecord) {
    this.strategy = strategy;
    this.ids = new Set(ids);
    this.greatest = greatest;
    this.last = last;
  }

  /** The commits that store the changes follow in the same order. */
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
    // One that was forgotten within the batch comes back as the newest.
    this.ids.delete(id);
    this.ids.add(id);
    if (this.ids.size <= uniqueLimit) return;
    for (const oldest of this.ids) {
      this.ids.delete(oldest);
      return;
    }
  }
}
