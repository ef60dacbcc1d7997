/**
 * HTTP interfaces: a request to `/h/<hi_id>` and everything below it becomes an invocation
 * (P7). The hot path of Weir: bare node:http, the body stays bytes.
 *
 * route → flags → body → trigger → accept → answer
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ContentDecoder,
  contentDecoder,
  isTooLong,
} from '../../../../protocol/content-encoding.ts';
import { mostHops } from '../../../../protocol/hops.ts';
import { EndOfTurn } from '../../../base/end-of-turn.ts';
import type { HttpTrigger } from '../../../../protocol/host.ts';
import type { Refuse } from '../../../server/lingering.ts';
import { readBody } from '../../../server/read-body.ts';
import type { VisitorOf } from '../../../server/visitor.ts';
import { type AcceptOptions, acceptTrigger } from './accept.ts';
import { flagsOf, noFlags } from './request-flags.ts';
import {
  refuseNotUploaded,
  refuseTooLarge,
  refuseUploadTooLarge,
  sendLoopDetected,
  sendNotDecoded,
  sendNotFound,
  sendPreflight,
  sendTooLargeDecoded,
  sendTooOften,
  sendUnauthorized,
} from './responses.ts';
import { type Endpoint, parseTarget } from './route.ts';
import { type BodyFacts, httpTrigger } from './trigger.ts';

export interface HttpTriggerOptions extends AcceptOptions {
  /** By `hi_…`; undefined when unknown or the source is switched off. */
  readonly endpoint: (id: string) => Endpoint | undefined;
  /**
   * Stores a body as a file. Resolves with its URL, undefined when it is larger than `uploadLimit`;
   * rejects when it was cut off or cannot be stored.
   */
  readonly upload: (request: IncomingMessage) => Promise<string | undefined>;
  /** Told of a delivery that was refused because it is one of a ring (P19.16). */
  readonly loopDetected: (emitterId: string) => void;
  /** Told of a request that was refused because its body is too large (P25.5). */
  readonly tooLarge: (emitterId: string, trigger: HttpTrigger) => void;
  /** 0: go on; else in so many ms there is room again for this endpoint. */
  readonly limit?: (request: IncomingMessage, id: string) => number;
  /** Who asks; undefined: as the headers say, which only a tunnel on this machine can have written. */
  readonly visitorOf?: VisitorOf | undefined;
  /** In bytes. */
  readonly bodyLimit: number;
  /** Of a body that the caller asks to upload, in bytes. */
  readonly uploadLimit: number;
}

export type EndpointHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
) => void;

const noBody = new Uint8Array(0);

export function createEndpointHandler(options: HttpTriggerOptions): EndpointHandler {
  const endOfTurn = new EndOfTurn();
  return (request, response, refuse) => {
    const route = parseTarget(request.url ?? '/');
    const endpoint = options.endpoint(route.id);
    if (endpoint === undefined) {
      discardBody(request);
      sendNotFound(response);
      return;
    }
    if (request.method === 'OPTIONS') {
      discardBody(request);
      sendPreflight(response);
      return;
    }
    if (endpoint.token !== undefined && !hasToken(request, endpoint.token)) {
      discardBody(request);
      sendUnauthorized(response);
      return;
    }
    const wait = options.limit?.(request, route.id) ?? 0;
    if (wait > 0) {
      discardBody(request);
      sendTooOften(response, wait);
      return;
    }
    // What an app has signed is its body: nobody asks for something else beside it.
    const flags = endpoint.receive === undefined ? flagsOf(request.headers, route.query) : noFlags;
    if (flags.hops !== undefined && flags.hops > mostHops) {
      discardBody(request);
      sendLoopDetected(response);
      options.loopDetected(endpoint.emitterId);
      return;
    }
    const accept = (body: Uint8Array, facts?: BodyFacts): void => {
      const trigger = httpTrigger(
        request,
        route,
        endpoint,
        flags,
        body,
        facts,
        options.visitorOf?.(request),
      );
      if (endpoint.receive === undefined)
        acceptTrigger(options, endpoint, route.id, flags, trigger, response);
      else endpoint.receive(trigger, response);
    };
    if (flags.uploadBody) {
      options.upload(request).then(
        (url) => {
          if (url === undefined) refuseUploadTooLarge(response, refuse, options.uploadLimit);
          else accept(noBody, { rawBodyUrl: url });
        },
        () => refuseNotUploaded(response, refuse),
      );
      return;
    }
    readBody(request, options.bodyLimit, (body) => {
      // The caller is gone and waits for no answer.
      if (body === 'cut off') return;
      if (body === 'too large') {
        refuseTooLarge(response, refuse, options.bodyLimit);
        const { emitterId } = endpoint;
        options.tooLarge(
          emitterId,
          httpTrigger(
            request,
            route,
            endpoint,
            flags,
            noBody,
            undefined,
            options.visitorOf?.(request),
          ),
        );
        return;
      }
      const decode = decoderFor(request, body);
      if (decode === undefined) {
        endOfTurn.add(() => accept(body));
        return;
      }
      // Off the loop; the component's process decodes it once more, and the store has what was received.
      decode(body, options.bodyLimit).then(
        ({ length }) => accept(body, { decodedBytes: length }),
        (error: unknown) => {
          if (isTooLong(error)) sendTooLargeDecoded(response, options.bodyLimit);
          else sendNotDecoded(response);
        },
      );
    });
  };
}

/** Undefined for almost every body: one that has no content-encoding, or one that is left as it is (P7.45). */
function decoderFor(request: IncomingMessage, body: Uint8Array): ContentDecoder | undefined {
  const encoding = request.headers['content-encoding'];
  return encoding === undefined || body.length === 0 ? undefined : contentDecoder(encoding);
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A body that nobody reads still has to leave the socket. */
function discardBody(request: IncomingMessage): void {
  request.on('error', () => undefined);
  request.resume();
}
