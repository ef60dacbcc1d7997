import { isDictionary, plainText, type Dictionary } from '../values.ts';

/** The request that `$.send.http` was given, checked (P13.11). */
export interface SendHttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];

/** @throws TypeError that begins as the platform's type checker's does */
export function readSendHttp(given: unknown): SendHttpRequest {
  const config = isDictionary(given) ? given : {};
  const method = plainText(config['method'] ?? 'GET').toUpperCase();
  if (!methods.includes(method)) throw invalid(`method must be one of ${methods.join(', ')}`);
  const text = config['url'];
  if (typeof text !== 'string' || !URL.canParse(text)) throw invalid('url must be an absolute URL');
  const url = new URL(text);
  for (const [name, value] of entries(config['params'])) url.searchParams.append(name, value);
  const headers = Object.fromEntries(
    entries(config['headers']).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const auth = config['auth'];
  if (isDictionary(auth)) headers['authorization'] ??= basic(auth);
  const { data } = config;
  if (typeof data === 'object' && data !== null) headers['content-type'] ??= 'application/json';
  const body = data === undefined || data === null ? undefined : plainText(data);
  return { method, url: url.href, headers, body };
}

/** Sends once, waits 5 s for the response, and returns a line for the log (P13.10). Never rejects. */
export async function sendHttp(request: SendHttpRequest): Promise<string> {
  const { method, url, headers, body } = request;
  const what = `$.send.http: ${method} ${url}`;
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body }),
      signal: AbortSignal.timeout(5000),
    });
    await response.body?.cancel();
    return `${what} was answered with ${response.status}.`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${what} failed: ${cause instanceof Error ? cause.message : message}`;
  }
}

function entries(given: unknown): [string, string][] {
  if (!isDictionary(given)) return [];
  return Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, plainText(value)]);
}

function basic(auth: Dictionary): string {
  const pair = `${plainText(auth['username'] ?? '')}:${plainText(auth['password'] ?? '')}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function invalid(why: string): TypeError {
  return new TypeError(`$send.http: invalid value: ${why}.`);
}
