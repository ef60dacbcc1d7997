/**
 * Keeps accounts fresh. Each account has one refresh at a time, whoever asks, and what it brought is on disk before anybody
 * gets it: a provider that sees a refresh token twice takes the whole grant away. One data folder has one runtime; an account
 * that is kept for the user has several, so that who refreshes it has its lock.
 */
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { Account, Grant } from '../accounts.ts';
import type { AccountHealth } from '../../store/configuration/accounts.ts';
import { authObject } from './auth-object.ts';
import type { CopiedStore } from './copied-store.ts';
import { GrantFailed } from './failure.ts';
import { expiredMessage, isDue, isOver, retryAfter } from './freshness.ts';
import { healthOf } from './health.ts';
import { canRefresh } from './keep-connected.ts';
import type { Proof } from './identity.ts';
import { proofOf, type Provider, providerOf, type ProviderParts } from './provider-of.ts';
import type { Tokens } from './server.ts';
import type { BaseServices } from '../../base/services.ts';

export interface AccountKeeperOptions extends ProviderParts, Pick<BaseServices, 'now' | 'log'> {
  readonly copied: CopiedStore;
  /** Several machines may have the store: what is kept for the user is on one of them. */
  readonly isShared: boolean;
  /** Resolves with what gives it back, once no other runtime refreshes an account that is kept for the user. */
  readonly lock: (id: string) => Promise<() => Promise<void>>;
  /** Why nothing can be stored just now: a refresh would spend a refresh token, and its successor would be lost. */
  readonly unstorable: () => WeirError | undefined;
  /** Its `$auth` or its health is another. */
  readonly changed: (account: Account, isNewToken: boolean) => void;
}

/** How long after one 401 the next one refreshes nothing. */
const refusedMs = 5 * 60_000;

export class AccountKeeper {
  readonly #options: AccountKeeperOptions;
  readonly #going = new Map<string, Promise<AccountHealth>>();
  /** Accounts that are being moved from the folder to the user. */
  readonly #leaving = new Map<string, Promise<Account>>();
  /** Accounts whose new token is not on disk yet: it can be read already, but must not be used (clause 16). */
  readonly #storing = new Set<string>();
  /**
   * Accounts whose token an app refused before its expiry: when, in epoch ms, and whether a refresh still has to answer
   * that.
   */
  readonly #refused = new Map<string, { readonly at: number; readonly isOpen: boolean }>();
  /** For accounts kept for the user: the time of the token that runs here have, in epoch ms. */
  readonly #known = new Map<string, number>();

  constructor(options: AccountKeeperOptions) {
    this.#options = options;
  }

