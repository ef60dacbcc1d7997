/** The check of `weir doctor` for a data folder without a runtime: what a start would report. */
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Account } from '../../protocol/catalogue.ts';
import { withoutCredentials } from '../accounts/accounts.ts';
import { undecryptableSecrets } from '../accounts/undecryptable-secrets.ts';
import { findKey, keyPath } from '../accounts/key-file.ts';
import { createSealer } from '../accounts/seal.ts';
import { withUserAccounts } from '../store/configuration/kept-accounts.ts';
import { UserAccounts } from '../store/configuration/user-accounts.ts';
import { presentAccount } from '../api/operations/present.ts';
import { checkStore } from '../store/sqlite/check-store.ts';
import type { StoreState } from '../store/sqlite/preflight.ts';
import type { SqlJsFiles } from '../store/sqlite/wasm/sqlite.ts';
import { unreadableTimers } from './unreadable-timers.ts';

export interface DataFolderCheck {
  readonly state: StoreState;
  /** The warning of a start: secrets that the key of this machine does not decrypt. */
  readonly warning: string | undefined;
  /** A sentence for each timer that a start would leave out. */
  readonly timers: readonly string[];
  /** The accounts' states, without their content. */
  readonly accounts: readonly Account[];
}

/** @throws WeirError('store_failed') with the sentence that a start would end with */
export async function checkDataFolder(data: string, sqlJs: SqlJsFiles): Promise<DataFolderCheck> {
  const place = { env: process.env, home: homedir() };
  const key = await findKey(place);
  const user = new UserAccounts(join(dirname(keyPath(place)), 'accounts'));
  const { state, seen } = await checkStore(join(resolve(data), 'weir.db'), sqlJs, (store) => {
    const accounts = withUserAccounts(store.accounts, user, store.settings);
    return {
      // The start makes a key if there is none, but a new key opens nothing.
      warning: undecryptableSecrets(store, accounts, createSealer(key ?? noKey), key ?? noKey),
      timers: unreadableTimers(store),
      accounts: accounts
        .all()
        .map((record) => presentAccount(withoutCredentials(record), {}, Date.now())),
    };
  });
  return {
    state,
    warning: seen?.warning,
    timers: seen?.timers ?? [],
    accounts: seen?.accounts ?? [],
  };
}

/** Where the encryption key comes from, checked as a start checks it; undefined if there is none yet. */
export async function checkKey(): Promise<string | undefined> {
  return (await findKey({ env: process.env, home: homedir() }))?.origin;
}

const noKey = { bytes: Buffer.alloc(32), origin: 'this machine, which has none yet' };
