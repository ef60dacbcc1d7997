/** Decides about the runs that the end of a runtime interrupted (pure). */
import type { ThrownError } from '../../../protocol/host.ts';
import type { TakenEmitter, UnfinishedInvocation } from '../../store/ownership.ts';
import { afterDeath } from './death.ts';
import { maxAttempts } from './loss.ts';

/** One emitter's unfinished invocations: oldest first within each list. */
export interface Recovery {
  readonly again: readonly RunAgain[];
  /** Given up: they wait for a person. */
  readonly givenUp: readonly (UnfinishedInvocation & { readonly error: ThrownError })[];
}

/** An invocation that runs again. */
export interface RunAgain extends UnfinishedInvocation {
  /** 1, and one more for each death that counts against it. */
  readonly attempt: number;
  /** It may have been in flight when its owner died; with how often it has outlived its time alone. */
  readonly suspect: { readonly outlived: number } | undefined;
}

/**
 * Runs again what was cut off. Of an owner that ended in peace nothing counts. After a death nobody knows which runs
 * had begun; but they begin in order, so it can only have been the oldest HTTP requests, as many as run side by side,
 * and the oldest other run: they run alone, and only a death meanwhile counts. Hooks are never run again: whoever
 * asked for the deploy was not answered.
 *
 * @param left of one emitter, oldest first
 * @param httpConcurrency how many HTTP requests run side by side
 */
export function planRecovery(
  { unfinished, released }: Pick<TakenEmitter, 'unfinished' | 'released'>,
  httpConcurrency: number,
): Recovery {
  const again: RunAgain[] = [];
  const givenUp: (UnfinishedInvocation & { readonly error: ThrownError })[] = [];
  let http = 0;
  let serial = 0;
  for (const one of unfinished) {
    const { record, trigger, suspicion } = one;
    if (record.hook !== null) {
      givenUp.push({ ...one, error: runtimeEnded(hookCutOff) });
      continue;
    }
    if (trigger === undefined) {
      givenUp.push({ ...one, error: { name: 'Lost', message: 'Its trigger is gone.' } });
      continue;
    }
    const mayHaveBegun = trigger.kind === 'http' ? ++http <= httpConcurrency : ++serial === 1;
    if (released) {
      again.push({ ...one, attempt: record.attempt, suspect: undefined });
      continue;
    }
    const after = afterDeath(record.attempt, suspicion);
    if (after.next === 'end') {
      givenUp.push({ ...one, error: runtimeEnded(endedRuntimes) });
      continue;
    }
    const { attempt, outlived } = after;
    const isSuspect = mayHaveBegun || suspicion !== undefined;
    again.push({ ...one, attempt, suspect: isSuspect ? { outlived } : undefined });
  }
  return { again, givenUp };
}

const hookCutOff =
  'The runtime ended while this hook ran. Update the source to run its hooks again.';
const endedRuntimes = `The runtime ended ${maxAttempts} times while nothing but this ran. Replay it when the cause is found.`;

/** The error of what the end of a runtime has ended. */
function runtimeEnded(message: string): ThrownError {
  return { name: 'RuntimeEnded', message };
}
