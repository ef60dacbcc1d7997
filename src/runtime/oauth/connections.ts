/**
 * Connections that are being made: each waits for a person at a browser, and ends as an account, with an error,
 * or after ten minutes. None outlives the runtime.
 */
import { randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Account, Accounts, Grant } from '../accounts/accounts.ts';
import type { Apps } from '../apps/apps.ts';
import type { AppDefinition, OAuthMethod } from '../apps/schema.ts';
import type { Clock } from '../clock.ts';
import { authObject } from './auth-object.ts';
import { type CallbackListener, listenForCallback } from './callback-listener.ts';
import type { OAuthClients } from './clients.ts';
import { GrantFailed } from './failure.ts';
import { fieldsOf } from './fields.ts';
import { healthOf } from './health.ts';
import { identityOf } from './identity.ts';
import { oauthMethodOf } from './keeper.ts';
import { type ClientKeys, type DeviceCode, OAuthServer, type Tokens } from './server.ts';

export interface ConnectRequest {
  readonly app: string;
  readonly grant?: Grant['kind'] | undefined;
  /** An account that is there, which is connected again and keeps its id. */
  readonly account?: string | undefined;
  readonly name?: string | undefined;
  readonly client?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Another person may take over the account. */
  readonly takeOver?: boolean | undefined;
}

export interface Connection {
  readonly session: string;
  readonly app: string;
  readonly status: 'waiting' | 'connected' | 'failed' | 'cancelled';
  readonly authorizationUrl: string | null;
  readonly redirectUri: string | null;
  readonly userCode: string | null;
  readonly verificationUri: string | null;
  readonly account: string | null;
  readonly error: string | null;
}

export interface ConnectionsOptions {
  readonly accounts: Accounts;
  readonly apps: Apps;
  readonly clients: OAuthClients;
  readonly clock: Clock;
  /** An account is new, or connected again. */
  readonly connected: (account: Account) => void;
}

/** Within which the person has to be done. */
const longestMs = 10 * 60_000;
/** How long one can still ask how it ended. */
const rememberedMs = 10 * 60_000;

const random = (): string => randomBytes(32).toString('base64url');

/** What all steps of a connection need. */
interface Plan {
  readonly request: ConnectRequest;
  readonly definition: AppDefinition;
  readonly method: OAuthMethod;
  readonly keys: ClientKeys;
  readonly server: OAuthServer;
  readonly fields: Readonly<Record<string, string>>;
  readonly kind: Grant['kind'];
  readonly scope: string;
}

class Session {
  readonly ended: Promise<void>;
  readonly plan: Plan;
  connection: Connection;
  /** Takes the parameters of a callback; false when they are not the answer to this. */
  came: ((parameters: URLSearchParams) => boolean) | undefined;
  close: () => void = () => undefined;
  #end: () => void = () => undefined;

  constructor(id: string, plan: Plan) {
    this.plan = plan;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.connection = {
      session: id,
      app: plan.definition.app,
      status: 'waiting',
      authorizationUrl: null,
      redirectUri: null,
      userCode: null,
      verificationUri: null,
      account: null,
      error: null,
    };
  }

  get isOpen(): boolean {
    return this.connection.status === 'waiting';
  }

