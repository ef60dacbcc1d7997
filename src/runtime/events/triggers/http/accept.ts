/** A trigger becomes an invocation, and its caller gets an answer. */
import type { ServerResponse } from 'node:http';
import { WeirError } from '../../../../protocol/errors.ts';
import type { HostResponse, HttpTrigger } from '../../../../protocol/host.ts';
import { type Intake, isRefusedForNow } from '../../intake.ts';
import type { WaitingCaller } from '../../waiting-caller.ts';
import { runId } from '../../../../protocol/ids.ts';
import { endpointPrefix } from '../../../server/incoming-request.ts';
import type { RequestFlags } from './request-flags.ts';
import {
  sendCancelled,
  sendGiven,
  sendInternal,
  sendNoRespond,
  sendNotFound,
  sendNotStored,
  sendRefused,
  sendStopping,
  sendSuccess,
  sendUnanswered,
} from './responses.ts';
import type { Endpoint } from './route.ts';
import type { BaseServices } from '../../../base/services.ts';

export interface AcceptOptions extends Pick<BaseServices, 'report'> {
  readonly intake: Intake;
}

/** @param id of the endpoint, for the log */
export function acceptTrigger(
  options: AcceptOptions,
  endpoint: Endpoint,
  id: string,
  flags: RequestFlags,
  trigger: HttpTrigger,
  response: ServerResponse,
): void {
  const report = (error: unknown) =>
    options.report(`${trigger.method} ${endpointPrefix}${id}`, error);
  try {
    if (flags.noTrigger) answerWhenRecorded(options, endpoint, trigger, response);
    else if (endpoint.customResponse) answerFromRun(options, endpoint, trigger, response, report);
    else answerWhenDurable(options, endpoint, trigger, response);
  } catch (error) {
    // The store has logged why it failed; a node that starts, or was just replaced, runs nothing.
    if (isRefusedForNow(error)) sendRefused(response);
    // The source was deleted while the body came.
    else if (WeirError.is(error, 'not_found')) sendNotFound(response);
    else {
      report(error);
      sendInternal(response);
    }
  }
}

/** The default: 200 as soon as the trigger is on disk, whatever becomes of the run. */
function answerWhenDurable(
  options: AcceptOptions,
  endpoint: Endpoint,
  trigger: HttpTrigger,
  response: ServerResponse,
): void {
  const { n, durable } = options.intake.accept(endpoint.emitterId, { cause: 'http', trigger });
  const run = runId(endpoint.emitterId, n);
  durable.then(
    () => {
      if (endpoint.given === undefined) sendSuccess(response, run);
      else sendGiven(response, run, endpoint.given);
    },
    () => sendNotStored(response),
  );
}

/** `x-pd-notrigger`: a sample to look at and to replay. */
function answerWhenRecorded(
  options: AcceptOptions,
  endpoint: Endpoint,
  trigger: HttpTrigger,
  response: ServerResponse,
): void {
  const { n, durable } = options.intake.record(endpoint.emitterId, { cause: 'http', trigger });
  durable.then(
    () => sendSuccess(response, runId(endpoint.emitterId, n)),
    () => sendNotStored(response),
  );
}

/** `customResponse`: what `respond()` is given, or 400 when the run ended without it. */
function answerFromRun(
  options: AcceptOptions,
  endpoint: Endpoint,
  trigger: HttpTrigger,
  response: ServerResponse,
  report: (error: unknown) => void,
): void {
  let given: HostResponse | undefined;
  const run = (): string => runId(endpoint.emitterId, accepted.n);
  /** May be called before `accept` has returned: a runtime that stops says so at once. It is kept when it is on disk. */
  const unansweredByRun = (): void => {
    Promise.resolve()
      .then(() => accepted.durable)
      .then(
        () => {
          if (endpoint.successUnanswered === true) sendSuccess(response, run());
          else sendStopping(response, run());
        },
        () => sendNotStored(response),
      );
  };
  const caller: WaitingCaller = {
    respond: (said) => {
      given = said;
      return accepted.durable
        .then(
          () => sendGiven(response, run(), said),
          () => sendNotStored(response),
        )
        .catch((error: unknown) => {
          // Its headers are valid one by one, but Node does not take them together.
          report(error);
          sendInternal(response);
        });
    },
    isGone: () => response.destroyed,
    unanswered: (why) => {
      if (why === 'stopping' || endpoint.successUnanswered === true) unansweredByRun();
      else sendUnanswered(response, run(), why);
    },
    ended: (status) => {
      if (given !== undefined) return;
      if (endpoint.successUnanswered === true) unansweredByRun();
      else if (status === 'cancelled') sendCancelled(response, run());
      else sendNoRespond(response, run());
    },
    failed: (error) => {
      // A response that was given goes out when its request is stored, or else a 503.
      if (given !== undefined) return;
      if (WeirError.is(error, 'not_found')) sendNotFound(response);
      else if (WeirError.is(error, 'runtime_unavailable')) unansweredByRun();
      else sendNotStored(response);
    },
  };
  const accepted = options.intake.accept(endpoint.emitterId, { cause: 'http', trigger, caller });
}
