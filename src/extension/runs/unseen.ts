/** Which failed runs still want to be looked at (pure). */
import type { Invocation } from '../../protocol/catalogue.ts';
import { numberOf } from '../model/mirror-state.ts';

/**
 * @param failures newest first
 * @param seen the number of the newest run that was looked at
 * @param updatedAt when the source was last changed, in epoch seconds: whoever changes it has dealt with what failed before
 */
export function unseenOf(
  failures: readonly Invocation[],
  seen: number,
  updatedAt: number,
): readonly Invocation[] {
  return failures.filter(
    (run) => numberOf(run) > seen && (run.ended_at === null || run.ended_at >= updatedAt * 1000),
  );
}
