/** Requests of `fetch`, and of every undici, as Node tells of them. */
import { subscribe } from 'node:diagnostics_channel';
import type { HttpHeader } from '../../../protocol/outgoing-request.ts';
import { headerPairs } from './header-pairs.ts';
import type { RequestRecord, RequestStart } from './request-record.ts';

interface UndiciRequest {
  readonly origin?: string | URL;
  readonly path: string;
  readonly method: string;
  /** The header of that name, where one was given. */
  readonly host?: string | null;
  /** A flat list; a text with a line for each in undici 5. */
  readonly headers: unknown;
}

interface Message {
  readonly request: UndiciRequest;
  readonly chunk?: unknown;
  readonly error?: unknown;
  readonly response?: {
    readonly statusCode: number;
    readonly statusText: string;
    readonly headers: unknown;
  };
}

/**
 * Nothing of `fetch` is replaced. The bodies of answers are told since Node 24: before, an answer that has one is marked as
 * cut.
 * @param begin starts the record of a request; undefined of one that belongs to no run
 */
export function watchFetch(begin: (start: RequestStart) => RequestRecord | undefined): void {
  const records = new WeakMap<object, RequestRecord>();
  /** Answers with a body of which nothing has been recorded yet. */
  const unseen = new WeakSet<RequestRecord>();
  const on = (event: string, tell: (record: RequestRecord, message: Message) => void): void => {
    subscribe(`undici:request:${event}`, (given) => {
      const message = given as Message;
      const record = records.get(message.request);
      if (record !== undefined) tell(record, message);
    });
  };
  subscribe('undici:request:create', (given) => {
    const { request } = given as Message;
    const record = begin({ method: request.method, url: urlOf(request) });
    if (record !== undefined) records.set(request, record);
  });
  on('bodyChunkSent', (record, { chunk }) => record.sent.add(chunk));
  on('headers', (record, { request, response }) => {
    record.headers = sentHeaders(request.headers);
    if (response === undefined) return;
    const { statusCode, statusText, headers } = response;
    const answered = headerPairs(headers);
    record.answered(statusCode, statusText, answered);
    if (hasBody(request.method, statusCode, answered)) unseen.add(record);
  });
  on('bodyChunkReceived', (record, { chunk }) => {
    unseen.delete(record);
    record.received(chunk);
  });
  on('trailers', (record) => {
    if (unseen.delete(record)) record.unseen();
    record.ended();
  });
  on('error', (record, { error }) => record.ended(messageOf(error)));
}

/** Whether an answer says that it has a body; one in chunks may have none in the end. */
function hasBody(method: string, status: number, headers: readonly HttpHeader[]): boolean {
  if (method === 'HEAD' || status === 204 || status === 304) return false;
  const lengths = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  return lengths.length === 0 ? !tellsOfBodies : lengths.every(([, value]) => value !== '0');
}

const tellsOfBodies = Number(process.versions.node.split('.')[0]) >= 24;

/** A host that was given as a header is the one that was meant: the address may be a proxy's, and so may the protocol. */
function urlOf({ origin, path, host, headers }: UndiciRequest): string {
  const given = String(origin ?? '');
  if (!URL.canParse(given)) return path;
  const url = new URL(given);
  const meant = host && host !== url.host ? forwardedProtocol(headers) : undefined;
  return `${meant ?? url.protocol}//${host ?? url.host}${path}`;
}

function forwardedProtocol(headers: unknown): string | undefined {
  const [, said] =
    sentHeaders(headers).find(([name]) => name.toLowerCase() === 'x-forwarded-proto') ?? [];
  return said === 'https' || said === 'http' ? `${said}:` : undefined;
}

function sentHeaders(headers: unknown): readonly HttpHeader[] {
  if (typeof headers !== 'string') return headerPairs(headers);
  return headers
    .split('\r\n')
    .map((line) => /^([^:]+):\s*(.*)$/.exec(line))
    .flatMap((found) => (found === null ? [] : [[found[1] ?? '', found[2] ?? ''] as const]));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
