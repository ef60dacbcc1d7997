import { type FindTarget, targets } from '../../../protocol/redirect-targets.ts';
import { limitedText } from '../../base/limited-answer.ts';
import type { Sender } from './sends.ts';

const answerMs = 10_000;
/** Of an answer so much is kept, in characters. */
const kept = 4096;

/**
 * `$.send.http`: without retries, and whatever it is answered it was sent (spec of the platform).
 * @param redirects `HOST=URL`: requests for a host go to a URL
 */
export function httpSender(redirects: Readonly<Record<string, string>>): Sender<'http'> {
  const find = targets(redirects);
  return async ({ method, url, headers, body }) => {
    const response = await fetch(redirected(url, find), {
      method,
      headers,
      ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
      signal: AbortSignal.timeout(answerMs),
    });
    // Four bytes are the most that a character has.
    const { text, isCut } = await limitedText(response, 4 * kept);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: isCut || text.length > kept ? `${text.slice(0, kept)}…` : text,
    };
  };
}

/** As those of a component: the path and query stay. */
function redirected(url: string, find: FindTarget): string {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const target = find(hostname, port || (protocol === 'https:' ? 443 : 80));
  if (target === undefined) return url;
  return target.origin + target.pathname.replace(/\/$/, '') + pathname + search;
}
