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

/** `at` is the time in epoch ms: what has expired by then is not there. */
export interface DataStoreTable {
  /** `ds_…` or a name. */
  find(idOrName: string): DataStoreRecord | undefined;
  list(page: PageRequest): PageOf<DataStoreRecord>;
  insert(record: DataStoreRecord): Promise<void>;
  /** With its records. */
  delete(id: string): Promise<void>;

  value(id: string, key: string, at: number): string | undefined;
  count(id: string, at: number): number;
  /** In order of the keys, from the first one after `after`. */
  entries(id: string, at: number, from: { after: string | null; limit: number }): DataStoreEntry[];
  set(id: string, entry: DataStoreEntry, expiresAt: number | null, at: number): Promise<void>;
  setExpiry(id: string, key: string, expiresAt: number | null, at: number): Promise<void>;
  deleteKey(id: string, key: string): Promise<void>;
  clear(id: string): Promise<void>;
}
