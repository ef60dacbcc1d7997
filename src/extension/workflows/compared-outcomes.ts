/** The results of executions and of their replays, as two values whose texts are compared (pure). */
import type { Comparison } from '../../client/past-executions.ts';
import type { StepRun, WholeExecution } from '../../protocol/catalogue.ts';
import { titleOfExecution } from './execution-line.ts';

export interface ComparedPair {
  readonly comparison: Comparison;
  readonly before: WholeExecution;
  readonly after: WholeExecution;
}

/** For each execution how it ended, and the results of the steps that differ; both in the same order. */
export function comparedOutcomes(pairs: readonly ComparedPair[]): {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
} {
  const side = (of: 'before' | 'after') =>
    Object.fromEntries(
      pairs.map(({ comparison, [of]: execution, before }) => [
        `${before.id} ${titleOfExecution(before)}`,
        outcomeOf(execution, comparison),
      ]),
    );
  return { before: side('before'), after: side('after') };
}

function outcomeOf(execution: WholeExecution, { steps: differing }: Comparison): object {
  const { status, error, response, steps } = execution;
  const last = new Map(steps.map((step) => [step.path, step]));
  const shown = differing.map(({ path }) => [path, stepOutcome(last.get(path))]);
  return {
    status,
    ...(error !== null && { error: `${error.name}: ${error.message}` }),
    ...(response !== null && { response: { status: response.status, body: response.body } }),
    steps: Object.fromEntries(shown) as object,
  };
}

function stepOutcome(step: StepRun | undefined): unknown {
  if (step === undefined) return 'did not run';
  const { status, error, exports, return_value: returned, pinned } = step;
  return {
    status,
    ...(pinned !== null && { pin: pinned }),
    ...(error !== null && { error: `${error.name}: ${error.message}` }),
    ...exports,
    $return_value: returned ?? null,
  };
}