  /** Some account is kept fresh, or has a token that ends: else nobody has to look which ones a run has. */
  get hasAny(): boolean {
    return this.#options.accounts
      .all()
      .some(({ health }) => health?.canRefresh === true || typeof health?.expiresAt === 'number');
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
      if (health === undefined || health.status === 'dead') continue;
      if (health.kind !== 'editor' && !health.canRefresh) continue;
      if (before !== undefined && now() - before.at < refusedMs) continue;
      this.#refused.set(id, { at: now(), isOpen: health.canRefresh });
      if (health.kind === 'editor') void this.#sessionRefused(id, health);
    }
  }

  /** Only the editor has another one; it sees that this one is asked for. */
  async #sessionRefused(id: string, health: AccountHealth): Promise<void> {
    const { accounts, changed, log } = this.#options;
    const error = `The app has refused the session of VS Code. VS Code hands over a new one when it is open; else connect the account again.`;
    try {
      await accounts.setHealth(id, { ...health, status: 'retrying', error });
      changed(accounts.get(id), false);
    } catch (failure) {
      log('warn', `The account ${id}: ${messageOf(failure)}`);
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
  refreshExpiring(ids: readonly string[], runMs: number): Promise<void> | undefined {
    const { accounts, now } = this.#options;
    for (const id of ids) this.#takeOthers(id);
    const due = ids.filter((id) => {
      const health = accounts.health(id);
      if (health === undefined) return false;
      return this.#storing.has(id) || this.#isRefused(id) || isDue(health, now(), runMs);
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

  /** Another runtime may have refreshed one that is kept for the user: runs that begin now have its token. */
  #takeOthers(id: string): void {
    const { accounts, changed } = this.#options;
    const account = accounts.find(id);
    if (account?.kept !== 'user' || account.health === undefined) return;
    const { obtainedAt } = account.health;
    if (this.#known.get(id) === obtainedAt) return;
    this.#known.set(id, obtainedAt);
    changed(account, true);
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
   * Refreshes an account now; joins a refresh in progress.
   * @throws WeirError `not_found`, `bad_input` if it has nothing to refresh with
   */
  refresh(id: string): Promise<AccountHealth> {
    const going = this.#going.get(id);
    if (going !== undefined) return going;
    const leaving = this.#leaving.get(id);
    if (leaving !== undefined) return leaving.catch(() => undefined).then(() => this.refresh(id));
    const refused = this.#refused.get(id);
    if (refused !== undefined) this.#refused.set(id, { ...refused, isOpen: false });
    const refreshing = this.#refresh(id).finally(() => this.#going.delete(id));
    this.#going.set(id, refreshing);
    return refreshing;
  }

  /**
   * Keeps an account of this folder for the user from now on, under its id. No refresh goes on meanwhile: from then on other
   * runtimes have its refresh token.
   * @throws WeirError `not_found`, `conflict` in a folder that was copied, in a database, or for an id that the user has
   */
  keepForUser(id: string): Promise<Account> {
    const leaving = this.#leaving.get(id) ?? this.#keepForUser(id);
    this.#leaving.set(id, leaving);
    return leaving.finally(() => this.#leaving.delete(id));
  }

  async #keepForUser(id: string): Promise<Account> {
    const { accounts, copied, isShared } = this.#options;
    const account = accounts.get(id);
    if (account.kept === 'user') return account;
    if (isShared) {
      throw new WeirError(
        'conflict',
        `The account ${account.name} is in a database that several machines may share, and would be on this one alone: leave it there.`,
      );
    }
    const other = copied.sharedWith(account.health?.obtainedAt ?? account.updatedAt);
    if (other !== undefined) {
      throw new WeirError(
        'conflict',
        `This data folder seems to be a copy of ${other}, which has the account ${account.name} as well: share it there. If that one is not used any more, run "weir accounts keep-fresh" first.`,
      );
    }
    await this.#going.get(id)?.catch(() => undefined);
    return accounts.keepForUser(id);
  }

  /**
   * Tells the provider that an account is no longer used (RFC 7009).
   * @returns why that failed, in a sentence; undefined if it succeeded, or the provider has no address for it
   */
  async revoke(id: string): Promise<string | undefined> {
    const found = this.#options.accounts.grant(id);
    const token = found?.grant.refreshToken;
    if (found === undefined || token === null || token === undefined) return undefined;
    if (this.#heldBack(id, found.health) !== undefined)
      return 'The grant was not revoked: this data folder seems to be a copy, and the other one has it too.';
    try {
      await providerOf(this.#options, id, found.grant).revoke(token);
      return undefined;
    } catch (error) {
      return `The grant could not be revoked: ${messageOf(error)}`;
    }
  }

  /** A person says that this data folder, though it was copied, is the one that refreshes its accounts. */
  async keepFresh(): Promise<void> {
    const { accounts, copied, now } = this.#options;
    await copied.goOn();
    const waiting = accounts.all().filter(({ health }) => {
      return health !== undefined && (health.status === 'retrying' || isDue(health, now(), 0));
    });
    await Promise.all(waiting.map(({ id }) => this.refresh(id).catch(() => undefined)));
  }

  /**
   * Keeps what the app says of a token that was just shown to it: a refused one is not healthy until a refresh, its user, or
   * another check says otherwise.
   * @param refusal why the app does not take it
   */
  async checked(id: string, refusal: string | undefined): Promise<void> {
    const { accounts, changed } = this.#options;
    const health = accounts.health(id);
    const status = refusal === undefined ? 'healthy' : 'retrying';
    if (health === undefined || (status === 'healthy' && health.status === 'healthy')) return;
    await accounts.setHealth(id, { ...health, status, error: refusal ?? null });
    changed(accounts.get(id), false);
  }

  /** See `proofOf`. */
  proofOf(id: string): Proof | undefined {
    return proofOf(this.#options, id);
  }

  /** A copy of the folder has no copy of what is kept for the user. */
  #heldBack(id: string, { obtainedAt }: AccountHealth): string | undefined {
    const { accounts, copied } = this.#options;
    return accounts.find(id)?.kept === 'user' ? undefined : copied.heldBack(obtainedAt);
  }

  /** Refreshes an account that is kept for the user, unless another runtime was faster. */
  async #refresh(id: string): Promise<AccountHealth> {
    const { accounts, lock } = this.#options;
    const { kept, health: before } = accounts.get(id);
    if (kept !== 'user') return this.#refreshNow(id);
    const release = await lock(id);
    try {
      const now = accounts.get(id).health;
      if (now === undefined || isSameState(now, before)) return await this.#refreshNow(id);
      this.#takeOthers(id);
      return now;
    } finally {
      await release();
    }
  }

  async #refreshNow(id: string): Promise<AccountHealth> {
    const { accounts, log, changed, unstorable } = this.#options;
    const found = accounts.grant(id);
    if (found === undefined || !found.health.canRefresh) {
      const { name } = accounts.get(id);
      throw new WeirError('bad_input', `The account ${name} has nothing to refresh it with.`);
    }
    const { grant, health } = found;
    const notNow = accounts.find(id)?.kept === 'user' ? undefined : unstorable();
    if (notNow !== undefined) throw notNow;
    try {
      const why = this.#heldBack(id, health);
      if (why !== undefined) throw new WeirError('conflict', why);
      const provider = providerOf(this.#options, id, grant);
      const tokens = await provider.refresh();
      return await this.#keep(id, grant, provider, tokens);
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

  /** An account that was deleted meanwhile stays deleted. */
  async #keep(id: string, before: Grant, { method, clientId }: Provider, tokens: Tokens) {
    const { accounts, now, changed } = this.#options;
    const grant = { ...before, refreshToken: tokens.refreshToken ?? before.refreshToken };
    const health = healthOf(tokens, {
      now: now(),
      kind: grant.kind,
      scope: grant.scope,
      canRefresh: canRefresh(grant),
      refreshed: true,
    });
    const fresh = authObject(method, { tokens, clientId, ...grant });
    this.#storing.add(id);
    const account = await accounts
      .putGrant({
        id,
        app: accounts.get(id).app,
        name: undefined,
        credentials: { ...accounts.credentials(id), ...fresh },
        grant,
        health,
      })
      .finally(() => this.#storing.delete(id));
    if (account.kept === 'user') this.#known.set(id, health.obtainedAt);
    changed(account, true);
    return health;
  }
}

/** Nobody has refreshed it between the two, nor tried to. */
function isSameState(now: AccountHealth, before: AccountHealth | undefined): boolean {
  return now.obtainedAt === before?.obtainedAt && now.failures === before.failures;
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
