/** The secrets that a run is given, as texts to be hidden (pure). */
import { isRecord } from './record.ts';

/** Name and value. */
export type NamedSecret = readonly [name: string, value: string];

/** The credentials of accounts, without what lets nobody in. */
export function accountSecrets(
  accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): NamedSecret[] {
  return Object.values(accounts).flatMap((auth) =>
    Object.entries(auth).flatMap(([name, value]) => (isPublic(name) ? [] : namedIn(name, value))),
  );
}

function namedIn(name: string, value: unknown): NamedSecret[] {
  if (typeof value === 'string') return [[name, value]];
  return isRecord(value) ? Object.entries(value).flatMap(([key, one]) => namedIn(key, one)) : [];
}

/** Public parts of addresses and answers, which give nobody access. The address of a signer does. */
function isPublic(name: string): boolean {
  if (name === 'oauth_signer_uri') return false;
  return /(?:^|_)(?:uid|id|domain|subdomain|host|hostname|url|uri|endpoint|region|email|username|user|name|account|site|instance|version|port|scopes?)$/i.test(
    name,
  );
}

/** Every text in the value of a secret prop. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
