/** Checks of `weir doctor` on accounts: their health, never their content. */
import { connect } from '../../client/connection.ts';
import { allPages } from '../../client/pages.ts';
import { answeringRuntime } from '../../client/runtime-file.ts';
import { accountHealth } from '../../protocol/account-health.ts';
import type { Account, Source } from '../../protocol/catalogue.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { bad, type Check, ok, warning } from './check.ts';

/**
 * One check for each account that is not healthy, otherwise one for all of them. None if the store cannot be read, or
 * if its runtime does not answer, because other checks report that.
 */
export async function checkAccounts(folder: string): Promise<Check[]> {
  try {
    const { accounts, sources } = await readAccounts(folder);
    return [...accountChecks(accounts, Date.now()), ...sources.flatMap(signingSecretCheck)];
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

/** For a source whose app sends events, but whose signing secret is missing. */
function signingSecretCheck({ name, webhook }: Source): Check[] {
  if (webhook === undefined || webhook.has_secret || webhook.account === null) return [];
  const { account, app, secret_name: secret } = webhook;
  return [
    warning(
      `events of ${app} for ${name}`,
      `They are refused, because the ${secret} is not entered.`,
      `Run "weir accounts update ${account} --signing-secret".`,
    ),
  ];
}

/** Sources are known to a runtime that runs. */
async function readAccounts(folder: string): Promise<{
  readonly accounts: readonly Account[];
  readonly sources: readonly Source[];
}> {
  const runtime = await answeringRuntime(folder);
  if (runtime === undefined) {
    const { accounts } = await loadRuntime().checkDataFolder(folder);
    return { accounts, sources: [] };
  }
  const connection = await connect(runtime);
  try {
    return {
      accounts: await allPages((page) => connection.call('accounts.list', page)),
      sources: await allPages((page) => connection.call('sources.list', page)),
    };
  } finally {
    connection.close();
  }
}
