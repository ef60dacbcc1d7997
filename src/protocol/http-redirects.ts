/** Redirects of requests that are sent for somebody else: what follows to where, as a rule (pure but for `followRedirects`). */

export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const mostRedirects = 10;
const redirectStatuses = [301, 302, 303, 307, 308];
/** Whatever else a header says may be a credential: services name theirs as they like. */
const harmless = /^(?:accept(?:-.*)?|content-type|content-language|content-encoding|user-agent)$/;

/**
 * Refuses an address that a request may not go to, the first one or one that a redirect names (P13.16).
 * @throws Error for one that is not HTTP, or has a password in it
 */
export function requireHttpAddress(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`Requests go to http:// and https:// only, not to ${url.protocol}//.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(`The address at ${url.host} has a user or password in it; use a header.`);
  }
  return url;
}

/**
 * The request that an answer asks for instead; undefined for an answer that is no redirect (P13.16).
 * @throws Error where it may not go
 */
export function redirectedRequest(
  request: PlainRequest,
  status: number,
  location: string | null,
): PlainRequest | undefined {
  if (location === null || !redirectStatuses.includes(status)) return undefined;
  if (!URL.canParse(location, request.url)) {
    throw new Error(`The answer ${status} redirects to "${location}", which is not an address.`);
  }
  const next = requireHttpAddress(new URL(location, request.url).href);
  const { method } = request;
  const isGet = (status === 303 && method !== 'HEAD') || (status <= 302 && method === 'POST');
  const keeps = isSameHost(new URL(request.url), next);
  const headers = Object.entries(request.headers).filter(
    ([name]) => (keeps || harmless.test(name)) && !(isGet && name.startsWith('content-')),
  );
  return {
    method: isGet ? 'GET' : method,
    url: next.href,
    headers: Object.fromEntries(headers.filter(([name]) => name !== 'host')),
    body: isGet ? undefined : request.body,
  };
}

/** A host that moves from HTTP to HTTPS stays the same; the other way everybody could read along. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === '';
}

/**
 * Sends a request and follows its redirects, ten at most; credentials go to the first host only (P13.16).
 * @param send one request, whose redirect it does not follow
 * @throws Error where a redirect may not go, and what `send` throws
 */
export async function followRedirects(
  first: PlainRequest,
  send: (request: PlainRequest) => Promise<Response>,
): Promise<Response> {
  requireHttpAddress(first.url);
  let request = first;
  for (let count = 0; ; count += 1) {
    const response = await send(request);
    const { status, headers } = response;
    const next = redirectedRequest(request, status, headers.get('location'));
    if (next === undefined) return response;
    await response.body?.cancel();
    if (count === mostRedirects)
      throw new Error(`It was redirected more than ${mostRedirects} times.`);
    request = next;
  }
}
