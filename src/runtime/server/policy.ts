/**
 * Who may talk to the runtime (architecture.md, "Safety"): pure rules over the headers of one request.
 *
 * A web page can make a browser send requests to 127.0.0.1, also under a name of its own that
 * resolves there (DNS rebinding). The `Host` and `Origin` a browser writes itself give it away.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { WeirError } from '../../protocol/errors.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** True for localhost, 127.x.x.x and [::1], with any port or none. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && loopback.test(host.replace(/:\d{1,5}$/, ''));
}

/** True for an `http(s)` origin on this machine; `null` and foreign schemes are not. */
export function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/([^/]+)$/i.exec(origin);
  return match !== null && isLoopbackHost(match[1]);
}

/** What everything but the endpoints requires. Undefined when the request may pass. */
export function refuseForeign(headers: IncomingHttpHeaders): WeirError | undefined {
  if (!isLoopbackHost(headers.host)) {
    const host = headers.host ?? '';
    return new WeirError(
      'foreign_host',
      `The Host "${host}" is not this machine; use http://127.0.0.1 and the runtime's port.`,
    );
  }
  const { origin } = headers;
  if (origin !== undefined && !isLoopbackOrigin(origin)) {
    return new WeirError('foreign_host', `Requests from the web page ${origin} are refused.`);
  }
  return undefined;
}

/** The RPC socket is for programs: a browser always sends an `Origin`, so any is refused. */
export function refuseBrowser(headers: IncomingHttpHeaders): WeirError | undefined {
  if (headers.origin === undefined) return undefined;
  return new WeirError('foreign_host', 'The RPC socket is not open to web pages.');
}

/**
 * The bearer key of REST, RPC and SSE. Returns a check of the `Authorization` header that takes the same
 * time for any wrong key; its result is undefined when the request may pass.
 */
export function createKeyCheck(
  apiKey: string,
): (authorization: string | undefined) => WeirError | undefined {
  const expected = digest(apiKey);
  return (authorization) => {
    const given = /^Bearer +(.+)$/i.exec(authorization ?? '')?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined;
    const how = 'send "Authorization: Bearer <apiKey>" with the apiKey of runtime.json';
    return new WeirError(
      'unauthorized',
      given === undefined ? `An API key is needed: ${how}.` : `The API key is wrong: ${how}.`,
    );
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Only loopback addresses may be listened on; returns the address for `listen`. */
export function listenAddress(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost' || bare === '::1' || /^127(?:\.\d{1,3}){3}$/.test(bare)) return bare;
  throw new WeirError(
    'bad_input',
    `Weir listens on this machine only: "${host}" is not a loopback address. ` +
      'Leave --host out, and put a tunnel in front with --public-url for callers from elsewhere.',
  );
}
