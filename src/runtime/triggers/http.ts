/**
 * HTTP interfaces: a request to `/h/<hi_id>` and everything below it becomes an invocation
 * (P7). The hot path of Weir: bare node:http, the body stays bytes.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HostResponse, HttpTrigger } from '../../protocol/host.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Accepted, Listener } from '../invocations/invocations.ts';
import { EndOfTurn } from '../end-of-turn.ts';
import type { Refuse } from '../server/lingering.ts';
import { readBody } from '../server/read-body.ts';

export interface Endpoint {
  readonly sourceId: string;
  /** Name of the interface prop. */
  readonly prop: string;
  /** The component answers itself, by `respond()`. */
  readonly customResponse: boolean;
}

export interface HttpTriggerOptions {
  /** By `hi_…`; undefined when unknown or the source is switched off. */
  readonly endpoint: (id: string) => Endpoint | undefined;
  /** Throws `store_failed`, and `not_found` when the source was just deleted. */
  readonly accept: (sourceId: string, trigger: HttpTrigger, listener: Listener) => Accepted;
  /** Records a request without running anything. */
  readonly record: (sourceId: string, trigger: HttpTrigger) => Promise<void>;
  /** Puts a body, however large, where it can be fetched. Resolves with its URL; rejects when it was cut off. */
  readonly upload: (request: IncomingMessage) => Promise<string>;
  readonly bodyLimit: number;
  /** Told of an error that the caller only sees as a 500. */
  readonly report: (where: string, error: unknown) => void;
}

export type EndpointHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
) => void;

/** Where every endpoint's path begins. */
export const endpointPrefix = '/h/';

export function createEndpointHandler(options: HttpTriggerOptions): EndpointHandler {
  const endOfTurn = new EndOfTurn();
  return (request, response, refuse) => {
    const target = request.url ?? '/';
    const { id, path, query } = parseTarget(target);
    const endpoint = options.endpoint(id);
    if (endpoint === undefined) {
      drain(request);
      notFound(response);
      return;
    }
    if (request.method === 'OPTIONS') {
      drain(request);
      answer(response, 200, corsHeaders, '');
      return;
    }
    const escapes = escapesOf(request.headers, query);
    const take = (body: Uint8Array, rawBodyUrl?: string): void => {
      const trigger: HttpTrigger = {
        kind: 'http',
        prop: endpoint.prop,
        method: request.method ?? 'GET',
        url: `${protocolOf(request)}://${request.headers.host ?? ''}${target}`,
        path,
        query,
        headers: flatHeaders(request),
        clientIp: clientIp(request),
        body,
        ...(rawBodyUrl !== undefined && { rawBodyUrl }),
        ...(escapes.noStore && { noStore: true }),
      };
      try {
        if (escapes.noTrigger) recordThenAnswer(options, endpoint, trigger, response);
        else if (endpoint.customResponse) runThenAnswer(options, endpoint, trigger, response);
        else acceptThenAnswer(options, endpoint, trigger, response);
      } catch (error) {
        // The store said why when it failed.
        if (WeirError.is(error, 'store_failed')) notStored(response);
        // Deleted while its body came.
        else if (WeirError.is(error, 'not_found')) notFound(response);
        else {
          options.report(`${request.method} ${endpointPrefix}${id}`, error);
          answer(
            response,
            500,
            textType,
            'Something went wrong; the log of the runtime tells what.\n',
          );
        }
      }
    };
    if (escapes.upload) {
      // A caller that went away meanwhile waits for no answer.
      options.upload(request).then(
        (url) => take(noBody, url),
        () => refuse(response, 503, textType, 'The body could not be stored.\n'),
      );
      return;
    }
    readBody(request, options.bodyLimit, (body) => {
      if (body === 'cut off') return;
      if (body === 'too large') refuse(response, 413, textType, tooLarge(options.bodyLimit));
      else endOfTurn.add(() => take(body));
    });
  };
}

const noBody = new Uint8Array(0);

/** What a caller may ask for by a header or a query parameter (P7.16 to P7.20). */
interface Escapes {
  readonly upload: boolean;
  readonly noStore: boolean;
  readonly noTrigger: boolean;
}

const noEscapes: Escapes = { upload: false, noStore: false, noTrigger: false };

