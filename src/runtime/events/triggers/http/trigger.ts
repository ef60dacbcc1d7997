import type { IncomingMessage } from 'node:http';
import type { HttpTrigger } from '../../../../protocol/host.ts';
import { forwardedIn, isHost, plainAddress } from '../../../server/forwarded.ts';
import type { Visitor } from '../../../server/visitor.ts';
import type { RequestFlags } from './request-flags.ts';
import type { Endpoint, Route } from './route.ts';

/** Facts about a body besides its bytes. */
export type BodyFacts = Pick<HttpTrigger, 'rawBodyUrl' | 'decodedBytes'>;

/**
 * The trigger of a run by a request.
 * @param visitor the caller, if others than a tunnel on this machine may have written the headers about it (P26.4)
 */
export function httpTrigger(
  request: IncomingMessage,
  route: Route,
  endpoint: Pick<Endpoint, 'prop'>,
  flags: RequestFlags,
  body: Uint8Array,
  facts: BodyFacts | undefined,
  visitor: Pick<Visitor, 'address' | 'protocol' | 'host'> = tunnelled(request),
): HttpTrigger {
  return {
    kind: 'http',
    prop: endpoint.prop,
    method: request.method ?? 'GET',
    url: `${visitor.protocol}://${visitor.host ?? hostOf(request)}${request.url ?? '/'}`,
    path: route.path,
    query: route.query,
    headers: flatHeaders(request),
    clientIp: visitor.address,
    body,
    ...facts,
    ...(flags.noStore && { noStore: true }),
    ...(flags.hops !== undefined && { hops: flags.hops }),
  };
}

/** Only the first of these counts, as for Node: the request was read by it. */
const single: ReadonlySet<string> = new Set(['host', 'content-type', 'content-length']);

/** All values of a header (P7.6), also of those where Node keeps the first one only. */
function flatHeaders({ headers, rawHeaders }: IncomingMessage): Record<string, string> {
  const flat = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    const value = rawHeaders[i + 1] ?? '';
    const before = flat.get(name);
    if (before === undefined) flat.set(name, value);
    else if (!single.has(name)) flat.set(name, before + (name === 'cookie' ? '; ' : ', ') + value);
  }
  // An absolute target names another one (P7.44).
  if (headers.host !== undefined) flat.set('host', headers.host);
  return Object.fromEntries(flat);
}

/** HTTP/1.0 has no `Host`, and a broken one makes no URL: then it is the address that was reached (P7.54). */
function hostOf({ headers: { host }, socket }: IncomingMessage): string {
  if (host !== undefined && isHost(host)) return host;
  const address = plainAddress(socket.localAddress);
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
}

/** As the headers say: a tunnel names the caller there; without one it is the peer of the connection. */
function tunnelled({
  headers,
  socket,
}: IncomingMessage): Pick<Visitor, 'address' | 'protocol' | 'host'> {
  const forwarded = forwardedIn(headers);
  const at = forwarded.hops.findIndex(({ address }) => address !== undefined);
  const place = Math.max(0, at);
  const host = forwarded.host(place);
  return {
    address: forwarded.hops[at]?.address ?? plainAddress(socket.remoteAddress),
    protocol: forwarded.protocol(place) ?? 'http',
    ...(host !== undefined && { host }),
  };
}
