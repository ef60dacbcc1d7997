/** What becomes of the runs that the end of a runtime cut off (pure). */
import type { ThrownError } from '../../protocol/host.ts';
import type { UnfinishedInvocation } from '../store/ownership.ts';
import { maxAttempts } from './loss.ts';

/** One emitter's unfinished invocations: oldest first within each list. */
export interface Recovery {
  /** Run again; with the number of the attempt. */
  readonly again: readonly (UnfinishedInvocation & { readonly attempt: number })[];
  /** Given up: they wait for a person. */
  readonly givenUp: readonly (UnfinishedInvocation & { readonly error: ThrownError })[];
}

/**
 * Runs again, three times at most, what was cut off. The store does not know which runs had begun, but
 * they begin in order: the oldest HTTP requests, as many as run side by side, and the oldest other
 * run. What cannot have begun has not spent an attempt. Hooks are never run again: whoever asked for
 * the deploy was not answered.
 *
 * @param unfinished of one emitter, oldest first
 * @param httpConcurrency how many HTTP requests run side by side
 */
export function planRecovery(
  unfinished: readonly UnfinishedInvocation[],
  httpConcurrency: number,
): Recovery {
  const again: (UnfinishedInvocation & { readonly attempt: number })[] = [];
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
    const hadBegun = trigger.kind === 'http' ? ++http <= httpConcurrency : ++serial === 1;
    if (hadBegun && record.attempt >= maxAttempts) {
      givenUp.push({ ...one, error: runtimeEnded(cutOffTooOften) });
    } else {
      again.push({ ...one, attempt: record.attempt + (hadBegun ? 1 : 0) });
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
