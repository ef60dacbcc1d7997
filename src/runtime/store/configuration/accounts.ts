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
  /** In the configuration folder of the user, where folders share it; left out of a folder's own. */
  readonly kept?: 'user';
  /** For an account that was connected by OAuth. */
  readonly oauth?: AccountGrant;
}

/** How an account was connected. */
export type GrantKind = 'code' | 'device' | 'client_credentials' | 'oauth1' | 'command' | 'editor';

/** The data that refreshes an account's token. */
export interface AccountGrant {
  /** Sealed JSON: the refresh token, and what else a refresh needs. */
  readonly sealed: string;
  readonly health: AccountHealth;
}

/** The part of an account's state that may be shown; times in epoch ms. */
export interface AccountHealth {
  /** Absent for accounts that were connected before it was kept. */
  readonly kind?: GrantKind;
  /** `dead`: one has to connect again. `retrying`: the last refresh failed, the next may not. */
  readonly status: 'healthy' | 'retrying' | 'dead';
  /** Why it is not healthy. */
  readonly error: string | null;
  readonly obtainedAt: number;
  /** Null: never, as far as is known. */
  readonly expiresAt: number | null;
  /** When it was last refreshed, not connected. */
  readonly refreshedAt: number | null;
  /** No refresh before then. */
  readonly retryAt: number | null;
  readonly failures: number;
  readonly scopes: readonly string[];
  /** It has what a refresh needs. */
  readonly canRefresh: boolean;
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
