/**
 * Who may use the runtime (architecture.md, "Safety"): pure rules over the headers of one request.
 *
 * A web page can make a browser send requests to 127.0.0.1, also under a name of its own that resolves to it (DNS
 * rebinding). The `Host` and `Origin` that a browser writes itself reveal this.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { WeirError } from '../../protocol/errors.ts';
import { type Caller, localCaller } from './access/caller.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

/** True for an `http(s)` origin on this machine; `null` and foreign schemes are not. */
export function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/([^/]+)$/i.exec(origin);
  return match !== null && isLoopbackHost(match[1]);
}

/** Under which names the runtime is asked from elsewhere. */
export interface Names {
  /** Hosts of `--public-url` and `--allow-host`: in lower case, without a port. */
  readonly hosts: ReadonlySet<string>;
}

export const noNames: Names = { hosts: new Set() };

/** Host of a `Host` header, or of an origin, in lower case and without its port. */
export function bareHost(host: string): string {
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

/**
 * An address is no name that a page could have made point here: the one that the caller has reached is good.
 * @param localAddress of the connection
 */
function isOurHost(host: string | undefined, names: Names, localAddress: string): boolean {
  if (host === undefined) return false;
  if (isLoopbackHost(host)) return true;
  const bare = bareHost(host);
  return names.hosts.has(bare) || bare.replace(/^\[(.*)\]$/, '$1') === localAddress;
}

/** The check for everything but the endpoints. Undefined if the request may pass. */
export function refuseForeign(
  headers: IncomingHttpHeaders,
  names: Names,
  localAddress: string,
): WeirError | undefined {
  if (!isOurHost(headers.host, names, localAddress)) {
    const host = headers.host ?? '';
    return new WeirError(
      'foreign_host',
      names === noNames
        ? `The Host "${host}" is not this machine; use http://127.0.0.1 and the runtime's port.`
        : `The Host "${host}" is not known here; "weir serve" takes the names under which it is asked as --public-url and --allow-host.`,
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

export interface KeyCheckOptions {
  /** The key of `runtime.json`. */
  readonly apiKey: string;
  /** Whose named key it is. */
  readonly callerOf: (key: string) => Caller | undefined;
}

/** The caller with this key, or why the request is refused. */
export type KeyCheck = (authorization: string | undefined, isLocal: boolean) => Caller | WeirError;

/** The token of `Authorization: Bearer …`, with the scheme in upper or lower case; undefined if there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^\s*Bearer[ \t]+(\S.*?)\s*$/i.exec(authorization ?? '')?.[1];
}

/** The bearer key of REST, RPC and SSE. A wrong key takes the same time whatever is wrong with it. */
export function createKeyCheck({ apiKey, callerOf }: KeyCheckOptions): KeyCheck {
  const expected = digest(apiKey);
  return (authorization, isLocal) => {
    const how = isLocal
      ? 'send "Authorization: Bearer <apiKey>" with the apiKey of runtime.json'
      : 'send "Authorization: Bearer <key>" with a key that "weir keys add" has made on the server';
    const given = bearerToken(authorization);
    if (given === undefined) return new WeirError('unauthorized', `An API key is needed: ${how}.`);
    const named = callerOf(given);
    if (timingSafeEqual(digest(given), expected)) {
      if (isLocal) return localCaller;
      return new WeirError(
        'forbidden',
        'The key of runtime.json is good on the machine of the runtime only: make one for this caller there with "weir keys add NAME --scope read", "deploy" or "admin".',
      );
    }
    return named ?? new WeirError('unauthorized', `The API key is wrong: ${how}.`);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The address for `listen`, and whether others than this machine reach it. @throws `bad_input` */
export function listenAddress(host: string): {
  readonly address: string;
  readonly isLoopback: boolean;
} {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (address === 'localhost') return { address, isLoopback: true };
  if (isIP(address) === 0) {
    throw new WeirError(
      'bad_input',
      `"${host}" is not an address to listen on; --host takes an IP address of this machine, or 0.0.0.0 for all of them. A name goes into --public-url or --allow-host.`,
    );
  }
  return { address, isLoopback: isLoopbackAddress(address) };
}
