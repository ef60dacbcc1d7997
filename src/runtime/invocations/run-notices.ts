import type { ThrownError, Work } from '../../protocol/host.ts';
import type { EventPlanner } from '../emit/planner.ts';
import type { InvocationCommit } from '../store/commit.ts';
import type { InvocationCause } from '../store/history/invocations.ts';
import type { NewLog } from '../store/history/logs.ts';

export interface RunEnd {
  readonly run: {
    readonly n: number;
    readonly sourceId: string;
    readonly cause: InvocationCause;
    readonly work: Work;
    readonly attempt: number;
    readonly startedAt: number;
  };
  readonly status: InvocationCommit['status'];
  readonly error: ThrownError | undefined;
  readonly logs: readonly NewLog[];
  readonly endedAt: number;
  /** Nothing of the trigger may be stored, so nothing of it is told either. */
  readonly forgetsTrigger: boolean;
}

/**
 * Of runs only: a hook that fails is told to whoever deploys, and stops the deploy. A run that was
 * cancelled, as its source was switched off, did not fail.
 */
export function runNotices(
  planner: Pick<EventPlanner, 'notices'>,
  { run, status, error, logs, endedAt, forgetsTrigger }: RunEnd,
): InvocationCommit['notices'] {
  const { n, sourceId, cause, work, attempt, startedAt } = run;
  if (work.call !== 'run') return undefined;
  const trigger = forgetsTrigger ? undefined : work.trigger;
  const ended = { n, sourceId, cause, attempt, startedAt, endedAt, status, trigger, logs };
  return planner.notices(
    sourceId,
    () => (error === undefined || status === 'cancelled' ? ended : { ...ended, error }),
    endedAt,
  );
}
