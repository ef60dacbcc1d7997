/** A call of user code that is not an invocation (`options`, `additionalProps`, an action): asked and answered. */
import { WeirError } from '../../protocol/errors.ts';
import type { HostResponse, Work } from '../../protocol/host.ts';
import type { Host, ProcessExit } from './host.ts';
import { toExitError } from './process-exit.ts';
import { type Outcome, OutcomeRecorder } from './outcome.ts';

/** Above any invocation's number, which the store counts up from 1. */
let next = 2 ** 48;

/** How a call ended. When its process ended first, `loss` says why; the rest is what had arrived by then. */
export interface Called extends Outcome {
  readonly loss?: ProcessExit;
}

/** Resolves when the call is over, however it went. @param signal aborting it ends the process */
export function callHost(
  host: Host,
  work: Work,
  signal?: AbortSignal,
  respond?: (response: HostResponse) => void,
): Promise<Called> {
  return new Promise((resolve) => {
    next += 1;
    const cancel = (): void => host.kill('was cancelled');
    const end = (called: Called): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(called);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    host.work(
      next,
      work,
      new OutcomeRecorder({
        respond: (response) => respond?.(response),
        done: end,
        lost: (loss, outcome) => end({ ...outcome, error: toExitError(loss), loss }),
      }),
    );
    if (signal?.aborted === true) cancel();
  });
}

/** Resolves with what the call returned, threw and logged; rejects with 422 when its process ended. */
export async function askHost(host: Host, work: Work, signal?: AbortSignal): Promise<Outcome> {
  const called = await callHost(host, work, signal);
  if (called.loss === undefined) return called;
  if (signal?.aborted === true) throw new WeirError('cancelled', 'Cancelled.');
  throw new WeirError('component_failed', `The component ${called.loss.message}.`);
}
