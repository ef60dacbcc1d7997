/** The end of a connection: the account that it makes, or connects again. */
import { WeirError } from '../../../protocol/errors.ts';
import type { Account, Accounts, Grant } from '../accounts.ts';
import { authObject } from './auth-object.ts';
import { healthOf } from './health.ts';
import { type Identity, identityOf, type Proof } from './identity.ts';
import { identityRuleOf } from './methods.ts';
import type { Plan } from './plan.ts';
import type { Tokens } from './server.ts';

export interface Came {
  readonly tokens: Tokens;
  readonly callback: Readonly<Record<string, string>>;
  /** Epoch ms. */
  readonly now: number;
}

/** @throws WeirError `conflict` when it is of another person than before */
export async function keepConnected(
  accounts: Accounts,
  plan: Plan,
  { tokens, callback, now }: Came,
): Promise<Account> {
  const { request, definition, method, keys, fields, kind, scope } = plan;
  const identity: Identity =
    plan.kind === 'editor'
      ? plan.session.account
      : await identityOf(identityRuleOf(definition, method), proof(plan, tokens), fields);
  const before = request.account === undefined ? undefined : accounts.get(request.account);
  if (before !== undefined && request.takeOver !== true)
    refuseOther(before, accounts.grant(before.id)?.grant.identity, identity);
  const refreshToken = tokens.refreshToken ?? null;
  const grant: Grant = {
    kind,
    refreshToken,
    client: keys?.id ?? '',
    scope,
    fields,
    callback,
    identity,
  };
  const parts = { tokens, clientId: keys?.clientId ?? '', fields, callback, identity };
  return accounts.putGrant({
    id: before?.id,
    app: definition.app,
    name: request.name ?? (before === undefined ? (identity.label ?? definition.app) : undefined),
    kept: request.kept,
    credentials: authObject(method, parts),
    grant,
    health: healthOf(tokens, { now, kind, scope, canRefresh: canRefresh(grant), refreshed: false }),
  });
}

/** Whether a new token can be had without a person. */
export function canRefresh({ kind, refreshToken }: Pick<Grant, 'kind' | 'refreshToken'>): boolean {
  return refreshToken !== null || kind === 'client_credentials' || kind === 'command';
}

function proof(plan: Plan, { accessToken, tokenSecret = '' }: Tokens): Proof {
  if (plan.kind !== 'oauth1') return { accessToken };
  const token = { key: accessToken, secret: tokenSecret };
  return { accessToken, sign: (url) => plan.server.sign({ method: 'GET', url }, token) };
}

function refuseOther(
  { name }: Account,
  owner: Grant['identity'] | undefined,
  identity: Identity,
): void {
  if (owner?.id === undefined || identity.id === owner.id) return;
  throw new WeirError(
    'conflict',
    `The account ${name} is of ${owner.label ?? owner.id}, but ${identity.label ?? identity.id ?? 'somebody else'} has signed in: connect again as the first, or let the other one take it over.`,
  );
}
