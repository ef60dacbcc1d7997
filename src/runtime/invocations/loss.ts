/** What becomes of an invocation whose process ended first (pure; P12.14, P12.15). */
import type { Loss } from '../hosts/host.ts';
import type { ThrownError } from '../../protocol/host.ts';

/** An invocation that was cut off runs again, three times at most; then it waits for a person. */
export const maxAttempts = 3;

export type Verdict =
  | { readonly next: 'retry' }
  | {
      readonly next: 'end';
      readonly status: 'failed' | 'crashed' | 'cancelled';
      readonly error: ThrownError;
    };

/**
 * The one that ended its process has failed and is not run again: it would only do so again. Others
 * that were in flight beside it run again. Work that Weir itself ended was cancelled.
 * @param attempt 1 for the first
 */
export function afterLoss(loss: Loss, attempt: number): Verdict {
  const error = lossError(loss);
  if (loss.cause === 'killed') return { next: 'end', status: 'cancelled', error };
  if (loss.atFault) return { next: 'end', status: 'failed', error };
  if (attempt < maxAttempts) return { next: 'retry' };
  return { next: 'end', status: 'crashed', error };
}

/** A lost process as the error of what ran in it. */
export function lossError(loss: Loss): ThrownError {
  return {
    name: errorName[loss.cause],
    message: loss.message,
    ...(loss.stack === undefined ? {} : { stack: loss.stack }),
  };
}

/** After a crash of the runtime itself. */
export function afterRestart(attempt: number, isHook: boolean): Verdict {
  const error: ThrownError = {
    name: 'RuntimeEnded',
    message: isHook
      ? 'The runtime ended while this hook ran. Update the source to run its hooks again.'
      : `The runtime ended while this ran, ${maxAttempts} times. Replay it when the cause is found.`,
  };
  if (isHook || attempt >= maxAttempts) return { next: 'end', status: 'crashed', error };
  return { next: 'retry' };
}

const errorName: Readonly<Record<Loss['cause'], string>> = {
  timeout: 'Timeout',
  exit: 'ProcessExit',
  memory: 'OutOfMemory',
  uncaught: 'UncaughtError',
  signal: 'ProcessKilled',
  killed: 'Cancelled',
};
