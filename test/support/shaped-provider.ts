/**
 * A provider with the habits that a definition tells of, over real HTTP: it refuses what another client would send, and
 * answers as no other definition would understand. One server stands for all hosts.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { OAuthMethod } from '../../src/runtime/accounts/apps/schema.ts';
import type { AtEnd } from './at-end.ts';

export const clientKeys = { id: 'weir-client', secret: 'marker +/: secret' };

export interface Shape {
  readonly method: OAuthMethod;
  /** What the placeholders of its addresses are. */
  readonly fields: Readonly<Record<string, string>>;
  readonly issuer?: string;
}

export interface ShapedProvider {
  readonly url: URL;
  /** Whose habits it has from now on. */
  shape: Shape;
  /** What the authorization request said, of which the rest of the flow depends. */
  authorized: URLSearchParams;
  /** `POST accounts.acme.com/token`, … in their order. */
  readonly requests: string[];
  /** Why it refused something. */
  readonly refused: string[];
}

export async function startShapedProvider(atEnd: AtEnd): Promise<ShapedProvider> {
  const server = createServer((request, response) => void answer(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const state = {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    authorized: new URLSearchParams(),
    requests: [],
    refused: [],
  } as unknown as ShapedProvider;
  return state;
}

/** An address of the definition, with its fields filled in. */
export function filled(address: string, fields: Readonly<Record<string, string>>): URL {
  return new URL(address.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => fields[name] ?? ''));
}

async function answer(
  state: ShapedProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, fields } = state.shape;
  const address = new URL(request.url ?? '/', `https://${request.headers.host}`);
  const body = await text(request);
  state.requests.push(`${request.method} ${address.host}${address.pathname}`);
  const is = (wanted: string | undefined) =>
    wanted !== undefined && filled(wanted, fields).href === address.href;
  const refuse = (why: string): void => {
    state.refused.push(why);
    response.writeHead(method.response.error_in_200 ? 200 : 400, json);
    response.end(JSON.stringify({ error: 'invalid_request', error_description: why }));
  };
  if (is(method.token_url) || is(method.refresh_url)) {
    const wrong = wrongWith(state, request, body);
    if (wrong !== undefined) refuse(wrong);
    else {
      response.writeHead(method.response.any_success ? 201 : 200, json);
      response.end(tokenAnswer(state, parametersOf(request, body).get('grant_type') ?? ''));
    }
  } else if (is(method.identity?.url)) {
    const { header = '', value = '' } = method.identity ?? {};
    const given = request.headers[header.toLowerCase()];
    if (given !== value.replace('{access_token}', 'the-token'))
      refuse(`identity with ${String(given)}`);
    else response.writeHead(200, json).end(JSON.stringify(identityAnswer(method)));
  } else refuse(`nothing is at ${address.href}`);
}

const json = { 'content-type': 'application/json' };

function parametersOf(request: IncomingMessage, body: string): URLSearchParams {
  const isJson = request.headers['content-type'] === 'application/json';
  return new URLSearchParams(isJson ? (JSON.parse(body) as Record<string, string>) : body);
}

/** What a token request must be like. */
function wrongWith(
  { shape: { method }, authorized }: ShapedProvider,
  request: IncomingMessage,
  body: string,
): string | undefined {
  const type = request.headers['content-type'] ?? '';
  const wantsJson = method.token_body === 'json';
  if (type.includes('json') !== wantsJson) return `a body of ${type}`;
  const given = parametersOf(request, body);
  const header = request.headers.authorization;
  if (method.client_auth === 'basic') {
    if (header === undefined || !isBasic(header)) return `the authorization ${String(header)}`;
    if (given.has('client_secret')) return 'a client_secret beside the header';
  } else if (method.client_auth === 'none') {
    if (given.has('client_secret') || header !== undefined) return 'a client_secret';
  } else if (given.get('client_secret') !== clientKeys.secret || header !== undefined)
    return 'no client_secret in the body';
  if (given.get('grant_type') === 'refresh_token') {
    const missing = Object.entries(method.refresh_params).find(([k, v]) => given.get(k) !== v);
    if (missing !== undefined) return `a refresh without ${missing[0]}`;
    return given.get('refresh_token') === 'the-refresh-token' ? undefined : 'no refresh token';
  }
  if (given.get('code') !== 'the-code') return 'no code';
  if (given.get('redirect_uri') !== authorized.get('redirect_uri')) return 'another redirect_uri';
  const missing = Object.entries(method.token_params).find(([k, v]) => given.get(k) !== v);
  if (missing !== undefined) return `a request without ${missing[0]}`;
  const verifier = given.get('code_verifier');
  const hash = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
  const challenge = authorized.get('code_challenge');
  if (method.pkce !== (verifier !== null)) return 'a verifier where there should be none, or none';
  return method.pkce && challenge !== hash ? 'another verifier' : undefined;
}

/** RFC 6749, 2.3.1: both are form-encoded first. */
function isBasic(header: string): boolean {
  const [scheme, credentials = ''] = header.split(' ');
  const [id, secret] = atob(credentials)
    .split(':')
    .map((part) => new URLSearchParams(`v=${part}`).get('v'));
  return scheme === 'Basic' && id === clientKeys.id && secret === clientKeys.secret;
}

function tokenAnswer({ shape: { method, issuer }, authorized }: ShapedProvider, grant: string) {
  const { response: rules, keep } = method;
  const body: Record<string, unknown> = {
    ...(rules.token_type ? {} : { token_type: 'Bearer' }),
    ...(rules.loose ? { scope: ['a', 'b'], note: null } : { scope: 'a b' }),
    ...Object.fromEntries(keep.token.map((name) => [name, `the-${name}`])),
  };
  // Where tokens come nested, refreshed ones do not: so has Slack it, the one that nests them.
  const nested: Partial<typeof rules> = grant === 'refresh_token' ? {} : rules;
  put(body, nested.access_token ?? '/access_token', 'the-token');
  put(body, nested.refresh_token ?? '/refresh_token', 'the-refresh-token');
  if (rules.default_expires_in === undefined) put(body, nested.expires_in ?? '/expires_in', 3600);
  for (const template of Object.values(method.auth))
    for (const [, name = ''] of template.matchAll(/\{token\.(\w+)\}/g)) body[name] = `the-${name}`;
  if (issuer !== undefined && grant === 'authorization_code')
    body['id_token'] = idToken(issuer, authorized.get('nonce'));
  return JSON.stringify(body);
}

function idToken(issuer: string, nonce: string | null): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: issuer, aud: clientKeys.id, sub: 'ann', iat: now, exp: now + 600, nonce };
  return [part({ alg: 'RS256' }), part(claims), 'c2ln'].join('.');
}

function identityAnswer({ identity }: OAuthMethod): unknown {
  const body: Record<string, unknown> = {};
  if (identity === undefined) return body;
  put(body, identity.id, 'the-user');
  if (identity.label !== undefined) put(body, identity.label, 'ann@acme.test');
  for (const [name, pointer] of Object.entries(identity.keep)) put(body, pointer, `the-${name}`);
  const [first] = identity.id.split('/').slice(1);
  return first === '0' ? [body['0']] : body;
}

function put(body: Record<string, unknown>, pointer: string, value: unknown): void {
  const names = pointer.split('/').slice(1);
  let place = body;
  for (const name of names.slice(0, -1)) place = (place[name] ??= {}) as Record<string, unknown>;
  place[names.at(-1) ?? ''] = value;
}
