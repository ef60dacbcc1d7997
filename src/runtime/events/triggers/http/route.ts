/** Which endpoint a request is for, from its target. */
import type { ServerResponse } from 'node:http';
import type { HostResponse, HttpTrigger } from '../../../../protocol/host.ts';
import { endpointPrefix } from '../../../server/incoming-request.ts';

export interface Endpoint {
  /** The source or workflow that its requests are for; empty where an app's requests are for several sources. */
  readonly emitterId: string;
  /** Name of the interface prop. */
  readonly prop: string;
  /** The component answers itself, by `respond()`; a workflow by `$.respond()`. */
  readonly customResponse: boolean;
  /** A run that does not respond is a success to the caller, and no mistake of it. */
  readonly successUnanswered?: boolean;
  /** The answer for every caller, instead of the page that says that the event was received. */
  readonly given?: HostResponse;
  /** The bearer token that callers must send. */
  readonly token?: string;
  /** Decides by itself what becomes of a request, and answers it: that of an app whose events come here (P8.21). */
  readonly receive?: (request: HttpTrigger, response: ServerResponse) => void;
}

export interface Route {
  /** `hi_…` */
  readonly id: string;
  /** Path after the id; begins with a slash. */
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

/** Splits `/h/<id>/path?query`. */
export function parseTarget(target: string): Route {
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
