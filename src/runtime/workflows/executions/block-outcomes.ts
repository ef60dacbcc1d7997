/** The results of blocks, from the rows of their steps (pure): only their beginnings have rows of their own. */
import type { StepDefinition } from '../../../protocol/workflow.ts';
import type { StepRun } from '../../store/history/executions.ts';
import type { Outcome } from '../walk/outcome.ts';
import { Walk } from '../walk/walk.ts';
import { resultOf } from './step-outcome.ts';

/**
 * @param steps of the deployment that ran them
 * @param rows of an execution, in the order of their commits
 * @returns by path, the blocks that have ended and in which nothing failed
 */
export function blockOutcomes(
  steps: readonly StepDefinition[],
  rows: readonly StepRun[],
): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  if (!steps.some(({ kind }) => kind === 'block')) return outcomes;
  const newest = new Map(rows.map((row) => [row.path, row]));
  const walk = new Walk(steps);
  for (const row of rows) {
    const hasEnded = row.status === 'succeeded' || row.status === 'failed';
    // After an exit, and in an execution of one step alone, the rest has no place.
    const hasPlace = walk.task(row.path) !== undefined;
    if (!hasEnded || !hasPlace || newest.get(row.path) !== row) continue;
    for (const { path, outcome } of walk.ended(row.path, resultOf(row))) {
      if (outcome !== undefined) outcomes.set(path, outcome);
    }
  }
  return outcomes;
}
