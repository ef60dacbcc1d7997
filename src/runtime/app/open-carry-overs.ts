/** The parts that carry-overs work with in this runtime. */
import { randomBytes } from 'node:crypto';
import { CarryOvers } from '../workflows/carry-over/carry-overs.ts';
import type { Sealer } from '../accounts/seal.ts';
import type { Services } from '../events/services.ts';
import type { OpenedAccounts } from './open-accounts.ts';
import type { OpenedCode } from './open-code.ts';
import type { OpenedLifecycles } from './open-lifecycles.ts';
import { fileStoreIn } from './running-workflows.ts';

export interface CarryOverParts extends Pick<Services, 'store' | 'signals' | 'now'> {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly sealer: Sealer;
  readonly accountParts: OpenedAccounts;
  readonly codeParts: OpenedCode;
  readonly lifecycles: OpenedLifecycles;
}

/** @param environmentChanged steps that begin from now on see the changed environment */
export function openCarryOvers(
  { store, signals, sealer, now, data, accountParts, codeParts, lifecycles }: CarryOverParts,
  environmentChanged: () => void,
): CarryOvers {
  return new CarryOvers({
    settings: store.settings,
    stores: store.dataStores,
    sealer,
    now,
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    accounts: accountParts.accounts,
    dataStores: codeParts.dataStores,
    environment: lifecycles.environment,
    filesDir: fileStoreIn(data),
    dataFolder: data,
    accountMade: (id) => signals.emit('account', id),
    storeChanged: (id) => signals.emit('dataStore', id),
    environmentChanged,
  });
}
