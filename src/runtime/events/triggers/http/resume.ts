/** Requests to `/h/resume_<token>/resume` and `…/cancel`: they end the pause of a step (P25.41, P25.42, P25.47). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WeirError } from '../../../../protocol/errors.ts';
import type { HttpTrigger } from '../../../../protocol/host.ts';
import type { Refuse } from '../../../server/lingering.ts';
import type { HitOutcome } from '../../../store/history/executions.ts';
import { flagsOf } from './request-flags.ts';
import { type BodyOptions, receiveBody } from './receive.ts';
import { send, sendInternal, sendPreflight } from './responses.ts';
import { parseTarget } from './route.ts';
import { type BodyFacts, httpTrigger } from './trigger.ts';
import type { VisitorOf } from '../../../server/visitor.ts';
import type { BaseServices } from '../../../base/services.ts';

export const resumePrefix = 'resume_';

export interface ResumeOptions extends BodyOptions, Pick<BaseServices, 'report'> {
  /** Resolves when it is on disk. */
  readonly hit: (
    token: string,
    action: 'resume' | 'cancel',
    trigger: HttpTrigger,
  ) => Promise<HitOutcome>;
  /** See `HttpTriggerOptions`. */
  readonly visitorOf?: VisitorOf | undefined;
}

const textType = { 'content-type': 'text/plain; charset=utf-8' };

export function createResumeHandler(options: ResumeOptions) {
  return (request: IncomingMessage, response: ServerResponse, refuse: Refuse): void => {
    const route = parseTarget(request.url ?? '/');
    const action = route.path === '/resume' ? 'resume' : 'cancel';
    // Mail scanners follow links with HEAD, and browsers send preflight requests: neither is a decision (P25.47).
    if (request.method === 'OPTIONS') {
      request.resume();
      sendPreflight(response, request);
      return;
    }
    if (request.method === 'HEAD') {
      request.resume();
      send(response, 200, { ...textType, allow: 'GET, POST, PUT, PATCH, DELETE' }, '');
      return;
    }
    if (route.path !== '/resume' && route.path !== '/cancel') {
      request.resume();
      send(response, 404, textType, 'There is nothing at this address.\n');
      return;
    }
    const flags = flagsOf(request.headers, route.query);
    const accept = (body: Uint8Array, facts?: BodyFacts): void => {
      const visitor = options.visitorOf?.(request);
      const trigger = httpTrigger(request, route, { prop: 'resume' }, flags, body, facts, visitor);
      options.hit(route.id.slice(resumePrefix.length), action, trigger).then(
        (outcome) => answer(response, action, outcome),
        (error: unknown) => {
          if (WeirError.is(error, 'runtime_unavailable') || WeirError.is(error, 'store_failed')) {
            send(response, 503, textType, `${error.message}\n`);
            return;
          }
          options.report('A pause could not be ended', error);
          sendInternal(response);
        },
      );
    };
    receiveBody(options, flags, request, response, refuse, { accept });
  };
}

function answer(response: ServerResponse, action: 'resume' | 'cancel', outcome: HitOutcome): void {
  if (outcome === 'unknown') {
    send(response, 404, textType, 'There is no execution at this address.\n');
  } else if (outcome === 'late') {
    send(response, 410, textType, 'This pause has ended already; nothing was done.\n');
  } else {
    const done = action === 'resume' ? 'resumed' : 'cancelled';
    send(response, 200, textType, `The execution was ${done}.\n`);
  }
}
