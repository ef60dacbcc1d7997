/** A request that may use some accounts only, such as one of an agent: whatever names another one, it gets none (P23.6). */
import type { PrepareOptions } from '../prepare.ts';
import { accountIds, type Configured } from './configured.ts';
import { requireAllowed } from './require-allowed.ts';

type Parts = Pick<PrepareOptions, 'accountsOf' | 'refreshExpiring'> &
  Partial<Pick<PrepareOptions, 'accountsOfApp' | 'allowedAccounts'>>;

/**
 * The same parts with these accounts alone: they throw for values that name another one, also for values that come
 * from the code itself, as defaults and additional props do.
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

/** What is left of stored values for code that may use these accounts only. */
export function withoutOthers(configured: Configured, allowed: readonly string[]): Configured {
  const isKept = ([, value]: [string, unknown]): boolean =>
    accountIds({ value }).every((id) => allowed.includes(id));
  return Object.fromEntries(Object.entries(configured).filter(isKept));
}
