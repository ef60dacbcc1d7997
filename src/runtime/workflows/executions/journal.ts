/** The place of an execution, from its rows (pure): the same as before its process ended. */
import type { StepDefinition } from '../../../protocol/workflow.ts';
import type { ResumeHit, StepRun } from '../../store/history/executions.ts';
import { Walk } from '../walk/walk.ts';
import { resultOf } from './step-outcome.ts';

export interface Restored {
  readonly walk: Walk;
  /** By path. */
  readonly waiting: ReadonlyMap<string, StepRun>;
  /** Sends of the interrupted leg's steps. */
  readonly unsent: readonly string[];
  readonly seq: number;
  readonly leg: number;
}

/**
 * @param rows in the order of their commits
 * @param legs how many legs have ended
 */
export function restore(
  steps: readonly StepDefinition[],
  rows: readonly StepRun[],
  legs: number,
): Restored {
  const walk = new Walk(steps);
  const waiting = new Map<string, StepRun>();
  const unsent: string[] = [];
  const newest = new Map(rows.map((row) => [row.path, row]));
  for (const row of rows) {
    if (row.sends !== null) unsent.push(row.sends);
    // An interrupted step runs again, and of several runs the last counts.
    if (row.status === 'cancelled' || newest.get(row.path) !== row) continue;
    if (row.status === 'paused' || row.status === 'retrying') {
      waiting.set(row.path, row);
      continue;
    }
    walk.ended(row.path, resultOf(row));
  }
  // A waiting step is not ready: it was taken when it ran.
  for (const path of waiting.keys()) {
    const task = walk.task(path);
    if (task !== undefined) walk.take(task);
  }
  return { walk, waiting, unsent, seq: rows.length, leg: legs + 1 };
}

/** The one that resumes or cancels this run, if it came already. */
export function hitFor(
  hits: readonly ResumeHit[],
  path: string,
  run: number,
): ResumeHit | undefined {
  return hits.find((hit) => hit.path === path && hit.run === run);
}

/** The number that a hit names to end the wait of this row: a retry waits under the number of the attempt. */
export function hitRunOf({ run, attempt, pause }: Pick<StepRun, 'run' | 'attempt' | 'pause'>) {
  return pause?.kind === 'retry' ? -attempt : run;
}
