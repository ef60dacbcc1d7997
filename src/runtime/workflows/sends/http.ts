import { namingOrigin } from '../../../protocol/fetch-dispatcher.ts';
import { followRedirects } from '../../../protocol/http-redirects.ts';
import { type FindTarget, targets } from '../../../protocol/redirect-targets.ts';
import { limitedText } from '../../base/limited-answer.ts';
import type { Sender } from './sends.ts';

const answerMs = 10_000;
/** How many characters of an answer are kept. */
const kept = 4096;

/**
 * `$.send.http`: without retries, and whatever it is answered it was sent (spec of the platform).
 * @param redirects `HOST=URL`: requests for a host go to a URL
 */
export function httpSender(redirects: Readonly<Record<string, string>>): Sender<'http'> {
  const find = targets(redirects);
  return async ({ method, url, headers, body }) => {
    const signal = AbortSignal.timeout(answerMs);
    const request = { method, url, headers, body: takesBody(method) ? body : undefined };
    const response = await followRedirects(request, (one) => {
      const { method: how, headers: given, body: what } = one;
      const { at, more } = placeOf(one.url, find);
      return fetch(at, {
        ...more,
        method: how,
        headers: given,
        ...(what !== undefined && { body: what }),
        redirect: 'manual',
        signal,
      });
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

function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** The destination, as for requests of a component: the path and query stay, and headers name the original host. */
function placeOf(
  url: string,
  find: FindTarget,
): { readonly at: string; readonly more: RequestInit } {
  const { protocol, host, hostname, port, pathname, search } = new URL(url);
  const target = find(hostname, port || (protocol === 'https:' ? 443 : 80));
  if (target === undefined) return { at: url, more: {} };
  return {
    at: target.origin + target.pathname.replace(/\/$/, '') + pathname + search,
    more: namingOrigin({ host, 'x-forwarded-proto': protocol.slice(0, -1) }),
  };
}
