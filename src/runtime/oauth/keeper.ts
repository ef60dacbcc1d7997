/**
 * Keeps accounts fresh. One data folder has one runtime, so that a refresh token has one user: here each
 * account has one refresh at a time, whoever asks, and what it brought is on disk before anybody gets it. A
 * provider that sees a refresh token twice takes the whole grant away.
 */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Account, Accounts, Grant } from '../accounts/accounts.ts';
import type { Apps } from '../apps/apps.ts';
import type { AppDefinition, OAuthMethod } from '../apps/schema.ts';
import type { Log } from '../log.ts';
import type { AccountHealth } from '../store/configuration/accounts.ts';
import { authObject } from './auth-object.ts';
import type { OAuthClients } from './clients.ts';
import { GrantFailed } from './failure.ts';
import { expiredMessage, isDue, isOver, retryAfter } from './freshness.ts';
import { healthOf } from './health.ts';
import { type ClientKeys, OAuthServer, type Tokens } from './server.ts';

export interface AccountKeeperOptions {
  readonly accounts: Accounts;
  readonly apps: Apps;
  readonly clients: OAuthClients;
  readonly now: () => number;
  readonly log: Log;
  /** Its `$auth` or its health is another. */
  readonly changed: (account: Account, isNewToken: boolean) => void;
}

/** How long after one 401 the next one refreshes nothing. */
const refusedMs = 5 * 60_000;

export class AccountKeeper {
  readonly #options: AccountKeeperOptions;
  readonly #going = new Map<string, Promise<AccountHealth>>();
  /** Those whose token an app refused before its time: when, in epoch ms, and whether that is still to be answered. */
  readonly #refused = new Map<string, { readonly at: number; readonly isOpen: boolean }>();

  constructor(options: AccountKeeperOptions) {
    this.#options = options;
  }

  /** Some account is kept fresh: else nobody has to look which ones a run has. */
  get hasAny(): boolean {
    return this.#options.accounts.all().some(({ health }) => health?.canRefresh === true);
  }

  /**
   * A run with these failed because an app had answered it 401. Nobody says which token that was: the next run
   * refreshes all of them first, each once in five minutes, since 401 may mean something else (clause 22).
   */
  unauthorized(ids: readonly string[]): void {
    const { accounts, now } = this.#options;
    for (const id of ids) {
      const health = accounts.health(id);
      const before = this.#refused.get(id);
      if (health?.canRefresh !== true || health.status === 'dead') continue;
      if (before !== undefined && now() - before.at < refusedMs) continue;
      this.#refused.set(id, { at: now(), isOpen: true });
    }
  }

