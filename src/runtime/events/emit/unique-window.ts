import { uniqueLimit } from '../owner/dedupe-memory.ts';

export interface UniqueWindow {
  /** False when the id is remembered. Otherwise it is added and the oldest one forgotten. */
  add(id: string): boolean;
  /** The added ids that are still remembered, oldest first. */
  readonly added: readonly string[];
}

/**
 * A window over ids that are left as they are: only what this batch adds and forgets is kept beside
 * them, since copying 100 ids for each event would cost more than the rest of its way.
 *
 * @param before at most 100, oldest first.
 */
export function uniqueWindow(before: ReadonlySet<string>): UniqueWindow {
  const oldest = before.values();
  const forgotten = new Set<string>();
  const added = new Set<string>();

  const forgetOldest = () => {
    const next = oldest.next();
    if (!next.done) {
      forgotten.add(next.value);
      return;
    }
    for (const id of added) {
      added.delete(id);
      return;
    }
  };

  return {
    add(id) {
      if (added.has(id) || (before.has(id) && !forgotten.has(id))) return false;
      added.add(id);
      if (before.size - forgotten.size + added.size > uniqueLimit) forgetOldest();
      return true;
    },
    get added() {
      return [...added];
    },
  };
}
