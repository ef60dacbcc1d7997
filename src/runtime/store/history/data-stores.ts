/** The data stores of actions (P14) as the rest of the runtime knows them. */
import type { PageOf, PageRequest } from '../page.ts';

export interface DataStoreRecord {
  /** `ds_…` */
  readonly id: string;
  readonly name: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Key, and JSON text. */
export type DataStoreEntry = readonly [key: string, json: string];

/** A value of a store with all that is known of it. */
export interface DataStoreItem {
  readonly key: string;
  readonly json: string;
  /** Epoch ms; null for one that stays. */
  readonly expiresAt: number | null;
}

/**
 * Which stores there are is configuration and answered at once, what is in them is not. `at` is the
 * time in epoch ms: what has expired by then is not there.
 */
export interface DataStoreTable {
  /** `ds_…` or a name. */
  find(idOrName: string): DataStoreRecord | undefined;
  list(page: PageRequest): PageOf<DataStoreRecord>;
  /** If a store has this name already, resolves with that one. */
  ensure(record: DataStoreRecord): Promise<DataStoreRecord>;
  /** With its records. */
  delete(id: string): Promise<void>;

  value(id: string, key: string, at: number): Promise<string | undefined>;
  count(id: string, at: number, prefix?: string): Promise<number>;
  /** In order of the keys, from the first one after `after`. */
  entries(
    id: string,
    at: number,
    from: { after: string | null; limit: number },
  ): Promise<DataStoreEntry[]>;
  item(id: string, key: string, at: number): Promise<DataStoreItem | undefined>;
  /** The same rows as `entries`, but only those whose keys begin with `prefix`. */
  items(
    id: string,
    at: number,
    from: { after: string | null; limit: number; prefix?: string | undefined },
  ): Promise<DataStoreItem[]>;
  /** In the place of one whose JSON text is `before` still; false, with nothing written, when it is not. */
  replace(id: string, item: DataStoreItem, before: string, at: number): Promise<boolean>;
  set(id: string, entry: DataStoreEntry, expiresAt: number | null, at: number): Promise<void>;
  /**
   * Writes all of them or none. Where a key comes twice, its last item counts.
   * @param keep whether records that are there stay as they are; then a key's first item counts
   * @returns how many records were written
   */
  setAll(id: string, items: readonly DataStoreItem[], at: number, keep: boolean): Promise<number>;
  setExpiry(id: string, key: string, expiresAt: number | null, at: number): Promise<void>;
  deleteKey(id: string, key: string): Promise<void>;
  clear(id: string): Promise<void>;
}
