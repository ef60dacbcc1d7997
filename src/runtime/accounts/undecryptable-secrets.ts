import type { AccountTable } from '../store/configuration/accounts.ts';
import type { Store } from '../store/store.ts';
import type { SealingKey } from './key-file.ts';
import type { Sealer } from './seal.ts';
import { sealedIn } from './secret-props.ts';

/** The setting with the values of `weir env`, sealed together. */
export const environmentSetting = 'environment';

/** The setting with the secrets that apps sign with: JSON by account, each sealed. */
export const signingSecretsSetting = 'signingSecrets';

/**
 * The secrets that the key of this machine cannot decrypt, as one sentence: the store was made with another key, such
 * as that of another machine. Undefined if it decrypts everything.
 */
export function undecryptableSecrets(
  store: Pick<Store, 'webhooks' | 'sources' | 'settings'>,
  accounts: Pick<AccountTable, 'all'>,
  sealer: Sealer,
  key: Pick<SealingKey, 'origin'>,
): string | undefined {
  const isForeign = (sealed: string): boolean => !sealer.fits(sealed);
  const environment = store.settings.get(environmentSetting) ?? '';
  const signing = Object.values(
    JSON.parse(store.settings.get(signingSecretsSetting) ?? '{}') as Record<string, string>,
  );
  const owners = [
    ...(environment !== '' && isForeign(environment) ? ['the environment variables'] : []),
    ...(signing.some(isForeign) ? ['the webhooks of apps'] : []),
    ...accounts
      .all()
      .filter(({ sealed }) => isForeign(sealed))
      .map(({ name }) => `account ${name}`),
    ...store.webhooks
      .all()
      .filter(({ signingSecret }) => isForeign(signingSecret))
      .map(({ id }) => `webhook ${id}`),
    ...store.sources
      .all()
      .filter(({ configuredProps }) => sealedIn(configuredProps).some(isForeign))
      .map(({ slug }) => `source ${slug}`),
  ];
  if (owners.length === 0) return undefined;
  return `The secrets of ${owners.join(', ')} were sealed with another key than that of ${key.origin}: put the old key back, or enter them again.`;
}
