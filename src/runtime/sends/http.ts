import type { Sender } from './sends.ts';

const answerMs = 10_000;
/** Of an answer so much is kept, in characters. */
const kept = 4096;

/**
 * `$.send.http`: without retries, and whatever it is answered it was sent (spec of the platform).
 * @param redirects `HOST=URL`: requests for a host go to a URL
 */
export function httpSender(redirects: Readonly<Record<string, string>>): Sender<'http'> {
  return async ({ method, url, headers, body }) => {
    const response = await fetch(redirected(url, redirects), {
      method,
      headers,
      ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
      signal: AbortSignal.timeout(answerMs),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text.length > kept ? `${text.slice(0, kept)}…` : text,
    };
  };
}

function redirected(url: string, redirects: Readonly<Record<string, string>>): string {
  const from = new URL(url);
  const to = redirects[from.host] ?? redirects[from.hostname];
  if (to === undefined) return url;
  return new URL(from.pathname + from.search, to).href;
}
