/** Requests of `node:http` and `node:https`, and so of every client built on them, as Node tells of them. */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { headerPairs } from './header-pairs.ts';
import type { RequestRecord, RequestStart } from './request-record.ts';

interface Message {
  readonly request: ClientRequest;
  readonly error?: unknown;
}

/**
 * Node 20 tells of a request when all of it is written: then what was sent is not kept.
 * @param begin starts the record of a request; undefined of one that belongs to no run
 */
export function watchHttp(begin: (start: RequestStart) => RequestRecord | undefined): void {
  const records = new WeakMap<ClientRequest, RequestRecord>();
  const watch = (given: unknown): void => {
    const { request } = given as Message;
    if (records.has(request)) return;
    const record = begin({ method: request.method, url: urlOf(request) });
    if (record === undefined) return;
    records.set(request, record);
    followSent(request, record);
    followAnswer(request, record);
  };
  subscribe('http.client.request.created', watch);
  subscribe('http.client.request.start', watch);
  subscribe('http.client.request.error', (given) => {
    const { request, error } = given as Message;
    records.get(request)?.ended(error instanceof Error ? error.message : String(error));
  });
}

function urlOf(request: ClientRequest): string {
  const host = String(request.getHeader('host') ?? request.host);
  // A request that was redirected names the host and protocol that were meant.
  const meant = isElsewhere(request, host) ? request.getHeader('x-forwarded-proto') : undefined;
  const protocol = meant === 'https' || meant === 'http' ? `${meant}:` : request.protocol;
  return `${protocol}//${host}${request.path}`;
}

function isElsewhere(request: ClientRequest, host: string): boolean {
  return host.replace(/:\d+$/, '') !== request.host;
}

type Write = (this: ClientRequest, chunk: unknown, ...rest: unknown[]) => unknown;

/** The last part of a body comes with `end`. */
function followSent(request: ClientRequest, record: RequestRecord): void {
  for (const name of ['write', 'end'] as const) {
    const original = request[name] as Write;
    const following: Write = function following(chunk, ...rest) {
      record.sent.add(chunk, rest[0]);
      return Reflect.apply(original, this, chunk === undefined ? rest : [chunk, ...rest]);
    };
    Object.defineProperty(request, name, { value: following, configurable: true, writable: true });
  }
}

function followAnswer(request: ClientRequest, record: RequestRecord): void {
  // Before those of the code, so that it is known whether there are any.
  request.prependOnceListener('response', (response: IncomingMessage) => {
    record.headers = sentHeaders(request);
    record.answered(
      response.statusCode ?? 0,
      response.statusMessage ?? '',
      headerPairs(response.rawHeaders),
    );
    const push = response.push.bind(response);
    response.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (chunk === null) record.ended();
      else record.received(chunk, encoding);
      return push(chunk, encoding);
    };
    response.once('close', () => {
      record.ended(response.complete ? undefined : 'The connection was closed within the answer.');
    });
    // Node reads an answer that nobody asked for to its end; with this listener it believes that somebody did.
    if (request.listenerCount('response') === 0) response.resume();
  });
}

function sentHeaders(request: ClientRequest): ReturnType<typeof headerPairs> {
  return headerPairs(
    request.getRawHeaderNames().flatMap((name) => [name, request.getHeader(name)]),
  );
}