  /** Whether the token of an account is to be replaced though it lives. */
  #isRefused(id: string): boolean {
    return this.#refused.get(id)?.isOpen === true;
  }

  /**
   * Before a run: refreshes those of the accounts whose token would not outlive it. What could not be refreshed is logged,
   * and a token that lives still is used (clause 18); nobody gets one that is over (clause 20).
   * @param runMs the longest that the run may take
   * @returns undefined when there is nothing to wait for; rejects with `conflict` when a token has expired
   */
  freshen(ids: readonly string[], runMs: number): Promise<void> | undefined {
    const { accounts, now } = this.#options;
    const due = ids.filter((id) => {
      const health = accounts.health(id);
      return health !== undefined && (this.#isRefused(id) || isDue(health, now(), runMs));
    });
    if (due.length === 0) {
      const expired = this.#expired(ids);
      return expired && Promise.reject(expired);
    }
    return Promise.all(due.map((id) => this.refresh(id).catch(() => undefined))).then(() => {
      const expired = this.#expired(ids);
      if (expired !== undefined) throw expired;
    });
  }

  /** Why a run cannot have one of these accounts. */
  #expired(ids: readonly string[]): WeirError | undefined {
    const { accounts, now } = this.#options;
    const messages = ids.flatMap((id) => {
      const health = accounts.health(id);
      return health !== undefined && isOver(health, now())
        ? [expiredMessage(accounts.get(id).name, health)]
        : [];
    });
    return messages.length === 0 ? undefined : new WeirError('conflict', messages.join(' '));
  }

  /**
   * Refreshes one now; a refresh that is going on already is this one.
   * @throws WeirError `not_found`, `bad_input` when it has nothing to refresh with
   */
  refresh(id: string): Promise<AccountHealth> {
    const going = this.#going.get(id);
    if (going !== undefined) return going;
    const refused = this.#refused.get(id);
    if (refused !== undefined) this.#refused.set(id, { ...refused, isOpen: false });
    const refreshing = this.#refresh(id).finally(() => this.#going.delete(id));
    this.#going.set(id, refreshing);
    return refreshing;
  }

  /**
   * Tells the provider that an account is not used any more (RFC 7009).
   * @returns why it could not be told, in a sentence; undefined when it knows, or has no address for it
   */
  async revoke(id: string): Promise<string | undefined> {
    const found = this.#options.accounts.grant(id);
    const token = found?.grant.refreshToken;
    if (found === undefined || token === null || token === undefined) return undefined;
    try {
      const { server } = this.#serverOf(id, found.grant);
      await server.revoke(token);
      return undefined;
    } catch (error) {
      return `The grant could not be revoked: ${messageOf(error)}`;
    }
  }

  async #refresh(id: string): Promise<AccountHealth> {
    const { accounts, log, changed } = this.#options;
    const found = accounts.grant(id);
    if (found === undefined || !found.health.canRefresh) {
      const { name } = accounts.get(id);
      throw new WeirError('bad_input', `The account ${name} has nothing to refresh it with.`);
    }
    const { grant, health } = found;
    try {
      const parts = this.#serverOf(id, grant);
      const tokens = await ask(parts.server, grant);
      return await this.#keep(id, grant, parts, tokens);
    } catch (error) {
      if (WeirError.is(error, 'store_failed')) throw error;
      const after = afterFailure(health, error, this.#options.now());
      await accounts.setHealth(id, after);
      const account = accounts.get(id);
      log('warn', `The account ${account.name} (${id}) could not be refreshed: ${after.error}`);
      changed(account, false);
      return after;
    }
  }

  /** What has been deleted meanwhile stays so. */
  async #keep(id: string, grant: Grant, parts: ServerParts, tokens: Tokens) {
    const { accounts, now, changed } = this.#options;
    const { method, keys } = parts;
    const refreshToken = tokens.refreshToken ?? grant.refreshToken;
    const health = healthOf(tokens, {
      now: now(),
      scope: grant.scope,
      canRefresh: refreshToken !== null || grant.kind === 'client_credentials',
      refreshed: true,
    });
    const fresh = authObject(method, { tokens, clientId: keys.clientId, ...grant });
    const before = accounts.get(id);
    const account = await accounts.putGrant({
      id,
      app: before.app,
      name: undefined,
      credentials: { ...accounts.credentials(id), ...fresh },
      grant: { ...grant, refreshToken },
      health,
    });
    changed(account, true);
    return health;
  }

  #serverOf(id: string, { client, fields, kind }: Grant): ServerParts {
    const { accounts, apps, clients } = this.#options;
    const { definition } = apps.get(accounts.get(id).app);
    const method = oauthMethodOf(definition, kind);
    const keys = clients.keys(definition, method, client);
    return { server: new OAuthServer(method, fields, keys), method, keys };
  }
}

interface ServerParts {
  readonly server: OAuthServer;
  readonly method: OAuthMethod;
  readonly keys: ClientKeys;
}

/** @throws WeirError `bad_input` when the app cannot be connected in this way */
export function oauthMethodOf(definition: AppDefinition, kind?: Grant['kind']): OAuthMethod {
  const found = definition.methods.find(
    (method) => method.type === 'oauth2' && (kind === undefined || method.grants.includes(kind)),
  );
  if (found?.type === 'oauth2') return found;
  const how = kind === undefined ? 'OAuth' : `the grant "${kind}"`;
  throw new WeirError(
    'bad_input',
    `${definition.name} does not connect by ${how}; add its keys with "weir accounts add ${definition.app}".`,
  );
}

function ask(server: OAuthServer, { kind, refreshToken, scope }: Grant): Promise<Tokens> {
  if (refreshToken !== null) return server.refresh(refreshToken);
  if (kind === 'client_credentials') return server.clientCredentials(scope);
  throw new GrantFailed('dead', 'There is no refresh token.');
}

function afterFailure(health: AccountHealth, error: unknown, now: number): AccountHealth {
  const failures = health.failures + 1;
  const isDead = error instanceof GrantFailed && error.kind === 'dead';
  const why = messageOf(error);
  return {
    ...health,
    status: isDead ? 'dead' : 'retrying',
    error: isDead ? `${why} Connect the account again.` : why,
    failures,
    retryAt: isDead ? null : now + retryAfter(failures),
  };
}
