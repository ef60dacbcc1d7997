/** The differences between two executions of a workflow (pure; P25.96). */
import { isDeepStrictEqual } from 'node:util';
import type { Result, StepRun, WholeExecution } from '../../../protocol/catalogue.ts';
import { joinedPath } from '../../workflows/tests/compare.ts';

type Comparison = Result<'executions.compare'>;
type Difference = Comparison['differences'][number];

/** How many differences of a step are reported. */
const mostDifferences = 100;

/** How they ended, their answers, and the results of their steps: of several runs of a step the last. */
export function compareExecutions(
  before: WholeExecution,
  after: WholeExecution,
): Pick<Comparison, 'same' | 'differences' | 'steps'> {
  const differences = valueDifferences(endOf(before), endOf(after));
  const [was, is] = [lastRuns(before), lastRuns(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  const steps = paths.flatMap((path) => {
    const [one, other] = [was.get(path), is.get(path)];
    const found = valueDifferences(outcomeOf(one), outcomeOf(other)).slice(0, mostDifferences);
    if (found.length === 0) return [];
    return [
      {
        path,
        before: one?.status ?? null,
        after: other?.status ?? null,
        pinned: other?.pinned ?? null,
        differences: found,
      },
    ];
  });
  return { same: differences.length + steps.length === 0, differences, steps };
}

/** Times and stacks are never the same. */
function endOf({ status, error, response }: WholeExecution): Readonly<Record<string, unknown>> {
  return {
    status,
    ...(error !== null && { error: `${error.name}: ${error.message}` }),
    ...(response !== null && { response: { status: response.status, body: response.body } }),
  };
}

function lastRuns({ steps }: WholeExecution): ReadonlyMap<string, StepRun> {
  return new Map(steps.map((step) => [step.path, step]));
}

function outcomeOf(step: StepRun | undefined): Readonly<Record<string, unknown>> {
  if (step === undefined) return {};
  const { status, error, exports, return_value: returned } = step;
  return {
    status,
    ...(error !== null && { error: `${error.name}: ${error.message}` }),
    ...exports,
    ...(returned !== null && returned !== undefined && { $return_value: returned }),
  };
}

/** The places where two values differ: mappings by their keys, lists by position. A missing value is null. */
export function valueDifferences(before: unknown, after: unknown, path = ''): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      valueDifferences(before[index], after[index], `${path}[${index}]`),
    ).flat();
  }
  if (isMapping(before) && isMapping(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => valueDifferences(before[key], after[key], joinedPath(path, key)));
  }
  return [{ path, before: before ?? null, after: after ?? null }];
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
