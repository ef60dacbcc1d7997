import type { IncomingMessage } from 'node:http';
import type { HttpTrigger } from '../../../../protocol/host.ts';
import type { Visitor } from '../../../server/visitor.ts';
import type { RequestFlags } from './request-flags.ts';
import type { Endpoint, Route } from './route.ts';

/** What is known of a body beside its bytes. */
export type BodyFacts = Pick<HttpTrigger, 'rawBodyUrl' | 'decodedBytes'>;

/**
 * What a run by a request gets.
 * @param visitor who asks, where others than a tunnel on this machine may have written the headers that say so (P26.4)
 */
export function httpTrigger(
  request: IncomingMessage,
  route: Route,
  endpoint: Endpoint,
  flags: RequestFlags,
  body: Uint8Array,
  facts: BodyFacts | undefined,
  visitor?: Pick<Visitor, 'address' | 'protocol'>,
): HttpTrigger {
  return {
    kind: 'http',
    prop: endpoint.prop,
    method: request.method ?? 'GET',
    url: `${visitor?.protocol ?? protocolOf(request)}://${request.headers.host ?? ''}${request.url ?? '/'}`,
    path: route.path,
    query: route.query,
    headers: flatHeaders(request),
    clientIp: visitor?.address ?? clientIp(request),
    body,
    ...facts,
    ...(flags.noStore && { noStore: true }),
    ...(flags.hops !== undefined && { hops: flags.hops }),
  };
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function protocolOf(request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-proto'];
  return forwarded === 'https' || forwarded === 'http' ? forwarded : 'http';
}

/** A tunnel names the caller in x-forwarded-for; without one it is the peer of the connection. */
function clientIp(request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  const first = (typeof forwarded === 'string' ? forwarded : forwarded?.[0])?.split(',')[0]?.trim();
  return first === undefined || first === '' ? (request.socket.remoteAddress ?? '') : first;
}
