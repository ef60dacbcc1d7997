/** Memory that changes before the store has taken a write: what the store refuses is taken back. */

/** Whether the store has taken a write. Exactly one of the two is called. */
export interface Unsettled {
  stored(): void;
  refused(): void;
}

/** All changes of one write: they end together. */
export class ChangesAhead implements Unsettled {
  readonly #changes: Unsettled[] = [];

  add(change: Unsettled): void {
    this.#changes.push(change);
  }

  /** For a change that no other write rests on. @param takeBack called if the write is refused */
  onRefused(takeBack: () => void): void {
    this.#changes.push({ stored: () => undefined, refused: takeBack });
  }

  stored(): void {
    for (const change of this.#changes.splice(0)) change.stored();
  }

  /** The last change first, so that a value that was changed twice is as before the write. */
  refused(): void {
    for (const change of this.#changes.splice(0).toReversed()) change.refused();
  }

  /** Settles with the write, and as the write does. */
  async settled<T>(write: Promise<T>): Promise<T> {
    try {
      const value = await write;
      this.stored();
      return value;
    } catch (error) {
      this.refused();
      throw error;
    }
  }
}

interface Change<V> {
  before: V | undefined;
}

/**
 * Changes of single values by writes that are under way. A refused write gives back the value that was there before
 * it, unless a later write has changed the value again: then that one gives it back if it is refused as well.
 */
export class AheadOfStore<V> {
  readonly #restore: (key: string, value: V | undefined) => void;
  /** By key, oldest first. */
  readonly #underWay = new Map<string, Change<V>[]>();

  /** @param restore puts a value back as it was; undefined: there was none */
  constructor(restore: (key: string, value: V | undefined) => void) {
    this.#restore = restore;
  }

  /** To be called for each change in the order of the writes. @param before the value until now */
  changed(key: string, before: V | undefined): Unsettled {
    const change: Change<V> = { before };
    const changes = this.#underWay.get(key);
    if (changes === undefined) this.#underWay.set(key, [change]);
    else changes.push(change);
    return {
      stored: () => void this.#remove(key, change),
      refused: () => {
        const later = this.#remove(key, change);
        if (later === undefined) this.#restore(key, change.before);
        else later.before = change.before;
      },
    };
  }

  /** @returns the next change of the same value */
  #remove(key: string, change: Change<V>): Change<V> | undefined {
    const changes = this.#underWay.get(key) ?? [];
    const place = changes.indexOf(change);
    if (place === -1) return undefined;
    changes.splice(place, 1);
    if (changes.length === 0) this.#underWay.delete(key);
    return changes[place];
  }
}
