/** Connections whose person continues in a browser that returns to this machine. */
import { randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import { WeirError } from '../../../protocol/errors.ts';
import type { ClientMethod } from '../apps/schema.ts';
import { listenForCallback } from './callback-listener.ts';
import type { OAuth1Plan, OAuthPlan } from './plan.ts';
import type { Finish, Session } from './session.ts';

const random = (): string => randomBytes(32).toString('base64url');

/** Authorization code, with PKCE where the app takes it. */
export async function startCode(session: Session<OAuthPlan>, finish: Finish): Promise<void> {
  const { method, server, scope } = session.plan;
  const state = random();
  const verifier = method.pkce ? generateRandomCodeVerifier() : undefined;
  const isOpenId = method.issuer !== undefined && /(?:^|\W)openid(?:\W|$)/.test(scope);
  const nonce = isOpenId ? random() : undefined;
  const redirectUri = await listen(session, (parameters) => {
    if (parameters.get('state') !== state) return false;
    const expected = { state, redirectUri, verifier, nonce };
    void finish(() => server.code(parameters, expected), kept(method, parameters));
    return true;
  });
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
  session.shows({ authorizationUrl, redirectUri });
}

/** OAuth 1.0a: the unguessable path and the requested token replace the state. */
export async function startOAuth1(session: Session<OAuth1Plan>, finish: Finish): Promise<void> {
  const { method, server } = session.plan;
  let asked: { readonly key: string; readonly secret: string } | undefined;
  const redirectUri = await listen(session, (parameters) => {
    const token = asked;
    const given = parameters.get('oauth_token') ?? parameters.get('denied');
    if (token === undefined || given !== token.key) return false;
    void finish(() => server.accessToken(token, parameters), kept(method, parameters));
    return true;
  });
  asked = await server.requestToken(redirectUri);
  session.shows({ authorizationUrl: server.authorizationUrl(asked), redirectUri });
}

/**
 * @param came false when it is not the answer that is waited for; asked until it is, once
 * @returns where the browser comes back to
 */
async function listen(
  session: Session<OAuthPlan | OAuth1Plan>,
  came: (parameters: URLSearchParams) => boolean,
): Promise<string> {
  const { host, port, path } = session.plan.method.redirect;
  const { isPasted, redirectUri: own } = session.plan.request;
  let isUsed = false;
  const take = (parameters: URLSearchParams): boolean => {
    if (isUsed || !session.isOpen || !came(parameters)) return false;
    isUsed = true;
    return true;
  };
  session.came = take;
  if (own !== undefined) return ownAddress(own);
  try {
    const listener = await listenForCallback({
      host,
      port: port === 'any' ? 0 : port,
      path: path ?? `/oauth/callback/${randomBytes(12).toString('base64url')}`,
      came: take,
    });
    session.close = () => listener.close();
    return listener.redirectUri;
  } catch (error) {
    // A fixed port may be taken: pasting needs no listener.
    if (isPasted !== true || port === 'any' || path === undefined) throw error;
    return `http://${host}:${port}${path}`;
  }
}

/**
 * As it was written: providers compare it with the registered one to the letter, and that may lack the last "/".
 * @throws WeirError `bad_input`
 */
function ownAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'https:' && url.href === plainAddress(url) && !/\s/.test(given))
    return given;
  throw new WeirError(
    'bad_input',
    `The redirect URI must be an https address without a query, not "${given}".`,
  );
}

/** Without what follows the path. */
export function plainAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** The values of a callback that the definition keeps. */
function kept(
  { keep }: Pick<ClientMethod, 'keep'>,
  parameters: URLSearchParams,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keep.callback.flatMap((name) => {
      const value = parameters.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
