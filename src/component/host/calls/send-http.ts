import { followRedirects } from '../../../protocol/http-redirects.ts';
import { warnIgnored, warnNoObject, warnUnknown } from '../output/ignored.ts';
import type { Invocation } from '../output/invocation.ts';
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

/** Warns of what `$.send.http` was given to no effect (P13.15). */
export function warnOfHttp(given: unknown, invocation: Pick<Invocation, 'warnOnce'>): void {
  const call = '$.send.http';
  warnUnknown(invocation, call, given, ['method', 'url', 'headers', 'params', 'auth', 'data']);
  if (!isDictionary(given)) return;
  for (const name of ['headers', 'params', 'auth'])
    warnNoObject(invocation, call, name, given[name]);
  const method = plainText(given['method'] ?? 'GET').toUpperCase();
  const { data } = given;
  if (data !== undefined && data !== null && (method === 'GET' || method === 'HEAD')) {
    warnIgnored(invocation, `${call}: a ${method} has no body, so that data does nothing.`);
  }
}

/** Sends once, waits 5 s for the response, and returns a line for the log (P13.10). Never rejects. */
export async function sendHttp(request: SendHttpRequest): Promise<string> {
  const { method, url, headers, body } = request;
  const what = `$.send.http: ${method} ${url}`;
  try {
    const signal = AbortSignal.timeout(5000);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const first = { method, url, headers, body: hasBody ? body : undefined };
    const response = await followRedirects(first, (one) =>
      fetch(one.url, {
        method: one.method,
        headers: one.headers,
        ...(one.body !== undefined && { body: one.body }),
        redirect: 'manual',
        signal,
      }),
    );
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
