import type {
  DataStoreEntry,
  DataStoreRecord,
  DataStoreTable,
} from '../../store/history/data-stores.ts';

/** The part of the table that calls of components need. */
export type DataStoreValues = Pick<
  DataStoreTable,
  'find' | 'ensure' | 'value' | 'entries' | 'set' | 'setExpiry' | 'deleteKey' | 'clear'
>;

interface Written {
  readonly json: string;
  readonly expiresAt: number | null;
}

/**
 * The data stores as a run sees them that is only looked at: what is there may be read, what it
 * writes is kept to itself.
 */
export function draftOf(kept: DataStoreValues): DataStoreValues {
  const made: DataStoreRecord[] = [];
  /** By store, then key; null for a key that was taken away. */
  const written = new Map<string, Map<string, Written | null>>();
  const cleared = new Set<string>();

  const writtenTo = (id: string): Map<string, Written | null> => {
    const found = written.get(id) ?? new Map<string, Written | null>();
    written.set(id, found);
    return found;
  };
  const value = async (id: string, key: string, at: number): Promise<string | undefined> => {
    const draft = writtenTo(id).get(key);
    if (draft === undefined) return cleared.has(id) ? undefined : kept.value(id, key, at);
    return draft !== null && isAlive(draft, at) ? draft.json : undefined;
  };
  const write = (id: string, key: string, entry: Written | null): Promise<void> => {
    writtenTo(id).set(key, entry);
    return Promise.resolve();
  };

  return {
    find: (idOrName) =>
      kept.find(idOrName) ?? made.find(({ id, name }) => id === idOrName || name === idOrName),
    async ensure(record) {
      const found = made.find(({ name }) => name === record.name);
      if (found === undefined) made.push(record);
      return found ?? record;
    },
    value,
    async entries(id, at, { after, limit }) {
      const drafts = writtenTo(id);
      const untouched = cleared.has(id)
        ? []
        : (await kept.entries(id, at, { after, limit: limit + drafts.size })).filter(
            ([key]) => !drafts.has(key),
          );
      const own: DataStoreEntry[] = [];
      for (const [key, draft] of drafts) {
        if (draft === null || !isAlive(draft, at)) continue;
        if (after === null || inOrder(after, key) < 0) own.push([key, draft.json]);
      }
      return [...untouched, ...own].sort(([a], [b]) => inOrder(a, b)).slice(0, limit);
    },
    set: (id, [key, json], expiresAt) => write(id, key, { json, expiresAt }),
    async setExpiry(id, key, expiresAt, at) {
      const json = await value(id, key, at);
      if (json !== undefined) await write(id, key, { json, expiresAt });
    },
    deleteKey: (id, key) => write(id, key, null),
    clear(id) {
      cleared.add(id);
      written.delete(id);
      return Promise.resolve();
    },
  };
}

function isAlive({ expiresAt }: Written, at: number): boolean {
  return expiresAt === null || expiresAt > at;
}

/** The table's order is that of the bytes. */
function inOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
