/** A real authorization server for tests: oidc-provider in this process, over real HTTP, with rotation and reuse detection. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Context } from 'oidc-provider';
import { type AtEnd, atEndOfTest } from './at-end.ts';

export interface TokenRequest {
  readonly grant: string;
  readonly status: number;
  readonly authorization: string;
  readonly body: string;
}

export interface TestProvider {
  readonly url: string;
  /** Every request to the token endpoint, in its order. */
  readonly tokenRequests: TokenRequest[];
  readonly revocations: string[];
  /** Seconds that access tokens live from now on. */
  lifetime: number;
  /** Who signs in at the browser; `nobody` says no, and the page of an empty name waits for ever. */
  person: string;
  /** What the token endpoint answers with in place of the truth; 0 hangs up. */
  broken: number | undefined;
  /** Called before the answer of the token endpoint goes out. */
  beforeAnswer: (() => Promise<void>) | undefined;
  /** Fields that its token answers lack. */
  leaveOut: readonly string[];
  /** A refresh gives a new refresh token, and the old one is over. */
  rotates: boolean;
  /** It hangs up, whatever is asked. */
  isAway: boolean;
}

export const clientId = 'weir-test';
export const clientSecret = 'marker-client-secret';
/** An address of the client that is not of this machine. */
export const ownRedirect = 'https://acme.test/back';
/** Another, which a browser writes with a "/" at its end. */
export const bareRedirect = 'https://acme.test';

export async function startProvider(atEnd: AtEnd = atEndOfTest): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: TestProvider = {
    url,
    tokenRequests: [],
    revocations: [],
    lifetime: 3600,
    person: 'ann',
    broken: undefined,
    beforeAnswer: undefined,
    leaveOut: [],
    rotates: true,
    isAway: false,
  };
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/oauth/callback', ownRedirect, bareRedirect],
        grant_types: [
          'authorization_code',
          'refresh_token',
          'client_credentials',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
      },
    ],
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
    },
    scopes: ['openid', 'offline_access', 'email'],
    claims: { openid: ['sub'], email: ['email'] },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => state.rotates,
    ttl: {
      AccessToken: () => state.lifetime,
      ClientCredentials: () => state.lifetime,
      AuthorizationCode: 60,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 600,
      IdToken: 600,
      DeviceCode: 600,
    },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@acme.test` }),
    }),
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid offline_access email');
      await grant.save();
      return grant;
    },
  });
  // Like GitHub: what follows the registered path may differ.
  provider.Client.prototype.redirectUriAllowed = (uri) => {
    const { hostname, pathname } = new URL(uri);
    if (uri === ownRedirect || uri === bareRedirect) return true;
    return ['127.0.0.1', 'localhost'].includes(hostname) && pathname.startsWith('/oauth/callback');
  };
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const path = request.url ?? '/';
    if (state.isAway) {
      request.socket.destroy();
      return;
    }
    if (path.startsWith('/interaction')) {
      if (state.person === '') {
        response.end('Sign in');
        return;
      }
      const result =
        state.person === 'nobody'
          ? { error: 'access_denied', error_description: 'no' }
          : { login: { accountId: state.person }, consent: {} };
      void provider.interactionFinished(request, response, result);
      return;
    }
    if (path === '/token/revocation') state.revocations.push(path);
    if (path !== '/token') {
      answer(request, response);
      return;
    }
    let body = '';
    request.on('data', (piece: Buffer) => void (body += piece.toString()));
    const entry = {
      authorization: request.headers.authorization ?? '',
      get body() {
        return body;
      },
      get grant() {
        return new URLSearchParams(body).get('grant_type') ?? '';
      },
      get status() {
        return response.statusCode;
      },
    };
    state.tokenRequests.push(entry);
    if (state.broken === 0) {
      request.socket.destroy();
    } else if (state.broken !== undefined) {
      response.writeHead(state.broken).end('<html>');
    } else if (state.leaveOut.length > 0) {
      const end = response.end.bind(response);
      response.end = ((text: string) => {
        const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
        const kept = entries.filter(([name]) => !state.leaveOut.includes(name));
        const shorter = JSON.stringify(Object.fromEntries(kept));
        response.setHeader('content-length', Buffer.byteLength(shorter));
        return end(shorter);
      }) as typeof response.end;
      answer(request, response);
    } else if (state.beforeAnswer === undefined) {
      answer(request, response);
    } else {
      const end = response.end.bind(response);
      const wait = state.beforeAnswer;
      response.end = ((...values: Parameters<typeof end>) => {
        void wait().then(() => end(...values));
        return response;
      }) as typeof response.end;
      answer(request, response);
    }
  });
  return state;
}

/** A browser with its cookies. */
class Browser {
  readonly #cookies = new Map<string, string>();

  /** Resolves with what an address answers; no redirect is followed. */
  async open(address: string, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form !== undefined && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

/** Follows the redirects of a browser up to the address that is not the provider's. @returns it, not yet opened */
export async function browse(start: string): Promise<string> {
  const { origin } = new URL(start);
  const browser = new Browser();
  let address = start;
  for (let steps = 0; steps < 12; steps += 1) {
    const response = await browser.open(address);
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`${address}: ${response.status} ${await response.text()}`);
    address = new URL(location, address).href;
    if (new URL(address).origin !== origin) return address;
  }
  throw new Error('Too many redirects.');
}

/** Enters the code that a device shows, signs in, and says yes. */
export async function enterCode(verificationUri: string, userCode: string): Promise<void> {
  const browser = new Browser();
  let address = verificationUri;
  let response = await browser.open(address);
  for (let steps = 0; steps < 12; steps += 1) {
    const location = response.headers.get('location');
    if (location !== null) {
      address = new URL(location, address).href;
      response = await browser.open(address);
      continue;
    }
    const page = await response.text();
    const token = /name="xsrf" value="([^"]*)"/.exec(page)?.[1];
    if (token === undefined) {
      if (response.ok) return;
      throw new Error(`${address}: ${response.status} ${page}`);
    }
    const isAsked = page.includes('name="confirm"');
    const form = { xsrf: token, user_code: userCode, ...(isAsked && { confirm: 'yes' }) };
    address = new URL('/device', address).href;
    response = await browser.open(address, new URLSearchParams(form));
  }
  throw new Error('Too many steps.');
}

/** The definition of an app of this provider. */
export function acme({ url }: TestProvider, more: Record<string, unknown> = {}, method = {}) {
  return {
    app: 'acme',
    name: 'Acme',
    methods: [
      {
        type: 'oauth2',
        grants: ['code', 'device', 'client_credentials'],
        issuer: url,
        issuer_required: true,
        authorization_url: `${url}/auth`,
        token_url: `${url}/token`,
        device_url: `${url}/device/auth`,
        revocation_url: `${url}/token/revocation`,
        scopes: ['openid', 'offline_access', 'email'],
        identity: { url: `${url}/me`, id: '/sub', label: '/email' },
        ...method,
      },
    ],
    check: { url: `${url}/me` },
    ...more,
  };
}
