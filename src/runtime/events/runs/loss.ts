/** Decides about an invocation whose process ended first (pure; P12.14, P12.15, P12.21). */
import type { ProcessExit } from '../../processes/host.ts';
import { toExitError } from '../../processes/process-exit.ts';
import type { ThrownError } from '../../../protocol/host.ts';

/** Each death that counts against a run is an attempt; it has three, then it waits for a person. */
export const maxAttempts = 3;

export type AfterLoss =
  | {
      readonly next: 'retry';
      /** False when nothing of its own, nor chance, ended it: then it may be cut off any number of times. */
      readonly spendsAttempt: boolean;
    }
  | {
      readonly next: 'end';
      readonly status: 'failed' | 'crashed' | 'cancelled';
      readonly error: ThrownError;
    };

/**
 * The one that ended its process has failed and is not run again: it would only do so again. Others
 * that were in flight beside it run again. Work that a person or Weir itself ended was cancelled.
 * @param attempt 1 for the first
 */
export function afterLoss(loss: ProcessExit, attempt: number): AfterLoss {
  const error = toExitError(loss);
  if (loss.cause === 'killed') return { next: 'end', status: 'cancelled', error };
  if (loss.cause === 'stopped') {
    return loss.atFault
      ? { next: 'end', status: 'cancelled', error }
      : { next: 'retry', spendsAttempt: false };
  }
  if (loss.atFault) return { next: 'end', status: 'failed', error };
  if (attempt < maxAttempts) return { next: 'retry', spendsAttempt: true };
  return { next: 'end', status: 'crashed', error };
}
