/** What all rooms stand on: the data folder, its log, the store, the key that seals secrets. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Accounts } from '../accounts/accounts.ts';
import { loadKey } from '../accounts/key-file.ts';
import { createSealer, type Sealer } from '../accounts/seal.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { HostLimits } from '../hosts/host.ts';
import { newId, secureRandom } from '../ids.ts';
import type { Log } from '../log.ts';
import { Signals } from '../signals.ts';
import { openStore } from '../store/sqlite/open-store.ts';
import { sqlJsIn } from '../store/sqlite/wasm/sqlite.ts';
import type { Store } from '../store/store.ts';
import type { Closing } from './closing.ts';
import type { RuntimeOptions } from './options.ts';
import { type PublicAddress, publicAddress } from './public-address.ts';

/** What is there before anything else can be: who fails from here on can say so in the log. */
export interface Footing {
  readonly options: RuntimeOptions;
  readonly folder: DataFolder;
  readonly log: Log;
  /** Logs an error that nobody waits for. */
  readonly report: (where: string, error: unknown) => void;
  readonly closing: Closing;
}

export interface Ground extends Footing {
  readonly now: () => number;
  readonly store: Store;
  readonly signals: Signals;
  readonly sealer: Sealer;
  readonly accounts: Accounts;
  /** Of one run. */
  readonly limits: HostLimits;
  readonly address: PublicAddress;
}

export async function openGround(footing: Footing): Promise<Ground> {
  const { options, folder, log, closing } = footing;
  const now = Date.now;
  const sealer = createSealer(await loadKey({ env: process.env, home: homedir() }));
  const store = await openStore({
    file: join(folder.path, 'weir.db'),
    sqlJs: sqlJsIn(options.dist),
    now,
    onFailure: ({ message }) => log('error', `${message} Until then nothing is taken in.`),
  });
  closing.push(() => store.close());
  const accounts = new Accounts({
    table: store.accounts,
    sealer,
    now,
    newId: () => newId('apn_', secureRandom),
  });
  return {
    ...footing,
    now,
    store,
    signals: new Signals(),
    sealer,
    accounts,
    limits: {
      memoryMb: options.settings['run.memoryMb'],
      timeoutMs: options.settings['run.timeoutSeconds'] * 1000,
    },
    address: publicAddress(options.publicUrl),
  };
}
