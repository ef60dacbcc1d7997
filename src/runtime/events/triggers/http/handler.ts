/**
 * HTTP interfaces: a request to `/h/<hi_id>` and everything below it becomes an invocation
 * (P7). The hot path of Weir: bare node:http, the body stays bytes.
 *
 * route → flags → body → trigger → accept → answer
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mostHops } from '../../../../protocol/hops.ts';
import { EndOfTurn } from '../../../base/end-of-turn.ts';
import type { HttpTrigger } from '../../../../protocol/host.ts';
import type { Refuse } from '../../../server/lingering.ts';
import { bearerToken } from '../../../server/policy.ts';
import type { VisitorOf } from '../../../server/visitor.ts';
import { type AcceptOptions, acceptTrigger } from './accept.ts';
import { flagsOf, noFlags } from './request-flags.ts';
import {
  sendLoopDetected,
  sendNotFound,
  sendPreflight,
  sendTooOften,
  sendUnauthorized,
} from './responses.ts';
import { type BodyOptions, receiveBody } from './receive.ts';
import { type Endpoint, parseTarget } from './route.ts';
import { type BodyFacts, httpTrigger } from './trigger.ts';

export interface HttpTriggerOptions extends AcceptOptions, BodyOptions {
  /** By `hi_…`; undefined when unknown or the source is switched off. */
  readonly endpoint: (id: string) => Endpoint | undefined;
  /** Called with a delivery that was refused because it is part of a ring (P19.16). */
  readonly loopDetected: (emitterId: string) => void;
  /** Called with a request that was refused because its body is too large (P25.5). */
  readonly tooLarge: (emitterId: string, trigger: HttpTrigger) => void;
  /** 0: continue; otherwise after how many ms there is room again for this endpoint. */
  readonly limit?: (request: IncomingMessage, id: string) => number;
  /** Determines the caller; undefined: as the headers say, which only a tunnel on this machine can have written. */
  readonly visitorOf?: VisitorOf | undefined;
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
      sendPreflight(response, request);
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
    // An app signs only its body, so headers cannot ask for anything else.
    const flags = endpoint.receive === undefined ? flagsOf(request.headers, route.query) : noFlags;
    if (flags.hops !== undefined && flags.hops > mostHops) {
      discardBody(request);
      sendLoopDetected(response);
      options.loopDetected(endpoint.emitterId);
      return;
    }
    const triggerOf = (body: Uint8Array, facts: BodyFacts | undefined): HttpTrigger => {
      const visitor = options.visitorOf?.(request);
      const trigger = httpTrigger(request, route, endpoint, flags, body, facts, visitor);
      if (endpoint.token === undefined) return trigger;
      // The token is no longer needed, and people who see the request must not be able to call the endpoint with it
      // (P25.113).
      const { authorization: _, ...headers } = trigger.headers;
      return { ...trigger, headers };
    };
    const accept = (body: Uint8Array, facts?: BodyFacts): void => {
      const trigger = triggerOf(body, facts);
      if (endpoint.receive === undefined)
        acceptTrigger(options, endpoint, route.id, flags, trigger, response);
      else endpoint.receive(trigger, response);
    };
    receiveBody(options, flags, request, response, refuse, {
      // A request that was decoded has waited already.
      accept: (body, facts) =>
        facts === undefined ? endOfTurn.add(() => accept(body)) : accept(body, facts),
      tooLarge: () => options.tooLarge(endpoint.emitterId, triggerOf(noBody, undefined)),
    });
  };
}

/** The name of a scheme has no case (RFC 9110 §11.1). */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(bearerToken(headers.authorization) ?? '');
  const wanted = Buffer.from(token.trim());
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A body that nobody reads still has to leave the socket. */
function discardBody(request: IncomingMessage): void {
  request.on('error', () => undefined);
  request.resume();
}