  /** The first end counts. */
  end(end: Pick<Connection, 'status' | 'account' | 'error'>): void {
    if (!this.isOpen) return;
    this.connection = { ...this.connection, ...end };
    this.close();
    this.#end();
  }
}

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the person can go on, or, of a grant that needs none, when it is over.
   * @throws WeirError `not_found` for an app, account or client, `bad_input` for fields, `conflict` for a port
   */
  async start(request: ConnectRequest): Promise<Connection> {
    const plan = this.#plan(request);
    const session = new Session(random(), plan);
    this.#sessions.set(session.connection.session, session);
    try {
      if (plan.kind === 'code') await this.#startCode(session);
      else if (plan.kind === 'device') await this.#startDevice(session);
      else await this.#finish(session, () => plan.server.clientCredentials(plan.scope), {});
    } catch (error) {
      session.end({ status: 'failed', account: null, error: messageOf(error) });
      this.#sessions.delete(session.connection.session);
      if (error instanceof GrantFailed) throw new WeirError('bad_input', error.message);
      throw error;
    }
    const { clock } = this.#options;
    const cancel = clock.after(longestMs, () =>
      session.end({ status: 'failed', account: null, error: 'Nobody finished within 10 minutes.' }),
    );
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
   * The address that the browser came to, where it cannot reach this machine.
   * @throws WeirError `bad_input` when it is not the answer that is waited for
   */
  async paste(id: string, address: string): Promise<Connection> {
    const session = this.#find(id);
    const { redirectUri } = session.connection;
    const given = address.trim();
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (
      redirectUri === null ||
      url === undefined ||
      `${url.origin}${url.pathname}` !== redirectUri
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

  #plan(request: ConnectRequest): Plan {
    const { accounts, apps, clients } = this.#options;
    const { definition } = apps.get(request.app);
    const method = oauthMethodOf(definition, request.grant);
    const kind = request.grant ?? method.grants[0] ?? 'code';
    const before = request.account === undefined ? undefined : accounts.get(request.account);
    if (before !== undefined && before.app !== definition.app) {
      throw new WeirError('bad_input', `The account ${before.name} is one of ${before.app}.`);
    }
    const kept = before && accounts.grant(before.id)?.grant;
    const fields = fieldsOf(method, { ...kept?.fields, ...request.fields });
    const keys = clients.keys(definition, method, request.client);
    const scopes = request.scopes ?? kept?.scope.split(method.scope_separator) ?? method.scopes;
    return {
      request,
      definition,
      method,
      keys,
      fields,
      kind,
      scope: scopes.join(method.scope_separator),
      server: new OAuthServer(method, fields, keys),
    };
  }

  async #startCode(session: Session): Promise<void> {
    const { method, server, scope } = session.plan;
    const state = random();
    const verifier = method.pkce ? generateRandomCodeVerifier() : undefined;
    const isOpenId = method.issuer !== undefined && /(?:^|\W)openid(?:\W|$)/.test(scope);
    const nonce = isOpenId ? random() : undefined;
    const { host, port, path } = method.redirect;
    let listener: CallbackListener | undefined;
    let isUsed = false;
    session.came = (parameters) => {
      if (isUsed || !session.isOpen || parameters.get('state') !== state) return false;
      isUsed = true;
      const { redirectUri = '' } = listener ?? {};
      const expected = { state, redirectUri, verifier, nonce };
      const callback = Object.fromEntries(
        method.keep.callback.flatMap((name) => {
          const value = parameters.get(name);
          return value === null ? [] : [[name, value]];
        }),
      );
      void this.#finish(session, () => server.code(parameters, expected), callback);
      return true;
    };
    listener = await listenForCallback({
      host,
      port: port === 'any' ? 0 : port,
      path: path ?? `/oauth/callback/${randomBytes(12).toString('base64url')}`,
      came: (parameters) => session.came?.(parameters) === true,
    });
    session.close = () => listener.close();
    const { redirectUri } = listener;
    const challenge =
      verifier === undefined
        ? {}
        : {
            code_challenge: await calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          };
    const authorizationUrl = server.authorizationUrl({
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      ...(scope !== '' && { [method.scope_param]: scope }),
      ...(nonce !== undefined && { nonce }),
      ...challenge,
    });
    session.connection = { ...session.connection, authorizationUrl, redirectUri };
  }

  async #startDevice(session: Session): Promise<void> {
    const { server, scope } = session.plan;
    const code = await server.deviceCode(scope);
    const { userCode, verificationUri } = code;
    session.connection = { ...session.connection, userCode, verificationUri };
    this.#poll(session, code, code.interval);
  }

  #poll(session: Session, code: DeviceCode, seconds: number): void {
    const { clock } = this.#options;
    const end = clock.now() + code.expiresIn * 1000;
    const later = (interval: number): void => {
      const cancel = clock.after(interval * 1000, () => void ask(interval));
      session.close = cancel;
    };
    const ask = async (interval: number): Promise<void> => {
      let tokens: Tokens;
      try {
        tokens = await session.plan.server.device(code.deviceCode);
      } catch (error) {
        const word = error instanceof GrantFailed ? error.code : undefined;
        const isPassing = error instanceof GrantFailed && error.kind === 'unreachable';
        if (!session.isOpen) return;
        if (clock.now() >= end || word === 'expired_token') {
          const why = 'The code has run out before anybody entered it.';
          session.end({ status: 'failed', account: null, error: why });
        } else if (word === 'slow_down' || isPassing) later(interval + 5);
        else if (word === 'authorization_pending') later(interval);
        else session.end({ status: 'failed', account: null, error: messageOf(error) });
        return;
      }
      await this.#finish(session, () => Promise.resolve(tokens), {});
    };
    later(seconds);
  }

  /** Never rejects. */
  async #finish(
    session: Session,
    getTokens: () => Promise<Tokens>,
    callback: Readonly<Record<string, string>>,
  ): Promise<void> {
    try {
      const tokens = await getTokens();
      // Cancelled meanwhile: what came is let go.
      if (!session.isOpen) return;
      const account = await this.#keep(session.plan, tokens, callback);
      this.#options.connected(account);
      session.end({ status: 'connected', account: account.id, error: null });
    } catch (error) {
      const isDenied = error instanceof GrantFailed && error.kind === 'denied';
      const why = isDenied ? 'Access was denied in the browser.' : messageOf(error);
      session.end({ status: 'failed', account: null, error: why });
    }
  }

  async #keep(
    plan: Plan,
    tokens: Tokens,
    callback: Readonly<Record<string, string>>,
  ): Promise<Account> {
    const { accounts, clock } = this.#options;
    const { request, definition, method, keys, fields, kind, scope } = plan;
    const identity = await identityOf(method, tokens.accessToken);
    const before = request.account === undefined ? undefined : accounts.get(request.account);
    const owner = before && accounts.grant(before.id)?.grant.identity;
    const isOther = owner?.id !== undefined && identity.id !== owner.id;
    if (isOther && request.takeOver !== true) {
      throw new WeirError(
        'conflict',
        `The account ${before?.name} is of ${owner.label ?? owner.id}, but ${identity.label ?? identity.id ?? 'somebody else'} has signed in: connect again as the first, or let the other one take it over.`,
      );
    }
    const { refreshToken } = tokens;
    const grant: Grant = {
      kind,
      refreshToken: refreshToken ?? null,
      client: keys.id,
      scope,
      fields,
      callback,
      identity,
    };
    const parts = { tokens, clientId: keys.clientId, fields, callback, identity };
    return accounts.putGrant({
      id: before?.id,
      app: definition.app,
      name: request.name ?? (before === undefined ? (identity.label ?? definition.app) : undefined),
      credentials: authObject(method, parts),
      grant,
      health: healthOf(tokens, {
        now: clock.now(),
        scope,
        canRefresh: refreshToken !== undefined || kind === 'client_credentials',
        refreshed: false,
      }),
    });
  }

  #find(id: string): Session {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    throw new WeirError('not_found', 'This connection is not known any more: start it again.');
  }
}
