/** What becomes of the runs that the end of a runtime cut off (pure). */
import type { ThrownError } from '../../../protocol/host.ts';
import type { TakenEmitter, UnfinishedInvocation } from '../../store/ownership.ts';
import { maxAttempts } from './loss.ts';

/** One emitter's unfinished invocations: oldest first within each list. */
export interface Recovery {
  /** Run again. What had begun counts one more attempt when its turn comes. */
  readonly again: readonly (UnfinishedInvocation & { readonly hadBegun: boolean })[];
  /** Given up: they wait for a person. */
  readonly givenUp: readonly (UnfinishedInvocation & { readonly error: ThrownError })[];
}

/**
 * Runs again, three times at most, what was cut off. An owner that released its emitter has written down
 * which runs had begun. After a crash nobody knows; but runs begin in order, so it can only have been
 * the oldest HTTP requests, as many as run side by side, and the oldest other run. What has not begun
 * has spent no attempt. Hooks are never run again: whoever asked for the deploy was not answered.
 *
 * @param left of one emitter, oldest first
 * @param httpConcurrency how many HTTP requests run side by side
 */
export function planRecovery(
  { unfinished, released }: Pick<TakenEmitter, 'unfinished' | 'released'>,
  httpConcurrency: number,
): Recovery {
  const again: (UnfinishedInvocation & { readonly hadBegun: boolean })[] = [];
  const givenUp: (UnfinishedInvocation & { readonly error: ThrownError })[] = [];
  let http = 0;
  let serial = 0;
  for (const one of unfinished) {
    const { record, trigger } = one;
    if (record.hook !== null) {
      givenUp.push({ ...one, error: runtimeEnded(hookCutOff) });
      continue;
    }
    if (trigger === undefined) {
      givenUp.push({ ...one, error: { name: 'Lost', message: 'Its trigger is gone.' } });
      continue;
    }
    const mayHaveBegun = trigger.kind === 'http' ? ++http <= httpConcurrency : ++serial === 1;
    const hadBegun = released ? record.status === 'running' : mayHaveBegun;
    if (hadBegun && record.attempt >= maxAttempts) {
      givenUp.push({ ...one, error: runtimeEnded(cutOffTooOften) });
    } else {
      again.push({ ...one, hadBegun });
    }
  }
  return { again, givenUp };
}

const hookCutOff =
  'The runtime ended while this hook ran. Update the source to run its hooks again.';
const cutOffTooOften = `The runtime ended while this ran, ${maxAttempts} times. Replay it when the cause is found.`;

function runtimeEnded(message: string): ThrownError {
  return { name: 'RuntimeEnded', message };
}
