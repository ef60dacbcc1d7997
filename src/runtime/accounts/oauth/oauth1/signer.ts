/**
 * Signs the requests of components for accounts of OAuth 1.0a, so that no component has the secret of a client: one
 * asks at `$auth.oauth_signer_uri`, an address that nobody guesses, with the token of its account.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WeirError } from '../../../../protocol/errors.ts';
import { readText } from '../../../server/read-body.ts';
import { signerPrefix } from '../../../server/incoming-request.ts';
import { isSafeAddress, type OAuth1Method } from '../../apps/schema.ts';
import { addressesOf } from '../../apps/read.ts';
import { filledAddress } from '../fields.ts';
import type { OAuth1Server } from './server.ts';
import type { SignedRequest, SigningKey } from './signature.ts';

const bodyLimit = 1024 * 1024;

/** The part of an account that the signer needs. */
export interface SigningAccount {
  readonly method: OAuth1Method;
  readonly fields: Readonly<Record<string, string>>;
  readonly server: OAuth1Server;
  readonly token: SigningKey;
}

export interface OAuth1SignerOptions {
  /** Address of this runtime on this machine, such as `http://127.0.0.1:8080`. */
  readonly url: () => string;
  /** Throws WeirError `not_found` for one that is gone or connects otherwise. */
  readonly account: (id: string) => SigningAccount;
}

export class OAuth1Signer {
  readonly #options: OAuth1SignerOptions;
  /** Addresses are good while this runtime runs. */
  readonly #secret = randomBytes(32);

  constructor(options: OAuth1SignerOptions) {
    this.#options = options;
  }

  /** `oauth_signer_uri` of an account. */
  uriOf(account: string): string {
    return `${this.#options.url()}${signerPrefix}${account}.${this.#proofOf(account)}`;
  }

  /** Answers with the value of `Authorization` as plain text. @throws WeirError */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST')
      throw new WeirError('method_not_allowed', 'Requests to be signed are sent with POST.');
    const account = this.#accountAt(request.url ?? '');
    const { wanted, token } = parse(await readText(request, bodyLimit));
    if (!isSame(token.key, account.token.key) || !isSame(token.secret, account.token.secret))
      throw new WeirError('forbidden', 'This is not the token of the account.');
    refuseForeign(account, wanted.url);
    const header = account.server.sign(wanted, account.token);
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
    response.end(header);
  }

  #accountAt(path: string): SigningAccount {
    const [id = '', proof = ''] = path.slice(signerPrefix.length).split('.');
    if (!isSame(proof, this.#proofOf(id)))
      throw new WeirError('not_found', 'There is no account at this address.');
    return this.#options.account(id);
  }

  #proofOf(account: string): string {
    return createHmac('sha256', this.#secret).update(account).digest('base64url');
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A caller that may sign may read, so only requests to the app itself are signed. */
function refuseForeign({ method, fields }: SigningAccount, url: string): void {
  const { host, hostname, protocol } = new URL(url);
  const own = [...addressesOf(method)].map((address) => new URL(filledAddress(address, fields)));
  const isOwn = own.some((address) => address.host === host && address.protocol === protocol);
  const isNamed = method.hosts.some((name) =>
    name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : name === host,
  );
  if (isOwn || (isNamed && isSafeAddress(url))) return;
  throw new WeirError(
    'forbidden',
    `Requests to ${protocol}//${host} are not signed: the definition of the app has no such host.`,
  );
}

function parse(text: string): { readonly wanted: SignedRequest; readonly token: SigningKey } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const { requestData, token } = record(body);
  const { method = 'GET', url, data } = record(requestData);
  const { key, secret } = record(token);
  const isForm = data === undefined || data === null || ['string', 'object'].includes(typeof data);
  if (
    typeof method === 'string' &&
    typeof url === 'string' &&
    URL.canParse(url) &&
    isForm &&
    typeof key === 'string' &&
    typeof secret === 'string'
  ) {
    return {
      wanted: { method, url, data: (data ?? undefined) as SignedRequest['data'] },
      token: { key, secret },
    };
  }
  throw new WeirError(
    'bad_input',
    'Send {"requestData": {"method", "url", "data"?}, "token": {"key", "secret"}} as JSON.',
  );
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
