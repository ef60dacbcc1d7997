import type { PageOf, PageRequest } from '../page.ts';

/** A connected account; times in epoch ms. */
export interface AccountRecord {
  readonly id: string;
  readonly app: string;
  readonly name: string;
  /** Sealed JSON of the credentials. */
  readonly sealed: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface AccountTable {
  get(id: string): AccountRecord | undefined;
  all(): AccountRecord[];
  list(page: PageRequest & { readonly app?: string }): PageOf<AccountRecord>;
  insert(record: AccountRecord): Promise<void>;
  /** The one with its id. Rejects with WeirError('not_found') when it is not there. */
  replace(record: AccountRecord): Promise<void>;
  delete(id: string): Promise<void>;
}
