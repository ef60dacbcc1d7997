/** Decides about a step whose process ended under it (pure; P25.22, P25.24). */
import type { ThrownError } from '../../../protocol/host.ts';
import type { ProcessExit } from '../../processes/host.ts';
import { toExitError } from '../../processes/process-exit.ts';

/** So often one step may be cut off in a row, whatever did it. */
export const maxAttempts = 3;

export type AfterLoss =
  | { readonly isAgain: true; readonly cutOffs: number }
  | { readonly isAgain: false; readonly hasCrashed: boolean; readonly error: ThrownError };

/**
 * The step that ended its process has failed. Those beside it run again, and that does not count where it is
 * known who or what ended it.
 * @param cutOffs how often it was cut off before, and nobody knew why
 */
export function afterLoss(loss: ProcessExit, cutOffs: number): AfterLoss {
  if (loss.atFault) return { isAgain: false, hasCrashed: false, error: toExitError(loss) };
  const isKnown = loss.cause === 'stopped' || loss.cause === 'killed';
  const counted = isKnown ? cutOffs : cutOffs + 1;
  if (counted < maxAttempts) return { isAgain: true, cutOffs: counted };
  return { isAgain: false, hasCrashed: true, error: toExitError(loss) };
}
