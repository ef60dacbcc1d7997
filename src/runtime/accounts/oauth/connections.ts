/**
 * Connections that are being made: each waits for a person at a browser, and ends as an account, with an error,
 * or after ten minutes. None outlives the runtime.
 */
import { randomBytes } from 'node:crypto';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { Account } from '../accounts.ts';
import { plainAddress, startCode, startOAuth1 } from './browser-flow.ts';
import { runCommand } from './command.ts';
import { startDevice } from './device-flow.ts';
import { GrantFailed } from './failure.ts';
import { keepConnected } from './keep-connected.ts';
import {
  type ConnectRequest,
  type OAuth1Plan,
  type OAuthPlan,
  type Plan,
  planOf,
  type PlanParts,
} from './plan.ts';
import { plainTokens } from './server.ts';
import { type Connection, type Finish, Session } from './session.ts';
import type { BaseServices } from '../../base/services.ts';

export interface ConnectionsOptions extends PlanParts, Pick<BaseServices, 'clock'> {
  /** An account is new, or connected again. */
  readonly connected: (account: Account) => void;
}

/** Within which the person has to be done. */
const longestMs = 10 * 60_000;
/** How long one can still ask how it ended. */
const rememberedMs = 10 * 60_000;

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the person can go on, or, of a grant that needs none, when it is over.
   * @throws WeirError `not_found` for an app, account or client, `bad_input` for fields, `conflict` for a port, or a
   * command that nobody has allowed
   */
  async start(request: ConnectRequest): Promise<Connection> {
    const plan = await planOf(this.#options, request);
    const session = new Session(randomBytes(32).toString('base64url'), plan);
    this.#sessions.set(session.connection.session, session);
    try {
      await this.#begin(session);
    } catch (error) {
      session.fail(messageOf(error));
      this.#sessions.delete(session.connection.session);
      if (error instanceof GrantFailed) throw new WeirError('bad_input', error.message);
      throw error;
    }
    const { clock } = this.#options;
    const cancel = clock.after(longestMs, () => session.fail('Nobody finished within 10 minutes.'));
    void session.ended.then(() => {
      cancel();
      clock.after(rememberedMs, () => this.#sessions.delete(session.connection.session));
    });
    return session.connection;
  }

  /** Throws `not_found`. */
  get(id: string): Connection {
    return this.#find(id).connection;
  }

  /** Resolves when it has ended, or the signal is aborted. Throws `not_found`. */
  async wait(id: string, signal: AbortSignal): Promise<Connection> {
    const session = this.#find(id);
    const gone = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([session.ended, gone]);
    return session.connection;
  }

  /**
   * The address where the browser ended, if it cannot reach this machine.
   * @throws WeirError `bad_input` if it is not the expected answer
   */
  async paste(id: string, address: string): Promise<Connection> {
    const session = this.#find(id);
    const { redirectUri } = session.connection;
    const given = address.trim();
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (
      redirectUri === null ||
      url === undefined ||
      plainAddress(url) !== plainAddress(new URL(redirectUri))
    ) {
      throw new WeirError(
        'bad_input',
        `Paste the whole address that the browser ended at; it begins with ${redirectUri ?? 'http'}.`,
      );
    }
    if (session.came?.(url.searchParams) !== true)
      throw new WeirError('bad_input', 'This address is the answer to another connection.');
    await session.ended;
    return session.connection;
  }

  /** Throws `not_found`. */
  cancel(id: string): Connection {
    const session = this.#find(id);
    session.end({ status: 'cancelled', account: null, error: 'It was cancelled.' });
    return session.connection;
  }

  close(): void {
    for (const session of this.#sessions.values())
      session.end({ status: 'cancelled', account: null, error: 'The runtime ended.' });
  }

  async #begin(session: Session): Promise<void> {
    const { plan } = session;
    this.#endOthersAt(portOf(plan));
    const finish: Finish = (getTokens, callback) => this.#finish(session, getTokens, callback);
    if (plan.kind === 'oauth1') await startOAuth1(session as Session<OAuth1Plan>, finish);
    else if (plan.kind === 'code') await startCode(session as Session<OAuthPlan>, finish);
    else if (plan.kind === 'device')
      await startDevice(session as Session<OAuthPlan>, finish, this.#options.clock);
    else if (plan.kind === 'command') await finish(() => runCommand(plan.method), {});
    else if (plan.kind === 'editor')
      await finish(() => Promise.resolve(plainTokens(plan.session.access_token)), {});
    else await finish(() => plan.server.clientCredentials(plan.scope), {});
  }

  /** Only one connection at a time can wait at a fixed port: a person who closed the page starts again. */
  #endOthersAt(port: number | undefined): void {
    if (port === undefined) return;
    for (const other of this.#sessions.values()) {
      // The new one does not wait yet.
      if (other.connection.redirectUri === null || portOf(other.plan) !== port) continue;
      const error = 'Another connection was begun, and the browser comes back to that one.';
      other.end({ status: 'cancelled', account: null, error });
    }
  }

  /** Never rejects. */
  async #finish(session: Session, ...[getTokens, callback]: Parameters<Finish>): Promise<void> {
    const { accounts, clock, connected } = this.#options;
    try {
      const tokens = await getTokens();
      // Cancelled meanwhile: what came is let go.
      if (!session.isOpen) return;
      const came = { tokens, callback, now: clock.now() };
      const account = await keepConnected(accounts, session.plan, came);
      connected(account);
      session.end({ status: 'connected', account: account.id, error: null });
    } catch (error) {
      const isDenied = error instanceof GrantFailed && error.kind === 'denied';
      session.fail(isDenied ? 'Access was denied in the browser.' : messageOf(error));
    }
  }

  #find(id: string): Session {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    throw new WeirError('not_found', 'This connection is not known any more: start it again.');
  }
}

/** Undefined where any that is free will do, or no browser comes back. */
function portOf(plan: Plan): number | undefined {
  if (plan.kind !== 'code' && plan.kind !== 'oauth1') return undefined;
  if (plan.request.redirectUri !== undefined) return undefined;
  const { port } = plan.method.redirect;
  return port === 'any' ? undefined : port;
}
