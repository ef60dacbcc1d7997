/** All that has to do with accounts, made and connected: where they are kept, how they connect and stay fresh. */
import { join } from 'node:path';
import { messageOf } from '../../protocol/errors.ts';
import { SigningSecrets } from '../sources/apphooks/signing-secrets.ts';
import { Apps } from '../accounts/apps/apps.ts';
import { Companions, type CompanionsOptions } from '../accounts/apps/companions.ts';
import { userName } from '../store/data-folder/data-folder.ts';
import { lockBetween } from '../store/data-folder/lock-between.ts';
import { OAuthClients } from '../accounts/oauth/clients.ts';
import { AllowedCommands } from '../accounts/oauth/command.ts';
import { Connections } from '../accounts/oauth/connections.ts';
import { CopiedStore } from '../accounts/oauth/copied-store.ts';
import { AccountKeeper } from '../accounts/oauth/keeper.ts';
import { OAuth1Signer } from '../accounts/oauth/oauth1/signer.ts';
import { signingAccount } from '../accounts/oauth/provider-of.ts';
import { withUserAccounts } from '../store/configuration/kept-accounts.ts';
import { UserAccounts } from '../store/configuration/user-accounts.ts';
import { Accounts } from '../accounts/accounts.ts';
import { undecryptableSecrets } from '../accounts/undecryptable-secrets.ts';
import type { SealingKey } from '../accounts/key-file.ts';
import type { Sealer } from '../accounts/seal.ts';
import type { Services } from '../events/services.ts';

export interface OpenAccountsOptions
  extends
    Pick<CompanionsOptions, 'isFetched' | 'packages'>,
    Pick<Services, 'store' | 'clock' | 'newId' | 'log'> {
  /** Several machines may have it. */
  readonly isShared: boolean;
  readonly sealer: Sealer;
  readonly key: SealingKey;
  /** The user's folder: accounts that folders share, definitions of apps, OAuth clients. */
  readonly configFolder: string;
  readonly dataFolder: string;
  /** URL of the runtime; not called before it listens. */
  readonly url: () => string;
  /** An account was connected or refreshed. Not called before this has been made. */
  readonly changed: (id: string) => void;
}

export type OpenedAccounts = Awaited<ReturnType<typeof openAccounts>>;

/** Warns in the log of secrets that this key does not open. Who calls it closes `connections`. */
export async function openAccounts(options: OpenAccountsOptions) {
  const { store, sealer, key, configFolder, dataFolder, clock, newId, changed, log } = options;
  const now = () => clock.now();
  const userAccounts = new UserAccounts(join(configFolder, 'accounts'));
  const table = withUserAccounts(store.accounts, userAccounts, store.settings);
  await table.settle();
  const userLock = (name: string) => lockBetween(userAccounts.lockFolder(name), userName());
  const foreign = undecryptableSecrets(store, table, sealer, key);
  if (foreign !== undefined) log('warn', foreign);
  const accounts = new Accounts({
    table,
    lock: userLock,
    sealer,
    now,
    newId: () => newId('apn_'),
    signerUri: (id) => signer.uriOf(id),
  });
  const workspace = join(dataFolder, '..');
  const companions = new Companions({
    settings: store.settings,
    workspace,
    dataFolder,
    isFetched: options.isFetched,
    packages: options.packages,
    report: (error) =>
      log('warn', `Definitions beside files of apps were not all looked at: ${messageOf(error)}`),
  });
  const apps = new Apps({
    userFolder: join(configFolder, 'apps'),
    workspaceFolder: join(workspace, 'weir', 'apps'),
    companions,
  });
  const oauthClients = new OAuthClients({
    folder: join(configFolder, 'oauth-clients'),
    sealer,
    now,
    newId: () => newId('oa_'),
  });
  const allowedCommands = new AllowedCommands(store.settings);
  const providers = { accounts, apps, clients: oauthClients, allowedCommands };
  const signer: OAuth1Signer = new OAuth1Signer({
    url: options.url,
    account: (id) => signingAccount(providers, id),
  });
  const keeper = new AccountKeeper({
    ...providers,
    isShared: options.isShared,
    unstorable: () => store.failure ?? store.unreachable,
    copied: await CopiedStore.open(store.settings, dataFolder, now),
    // Another one than that of a change: a refresh makes one.
    lock: (id) => userLock(`${id}.refresh`),
    now,
    log,
    changed: ({ id }) => changed(id),
  });
  return {
    /** The accounts of the store, and those kept for the user. */
    table,
    accounts,
    apps,
    /** Not open yet. */
    companions,
    oauthClients,
    allowedCommands,
    signingSecrets: await SigningSecrets.open(store.settings, sealer),
    signer,
    keeper,
    connections: new Connections({ ...providers, clock, connected: ({ id }) => changed(id) }),
    /** Tells of each account of the user that another runtime changed. @returns what ends that */
    watch: (listener: (id: string) => void) => userAccounts.watch(listener),
  };
}
