/** A request that may use some accounts only, such as one of an agent: whatever names another one, it gets none (P23.6). */
import type { PrepareOptions } from '../prepare.ts';
import { accountIds, type Configured } from './configured.ts';
import { requireAllowed } from './require-allowed.ts';

type Parts = Pick<PrepareOptions, 'accountsOf' | 'refreshExpiring'> &
  Partial<Pick<PrepareOptions, 'accountsOfApp' | 'allowedAccounts'>>;

/**
 * The same parts, limited to these accounts: they throw for values that name another account, including values from the
 * code itself, such as defaults and additional props.
 * @param allowed ids; undefined for all accounts
 */
export function withAccounts<P extends Parts>(parts: P, allowed: readonly string[] | undefined): P {
  if (allowed === undefined) return parts;
  const { accountsOfApp } = parts;
  return {
    ...parts,
    allowedAccounts: allowed,
    accountsOf: (configured) => {
      requireAllowed(configured, allowed);
      return parts.accountsOf(configured);
    },
    refreshExpiring: (configured) => {
      requireAllowed(configured, allowed);
      return parts.refreshExpiring(configured);
    },
    ...(accountsOfApp && {
      accountsOfApp: (app: string) => accountsOfApp(app).filter(({ id }) => allowed.includes(id)),
    }),
  };
}

/** Removes other accounts from stored values, for code that may use only these accounts. */
export function withoutOthers(configured: Configured, allowed: readonly string[]): Configured {
  const isKept = ([, value]: [string, unknown]): boolean =>
    accountIds({ value }).every((id) => allowed.includes(id));
  return Object.fromEntries(Object.entries(configured).filter(isKept));
}
