import type { HitOutcome, LiveExecution, ResumeHit } from '../../store/history/executions.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { PausedRun } from '../../workflows/executions/keys.ts';

/** Executions as operations see them, whichever node runs them. See `Executions`. */
export interface AnyExecutions {
  cancel(record: InvocationRecord): Promise<boolean>;
  hit(
    paused: PausedRun,
    action: ResumeHit['action'],
    trigger: ResumeHit['trigger'],
  ): Promise<HitOutcome>;
  /** Its current state, if it runs or waits for its turn; undefined also if its node does not answer. */
  live(record: InvocationRecord): LiveExecution | undefined | Promise<LiveExecution | undefined>;
  /** The same at once, as far as it is known here; otherwise the given record. */
  recordOf(stored: InvocationRecord): InvocationRecord;
}
