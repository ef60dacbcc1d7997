/** Runs as the rows of a pick list (pure). */
import type { Invocation } from '../../protocol/catalogue.ts';
import { durationOf, invocationLine, outcomeOf, titleOfRun } from '../views/invocation-line.ts';
import { relativeTime } from '../views/line.ts';

export interface RunOfSource {
  /** Name of the source. */
  readonly source: string;
  readonly invocation: Invocation;
}

export interface RunItem<R extends RunOfSource> {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly run: R;
}

/** Newest first. The status is a word of each row, so that typing "failed" finds those. */
export function runItems<R extends RunOfSource>(runs: readonly R[], now: number): RunItem<R>[] {
  return runs
    .toSorted((a, b) => b.invocation.created_at - a.invocation.created_at)
    .map((run) => {
      const { source, invocation } = run;
      const { status, ended_at: ended, created_at: created } = invocation;
      const about = [source, status, durationOf(invocation), relativeTime(ended ?? created, now)];
      return {
        label: `$(${invocationLine(invocation, now).icon}) ${titleOfRun(invocation)}`,
        description: about.filter((part) => part !== undefined).join(' · '),
        detail: invocation.error === null ? '' : outcomeOf(invocation),
        run,
      };
    });
}
