/** What `weir doctor` says of accounts: how they stand, never what is in them. */
import { connect } from '../../client/connection.ts';
import { allPages } from '../../client/pages.ts';
import { findRuntime } from '../../client/runtime-file.ts';
import { accountHealth } from '../../protocol/account-health.ts';
import type { Account } from '../../protocol/catalogue.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { bad, type Check, ok, warning } from './check.ts';

/**
 * One check for each account that is not healthy, else one for all of them. None where the store cannot be
 * read, which is a check of its own.
 */
export async function checkAccounts(folder: string): Promise<Check[]> {
  try {
    return accountChecks(await accountsOf(folder), Date.now());
  } catch {
    return [];
  }
}

/** @param now epoch ms */
export function accountChecks(accounts: readonly Account[], now: number): Check[] {
  if (accounts.length === 0) return [];
  const wrong = accounts.flatMap((account) => {
    const check = accountCheck(account, now);
    return check === undefined ? [] : [check];
  });
  if (wrong.length > 0) return wrong;
  return [ok('accounts', `${accounts.length} kept, and none needs anybody.`)];
}

function accountCheck(account: Account, now: number): Check | undefined {
  const { id, name, app } = account;
  const { state, why } = accountHealth(account, now) ?? { state: 'healthy', why: null };
  if (state === 'healthy') return undefined;
  const label = `account ${name} of ${app.name}`;
  const found = why ?? 'It does not work any more.';
  const reconnect = `weir accounts reconnect ${id}`;
  if (state === 'dead') return bad(label, found, `Run "${reconnect}": what uses it goes on.`);
  return state === 'expiring'
    ? warning(label, found, `Run "${reconnect}".`)
    : warning(label, found, `It is tried again; "weir accounts check ${id}" tries it now.`);
}

async function accountsOf(folder: string): Promise<readonly Account[]> {
  const runtime = await findRuntime(folder);
  if (runtime === undefined) return (await loadRuntime().checkDataFolder(folder)).accounts;
  const connection = await connect(runtime);
  try {
    return await allPages((page) => connection.call('accounts.list', page));
  } finally {
    connection.close();
  }
}
