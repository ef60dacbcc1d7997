/** Decides about a step that has ended: it is over, waits, is retried, or has failed (pure). */
import type { Emit, ThrownError, Trigger } from '../../../protocol/host.ts';
import type { StepRequests } from '../../../protocol/host-steps.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { NewStepRun, StepPause } from '../../store/history/executions.ts';
import type { NewSend } from '../../store/history/sends.ts';
import type { ActionTask, StepResult } from '../walk/walk.ts';
import { attemptExports, resultOf } from './step-outcome.ts';

/** Facts about a running step. */
export interface StepInFlight {
  readonly task: ActionTask;
  readonly run: number;
  readonly attempt: number;
  readonly startedAt: number;
  readonly rerunContext?: string | undefined;
  readonly callback?: Trigger | undefined;
  /** How often its process ended under it, and nobody knows why. */
  readonly cutOffs?: number;
}

export interface StepEnd {
  readonly row: NewStepRun;
  /** The result for the walk; undefined for a run that waits. */
  readonly result: StepResult | undefined;
  /** The sends at the end of the leg. */
  readonly outgoing?: Outgoing | undefined;
  /** It has failed for good. */
  readonly failed?: { readonly goesOn: boolean; readonly error: ThrownError };
}

interface Outgoing {
  readonly emits: readonly Emit[];
  readonly sends: readonly NewSend[];
}

/** How a step is tried again whose failure may pass: eight times, each wait twice the last, ten hours in all (P25.71). */
const autoRetry = { max: 8, backoffMs: 141_000 };

/** @param row as of a step that succeeded */
export function endOfStep(
  row: NewStepRun,
  outcome: Outcome,
  { pause, exit, ...requests }: StepRequests,
): StepEnd {
  const outgoing = outgoingOf(row.path, outcome, requests);
  const sent = withOutgoing(row, outgoing);
  if (pause !== undefined) {
    const { kind, ms, context } = pause;
    const stored: StepPause = {
      kind,
      dueAt: ms === null ? null : row.endedAt + ms,
      ...(context !== undefined && { context }),
    };
    return { row: { ...sent, status: 'paused', pause: stored }, result: undefined, outgoing };
  }
  const decided = exit === undefined ? sent : { ...sent, decision: JSON.stringify({ exit }) };
  return { row: decided, result: resultOf(decided), outgoing };
}

/**
 * It runs again later, or the execution fails, or goes on without it.
 * @param retries `auto`: by the settings of the workflow, where the step does not say; a step that ended its process
 *   only as it says itself, one of a test never
 */
export function endOfFailedStep(
  row: NewStepRun,
  { task, attempt, rerunContext }: StepInFlight,
  outcome: Outcome,
  requests: StepRequests,
  error: ThrownError,
  retries: 'auto' | 'own' | 'never',
): StepEnd {
  const { retry = retries === 'auto' ? autoRetry : undefined, onError } = task.step;
  if (retry !== undefined && retries !== 'never' && attempt <= retry.max) {
    const pause: StepPause = {
      kind: 'retry',
      dueAt: row.endedAt + retry.backoffMs * 2 ** (attempt - 1),
      ...(rerunContext !== undefined && { rerun: { context: rerunContext } }),
    };
    const exports = attemptExports(row.exports, attempt, error);
    return { row: { ...row, status: 'retrying', pause, exports }, result: undefined };
  }
  const goesOn = onError === 'continue';
  const outgoing = outgoingOf(row.path, outcome, requests);
  const failed: NewStepRun = {
    ...withOutgoing(row, outgoing),
    status: 'failed',
    decision: JSON.stringify({ failed: { continue: goesOn } }),
  };
  return { row: failed, result: resultOf(failed), outgoing, failed: { goesOn, error } };
}

function outgoingOf(
  path: string,
  { emits }: Outcome,
  { sends: asked = [] }: StepRequests,
): Outgoing | undefined {
  if (emits.length + asked.length === 0) return undefined;
  return { emits, sends: asked.map((send) => ({ path, send })) };
}

/** It is kept with the step until the leg ends. */
function withOutgoing(row: NewStepRun, outgoing: Outgoing | undefined): NewStepRun {
  return outgoing === undefined ? row : { ...row, sends: JSON.stringify(outgoing) };
}
