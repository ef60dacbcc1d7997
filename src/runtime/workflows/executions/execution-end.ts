/** How an execution ends, and its message (pure). */
import type { ThrownError } from '../../../protocol/host.ts';
import type { ExecutionEnd } from '../../store/commit.ts';
import type { NewLog } from '../../store/history/logs.ts';
import type { Walk } from '../walk/walk.ts';
import type { Execution } from './execution.ts';

/** The end of an execution whose steps have all ended, or of the one tested step. */
export function endOf(execution: Execution, walk: Walk): Omit<ExecutionEnd, 'at'> {
  // The test of one step is over before what is around it.
  if (walk.state === 'failed' || (walk.state === 'going' && execution.failure !== undefined)) {
    const status = execution.hasCrashed ? 'crashed' : 'failed';
    return { status, reason: null, error: execution.failure?.error };
  }
  return { status: 'succeeded', reason: walk.reason };
}

/** How long the steps of a leg may take together, in seconds; the platform's, by what started it, unless the file says it (P25.23). */
export function timeLimit({ deployment, trigger }: Execution): number {
  const own = deployment?.definition.settings.timeoutSeconds;
  return own ?? (trigger?.kind === 'timer' ? 60 : 30);
}

/** Steps that were running when the time was over have failed with it. */
export function timedOut(execution: Execution): ThrownError {
  return {
    name: 'Timeout',
    message: `It took longer than its time limit of ${timeLimit(execution)} s (settings.lambda_timeout in workflow.yaml).`,
  };
}

/** The end of an execution that was stopped from outside. */
export function stopped(execution: Execution): Omit<ExecutionEnd, 'at'> {
  const { stopping, cancelReason } = execution;
  if (stopping === 'timed_out') {
    return { status: 'timed_out', reason: null, error: timedOut(execution) };
  }
  return { status: 'cancelled', reason: cancelReason ?? 'It was cancelled.' };
}

/** The last log line: how it ended, after how long, and why. */
export function endLine(execution: Execution, { status, reason, at }: ExecutionEnd): NewLog {
  const ms = Math.max(0, at - (execution.startedAt ?? execution.createdAt));
  const time = ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
  const text = `execution ${status} in ${time}${reason === null ? '' : ` · ${reason}`}`;
  const isFine = status === 'succeeded' || status === 'cancelled';
  return { at, kind: 'end', level: isFine ? 'info' : 'error', text };
}
