/** Which failed runs nobody has looked at yet (pure). */
import type { Invocation } from '../../protocol/catalogue.ts';
import { numberOf } from '../model/mirror-state.ts';

/** The runs of a source that somebody has looked at. */
export interface Seen {
  /** Every run up to this number was marked as seen at once. */
  readonly upTo: number;
  /** Numbers of later runs that were looked at one by one. */
  readonly runs: readonly number[];
}

/**
 * @param failures newest first
 * @param updatedAt when the source was last changed, in epoch seconds: a change counts as dealing with earlier failures
 */
export function unseenOf(
  failures: readonly Invocation[],
  { upTo, runs }: Seen,
  updatedAt: number,
): readonly Invocation[] {
  return failures.filter((run) => {
    const n = numberOf(run);
    const isSeen = n <= upTo || runs.includes(n);
    return !isSeen && (run.ended_at === null || run.ended_at >= updatedAt * 1000);
  });
}
