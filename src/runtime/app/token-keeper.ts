/** Keeps the tokens of accounts fresh for runs: the leading node refreshes them, a follower has it refresh them. */
import type { Accounts } from '../accounts/accounts.ts';
import type { AccountKeeper } from '../accounts/oauth/keeper.ts';
import { isDue, isOver } from '../accounts/oauth/freshness.ts';
import type { BaseServices } from '../base/services.ts';
import type { LeaderConnection } from './leader-connection.ts';

export type TokenKeeper = Pick<AccountKeeper, 'hasAny' | 'refreshExpiring' | 'unauthorized'>;

export interface LeaderTokensOptions extends Pick<BaseServices, 'now'> {
  readonly accounts: Accounts;
  readonly leader: LeaderConnection;
}

/** How long to wait for the leader with a token that is due, in ms. */
const freshenMs = 15_000;

export class LeaderTokens implements TokenKeeper {
  readonly #options: LeaderTokensOptions;

  constructor(options: LeaderTokensOptions) {
    this.#options = options;
  }

  get hasAny(): boolean {
    return this.#options.accounts.all().length > 0;
  }

  /** The leading node refreshes; a token that lives still is used when it does not. */
  refreshExpiring(ids: readonly string[], ms: number): Promise<void> | undefined {
    const { accounts, now } = this.#options;
    const due = ids.filter((id) => {
      const health = accounts.health(id);
      return health !== undefined && isDue(health, now(), ms);
    });
    return due.length === 0 ? undefined : this.#ask(due);
  }

  unauthorized(ids: readonly string[]): void {
    this.#options.leader.tell('unauthorized', { accounts: ids });
  }

  async #ask(due: readonly string[]): Promise<void> {
    const { accounts, now, leader } = this.#options;
    try {
      await (await leader.peer()).call('freshen', { accounts: due }, freshenMs);
    } catch (error) {
      const isGone = due.some((id) => {
        const health = accounts.health(id);
        return health !== undefined && isOver({ ...health, canRefresh: false }, now());
      });
      if (isGone) throw error;
    }
  }
}
