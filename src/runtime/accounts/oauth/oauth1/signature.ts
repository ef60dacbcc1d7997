/** Signatures of requests (RFC 5849) and the header that carries them (pure). */
import { createHmac } from 'node:crypto';

export type SignatureMethod = 'HMAC-SHA1' | 'HMAC-SHA256';

/** A token or a client: its name, and the secret that only signs. */
export interface SigningKey {
  readonly key: string;
  readonly secret: string;
}

export interface SignedRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** Fields of a form-encoded body; what else a body holds is not signed. */
  readonly data?: Readonly<Record<string, unknown>> | string | undefined;
}

export interface Signing {
  readonly client: SigningKey;
  /** Absent before there is a token. */
  readonly token?: SigningKey | undefined;
  readonly method: SignatureMethod;
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Such as `oauth_callback`. */
  readonly more?: Readonly<Record<string, string>> | undefined;
}

type Pair = readonly [name: string, value: string];

/** The value of `Authorization`. */
export function authorizationHeader(request: SignedRequest, signing: Signing): string {
  const { client, token, method, nonce, timestamp, more } = signing;
  const own: Pair[] = Object.entries({
    oauth_consumer_key: client.key,
    oauth_nonce: nonce,
    oauth_signature_method: method,
    oauth_timestamp: String(timestamp),
    ...(token !== undefined && { oauth_token: token.key }),
    oauth_version: '1.0',
    ...more,
  });
  const key = `${encoded(client.secret)}&${encoded(token?.secret ?? '')}`;
  const hash = method === 'HMAC-SHA1' ? 'sha1' : 'sha256';
  const signature = createHmac(hash, key).update(baseString(request, own)).digest('base64');
  const all: Pair[] = [...own, ['oauth_signature', signature]];
  const written = all.map(([name, value]) => `${encoded(name)}="${encoded(value)}"`).sort();
  return `OAuth ${written.join(', ')}`;
}

function baseString({ method, url, data }: SignedRequest, own: readonly Pair[]): string {
  const { origin, pathname, searchParams } = new URL(url);
  const parameters = [...own, ...searchParams, ...formFields(data)]
    .map(([name, value]): Pair => [encoded(name), encoded(value)])
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return [method.toUpperCase(), `${origin}${pathname}`, parameters].map(encoded).join('&');
}

function formFields(data: SignedRequest['data']): Pair[] {
  if (typeof data === 'string') return [...new URLSearchParams(data)];
  return Object.entries(data ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): Pair => [name, String(one ?? '')]),
  );
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** By code, as all signs are ASCII by then. */
function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