function escapesOf(headers: IncomingHttpHeaders, query: string): Escapes {
  const parameters = /x-pd-|pipedream_/.test(query) ? new URLSearchParams(query) : undefined;
  const asks = (name: string, parameter = name) =>
    headers[name] === '1' || parameters?.get(parameter) === '1';
  const upload = asks('x-pd-upload-body', 'pipedream_upload_body');
  const noStore = asks('x-pd-nostore');
  const noTrigger = asks('x-pd-notrigger');
  return upload || noStore || noTrigger ? { upload, noStore, noTrigger } : noEscapes;
}

function notFound(response: ServerResponse): void {
  answer(response, 404, textType, 'There is no active source at this address.\n');
}

function notStored(response: ServerResponse): void {
  answer(response, 503, textType, 'The event could not be stored.\n');
}

/** `x-pd-notrigger`: a sample to look at and to replay. */
function recordThenAnswer(
  options: HttpTriggerOptions,
  endpoint: Endpoint,
  trigger: HttpTrigger,
  response: ServerResponse,
): void {
  options.record(endpoint.sourceId, trigger).then(
    () => answer(response, 200, htmlType, successPage),
    () => notStored(response),
  );
}

function tooLarge(bodyLimit: number): string {
  const limit = `${Math.floor(bodyLimit / 1024)} KB`;
  return `The body is larger than ${limit}. Send the header "x-pd-upload-body: 1" to hand on its address instead.\n`;
}

/** The default: 200 as soon as the trigger is on disk, whatever becomes of the run. */
function acceptThenAnswer(
  options: HttpTriggerOptions,
  endpoint: Endpoint,
  trigger: HttpTrigger,
  response: ServerResponse,
): void {
  options.accept(endpoint.sourceId, trigger, {}).durable.then(
    () => answer(response, 200, htmlType, successPage),
    () => notStored(response),
  );
}

/** `customResponse`: what `respond()` says, or 400 when the run ended without it. */
function runThenAnswer(
  options: HttpTriggerOptions,
  endpoint: Endpoint,
  trigger: HttpTrigger,
  response: ServerResponse,
): void {
  let given: HostResponse | undefined;
  const accepted = options.accept(endpoint.sourceId, trigger, {
    respond: (said) => {
      given = said;
      accepted.durable.then(
        () => answer(response, said.status, said.headers, said.body),
        () => notStored(response),
      );
    },
    ended: () => {
      if (given === undefined)
        answer(response, 400, textType, 'No respond() was called by the source.\n');
    },
    failed: (error) => {
      // What it said goes out when its request is stored, or 503.
      if (given !== undefined) return;
      if (WeirError.is(error, 'not_found')) notFound(response);
      else notStored(response);
    },
  });
}

const successPage =
  '<p><b>Success!</b></p><p>The event was received. See it in Weir, in the Events view or with <code>weir events</code>.</p>\n';
const textType = { 'content-type': 'text/plain; charset=utf-8' };
const htmlType = { 'content-type': 'text/html; charset=utf-8' };
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
  'access-control-allow-headers': '*',
};

function answer(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  if (response.headersSent || response.destroyed) return;
  // An informational status cannot end a response; node would leave the caller waiting.
  response.writeHead(status < 200 ? 200 : status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Splits `/h/<id>/rest?query`. The path always begins with a slash. */
export function parseTarget(target: string): { id: string; path: string; query: string } {
  const mark = target.indexOf('?');
  const pathname = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);
  const slash = pathname.indexOf('/', endpointPrefix.length);
  const end = slash === -1 ? pathname.length : slash;
  return {
    id: pathname.slice(endpointPrefix.length, end),
    path: slash === -1 ? '/' : pathname.slice(slash),
    query,
  };
}

/** A body nobody reads still has to leave the socket. */
function drain(request: IncomingMessage): void {
  request.on('error', () => undefined);
  request.resume();
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

/** A tunnel names the caller in x-forwarded-for; without one it is the peer. */
function clientIp(request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  const first = (typeof forwarded === 'string' ? forwarded : forwarded?.[0])?.split(',')[0]?.trim();
  return first === undefined || first === '' ? (request.socket.remoteAddress ?? '') : first;
}
