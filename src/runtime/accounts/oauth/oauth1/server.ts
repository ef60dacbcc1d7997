/** The requests to an OAuth 1.0a provider: the three legs of a connection, and signed requests. */
import { randomBytes } from 'node:crypto';
import { textUpTo } from '../../../base/limited-answer.ts';
import type { OAuth1Method } from '../../apps/schema.ts';
import { filledAddress } from '../fields.ts';
import { GrantFailed, grantFailed, withoutSecrets } from '../failure.ts';
import type { ClientKeys, Tokens } from '../server.ts';
import { authorizationHeader, type SignedRequest, type SigningKey } from './signature.ts';

const requestTimeoutMs = 30_000;

export class OAuth1Server {
  readonly #method: OAuth1Method;
  readonly #fields: Readonly<Record<string, string>>;
  readonly #client: SigningKey;

  /** @param fields what the user filled in, for the placeholders of the addresses */
  constructor(method: OAuth1Method, fields: Readonly<Record<string, string>>, keys: ClientKeys) {
    this.#method = method;
    this.#fields = fields;
    this.#client = { key: keys.clientId, secret: keys.clientSecret };
  }

  /** The first leg: a token that the person is asked about. @throws GrantFailed */
  async requestToken(callback: string): Promise<SigningKey> {
    const answer = await this.#ask(this.#method.request_token_url, undefined, {
      oauth_callback: callback,
    });
    return { key: answer.key, secret: answer.secret };
  }

  /** The second one: where the person is asked. */
  authorizationUrl(token: SigningKey): string {
    const url = new URL(this.#fill(this.#method.authorization_url));
    const all = { ...this.#method.authorization_params, oauth_token: token.key };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href.replaceAll('+', '%20');
  }

  /** The third leg, with the parameters of the browser's return. @throws GrantFailed */
  async accessToken(token: SigningKey, callback: URLSearchParams): Promise<Tokens> {
    const problem = callback.get('oauth_problem');
    const verifier = callback.get('oauth_verifier');
    if (verifier === null) {
      const isDenied = callback.has('denied') || problem === null || problem === 'user_refused';
      throw new GrantFailed(
        isDenied ? 'denied' : 'refused',
        `The provider refused: ${problem ?? 'denied'}.`,
      );
    }
    const answer = await this.#ask(this.#method.access_token_url, token, {
      oauth_verifier: verifier,
    });
    return {
      accessToken: answer.key,
      tokenSecret: answer.secret,
      refreshToken: undefined,
      expiresIn: undefined,
      scope: undefined,
      raw: answer.rest,
    };
  }

  /** The `Authorization` of one request. */
  sign(
    request: SignedRequest,
    token?: SigningKey,
    more?: Readonly<Record<string, string>>,
  ): string {
    return authorizationHeader(request, {
      client: this.#client,
      token,
      method: this.#method.signature_method,
      nonce: randomBytes(16).toString('hex'),
      timestamp: Math.floor(Date.now() / 1000),
      more,
    });
  }

  async #ask(address: string, token: SigningKey | undefined, more: Record<string, string>) {
    const url = this.#fill(address);
    const { host } = new URL(url);
    const secrets = [this.#client.secret, token?.secret ?? '', ...Object.values(more)];
    let status: number | undefined;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: this.sign({ method: 'POST', url }, token, more) },
        redirect: 'error',
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      ({ status } = response);
      const text = await textUpTo(response, 1024 * 1024);
      const body = Object.fromEntries(new URLSearchParams(text.trim()));
      const { oauth_token: key, oauth_token_secret: secret, ...rest } = body;
      if (response.ok && key !== undefined && secret !== undefined) return { key, secret, rest };
      if (status >= 400 && status < 500 && status !== 429) {
        const said = withoutSecrets(body['oauth_problem'] ?? firstLine(text), secrets);
        throw new GrantFailed('refused', `${host} refused (${status}): ${said || 'no reason'}.`);
      }
      throw new Error('It is not an answer of OAuth 1.0.');
    } catch (error) {
      throw grantFailed(error, status, host, secrets);
    }
  }

  #fill(address: string): string {
    return filledAddress(address, this.#fields);
  }
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '')
    .slice(0, 100)
    .replaceAll(/<[^>]*>/g, '')
    .trim();
}
