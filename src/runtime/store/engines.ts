/**
 * Opens stores of any engine: the store of a data folder, and stores that several runtimes share, by the scheme of
 * their address. Another engine is another line here.
 */
import { join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { type DatabaseScheme, databaseScheme } from '../../protocol/store-address.ts';
import type { BaseServices } from '../base/services.ts';
import type { DatabaseCheck } from './postgres/check-database.ts';
import type { MoveConnection } from './postgres/move-connection.ts';
import { openStore } from './sqlite/open-store.ts';
import { type SqlJsFiles, sqlJsIn } from './sqlite/wasm/sqlite.ts';
import type { Store } from './store.ts';
import type { KeyCheck, StoreNode } from './store-node.ts';

export type { DatabaseCheck };

/** Called when nothing can be written any more. @param fault the thrown error, if it was a mistake of Weir */
export type OnStoreFailure = (failure: WeirError, fault?: unknown) => void;

export interface JoinOptions extends Pick<BaseServices, 'clock'> {
  /** Address of the database. */
  readonly url: string;
  readonly version: string;
  /** The key that seals secrets: a node with another key cannot join. */
  readonly key: KeyCheck;
  /** A node that does not renew its lease for this long may be replaced; 5 unless given. */
  readonly leaseSeconds?: number | undefined;
}

/** An engine whose stores several runtimes can share. */
export interface DatabaseEngine {
  /** Joins the nodes on a database. @throws WeirError('store_failed') with one sentence that says why it cannot */
  join(options: JoinOptions): Promise<StoreNode>;
  /** Looks at a database as a start would. */
  check(url: string, key: KeyCheck | undefined): Promise<DatabaseCheck>;
  /** Opens a database that a store is moved to or from. */
  openMove(url: string, key: KeyCheck | undefined): Promise<MoveConnection>;
}

/** Length of a lease, in seconds. */
export const defaultLeaseSeconds = 5;

/** With its driver, which is a bundle of its own. */
async function postgres(): Promise<DatabaseEngine> {
  const engine = await import('./postgres/open-store.ts');
  return {
    join: ({ leaseSeconds, ...options }) =>
      engine.joinPostgres({
        ...options,
        ...(leaseSeconds !== undefined && { leaseMs: leaseSeconds * 1000 }),
      }),
    check: (url, key) => engine.checkDatabase(url, key),
    openMove: (url, key) => engine.MoveConnection.open(url, key),
  };
}

const engines: Readonly<Record<DatabaseScheme, () => Promise<DatabaseEngine>>> = {
  postgres,
  postgresql: postgres,
};

/** @throws WeirError('bad_input') for an address of another scheme */
export async function engineAt(url: string): Promise<DatabaseEngine> {
  const scheme = databaseScheme(url);
  // It may have a password.
  if (scheme === undefined)
    throw new WeirError('bad_input', 'The address of the store is not that of a database.');
  return engines[scheme]();
}

export interface FolderStoreOptions extends Pick<BaseServices, 'clock'> {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly sqlJs: SqlJsFiles;
  readonly onFailure?: OnStoreFailure;
}

/** Opens the store in a data folder. */
export function openFolderStore({ data, ...options }: FolderStoreOptions): Promise<Store> {
  return openStore({ file: join(data, 'weir.db'), ...options });
}

export { type SqlJsFiles, sqlJsIn };
