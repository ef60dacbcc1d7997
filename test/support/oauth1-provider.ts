/**
 * A provider of OAuth 1.0a for tests, over real HTTP. Every request to it is checked by another implementation of the
 * signature, and refused when that comes to another one.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import OAuth from 'oauth-1.0a';
import { type AtEnd, atEndOfTest } from './at-end.ts';

export interface TestProvider1 {
  readonly url: string;
  /** Method and path of the requests whose signature was right, in their order. */
  readonly signed: string[];
  /** The person at the browser says no. */
  denies: boolean;
  /** What the API answers with instead of the truth. */
  broken: number | undefined;
}

export const consumer = { key: 'marker-consumer', secret: 'marker-consumer-secret' };
const requestToken = { key: 'request-token', secret: 'marker request&secret' };
export const accessToken = { key: 'marker-access-token', secret: 'marker+access/secret' };

export const oracle = (hash: 'sha1' | 'sha256' = 'sha1') =>
  new OAuth({
    consumer,
    signature_method: hash === 'sha1' ? 'HMAC-SHA1' : 'HMAC-SHA256',
    hash_function: (base, key) => createHmac(hash, key).update(base).digest('base64'),
  });

export async function startProvider1(atEnd: AtEnd = atEndOfTest): Promise<TestProvider1> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: TestProvider1 = { url, signed: [], denies: false, broken: undefined };
  let callback = '';
  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const send = (status: number, text: string) => response.writeHead(status).end(text);
    if (pathname === '/authorize') {
      const back = new URL(callback);
      const token = searchParams.get('oauth_token') ?? '';
      if (state.denies) back.searchParams.set('denied', token);
      else {
        back.searchParams.set('oauth_token', token);
        back.searchParams.set('oauth_verifier', 'marker-verifier');
      }
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const given = parsed(request.headers.authorization ?? '');
    const token =
      pathname === '/request' ? undefined : pathname === '/access' ? requestToken : accessToken;
    const data = Object.fromEntries(new URLSearchParams(body));
    const more = Object.fromEntries(
      ['oauth_callback', 'oauth_verifier'].flatMap((name) =>
        given[name] === undefined ? [] : [[name, given[name]]],
      ),
    );
    const right = oracle().getSignature(
      {
        url: `${url}${request.url}`,
        method: request.method ?? '',
        data: { ...data, ...more },
      },
      token?.secret,
      withoutSignature(given) as unknown as OAuth.Data,
    );
    if (given['oauth_signature'] !== right || given['oauth_token'] !== token?.key) {
      send(401, 'oauth_problem=signature_invalid');
      return;
    }
    state.signed.push(`${request.method} ${request.url}`);
    if (pathname === '/request') {
      callback = given['oauth_callback'] ?? '';
      const { key, secret } = requestToken;
      send(
        200,
        form({ oauth_token: key, oauth_token_secret: secret, oauth_callback_confirmed: 'true' }),
      );
    } else if (pathname === '/access') {
      if (given['oauth_verifier'] !== 'marker-verifier')
        send(401, 'oauth_problem=verifier_invalid');
      else {
        const { key, secret } = accessToken;
        send(200, form({ oauth_token: key, oauth_token_secret: secret, user_id: '42' }));
      }
    } else if (state.broken !== undefined) send(state.broken, '{}');
    else send(200, JSON.stringify({ id: 'ann', label: 'ann@acme.test', data }));
  };
  server.on('request', (request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => void (body += piece.toString()));
    request.on('end', () => answer(request, response, body));
  });
  return state;
}

/** The definition of an app of this provider. */
export function acme1({ url }: TestProvider1, method = {}) {
  return {
    app: 'acme',
    name: 'Acme',
    methods: [
      {
        type: 'oauth1',
        request_token_url: `${url}/request`,
        authorization_url: `${url}/authorize`,
        access_token_url: `${url}/access`,
        authorization_params: { name: 'Weir' },
        identity: { url: `${url}/me`, id: '/id', label: '/label' },
        keep: { token: ['user_id'] },
        ...method,
      },
    ],
    check: { url: `${url}/me?full=1` },
  };
}

function form(values: Record<string, string>): string {
  return new URLSearchParams(values).toString();
}

function parsed(header: string): Record<string, string> {
  return Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  );
}

function withoutSignature(given: Record<string, string>): Record<string, string> {
  const { oauth_signature: _, oauth_callback: __, oauth_verifier: ___, ...rest } = given;
  return rest;
}
