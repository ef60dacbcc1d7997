/** A new execution that goes on from the middle of another one (pure; P25.81). */
import { WeirError } from '../../../protocol/errors.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { NewJournal, StepRun } from '../../store/history/executions.ts';
import { Walk } from '../walk/walk.ts';
import { resultOf } from './step-outcome.ts';

export interface ReplayFrom {
  /** Of the execution, for messages. */
  readonly id: string;
  /** The first step that runs. */
  readonly path: string;
  readonly props?: Readonly<Record<string, unknown>>;
  /** Of the override; unique. */
  readonly name?: string;
}

/**
 * The journal that it begins with: what ended before that step was reached, as it ended.
 * @param rows of the execution that is replayed, in order
 * @throws WeirError `bad_input` when the step was not reached, or when the steps before it are others now
 */
export function replayFrom(
  { id: deploymentId, definition }: WorkflowDeploymentRecord,
  rows: readonly StepRun[],
  { id, path, props, name = '' }: ReplayFrom,
): NewJournal {
  const walk = new Walk(definition.steps);
  const newest = new Map(rows.map((row) => [row.path, row]));
  const steps: StepRun[] = [];
  for (const row of rows) {
    if (row.path === path) break;
    if (newest.get(row.path) !== row || !hasEnded(row)) continue;
    if (walk.task(row.path) === undefined) {
      const message = `The steps of the workflow are others than those that ${id} ran: ${row.path} is not there any more. Replay it from its trigger.`;
      throw new WeirError('bad_input', message);
    }
    try {
      walk.ended(row.path, resultOf(row));
    } catch {
      throw new WeirError('bad_input', `${row.path} is another kind of step than when ${id} ran.`);
    }
    const seq = steps.length + 1;
    steps.push({ ...row, seq, run: 1, attempt: 1, leg: 1, pause: null, sends: null });
  }
  const task = walk.task(path);
  if (task === undefined) {
    throw new WeirError('bad_input', `${id} did not come to a step ${path}.`);
  }
  if (props !== undefined && task.kind === 'block') {
    throw new WeirError('bad_input', `${path} is a block, and has no props.`);
  }
  return {
    deploymentId,
    steps,
    ...(props !== undefined && { override: { path, props, name } }),
  };
}

function hasEnded({ status, decision }: StepRun): boolean {
  if (status === 'succeeded') return true;
  // One that failed and that the execution went on from.
  return status === 'failed' && decision !== null && decision.includes('"continue":true');
}
