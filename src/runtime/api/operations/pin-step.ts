/** Keeps a step's result as a pin (P25.92). */
import { WeirError } from '../../../protocol/errors.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import type { StepRun } from '../../store/history/executions.ts';
import { shareable } from '../../components/recordings/shareable.ts';
import { blockOutcomes } from '../../workflows/executions/block-outcomes.ts';
import { defaultPin, writePin } from '../../workflows/lifecycle/pins.ts';
import { exportsText, type Outcome } from '../../workflows/walk/outcome.ts';
import type { StepDefinition } from '../../../protocol/workflow.ts';
import type { Handlers } from './operations.ts';
import { findExecution } from './show-execution.ts';
import { maskOfExecution, type WorkflowTestParts } from './workflow-tests.ts';

export function pinHandlers(parts: WorkflowTestParts): Pick<Handlers, 'executions.pin'> {
  const { store } = parts;
  return {
    'executions.pin': async ({ id, step, name = defaultPin, replace }) => {
      const record = await findExecution(parts, id);
      const { n, emitterId } = record;
      const folder = store.workflows.get(emitterId)?.path;
      const deploymentId = (await store.executions.state(n))?.deploymentId ?? '';
      const steps = store.workflows.deployment(deploymentId)?.definition.steps;
      const row = rowOf(await store.executions.steps(n), id, step);
      const outcome = outcomeOf(row, await store.executions.steps(n), steps);
      if (outcome === undefined || folder === undefined) {
        throw new WeirError(
          'not_found',
          `What ${row.path} came to in ${id} is not known any more.`,
        );
      }
      // A pin is in the repository: it gets no values of variables and accounts, and no tokens.
      const mask = await maskOfExecution(parts, n);
      const value = shareable(valueOfJson(exportsText(outcome)), step, mask).value as object;
      const file = await writePin(folder, row.namespace, name, value, replace === true);
      return { file, step: row.namespace, name };
    },
  };
}

/** The run of the step that ended well. @throws WeirError `bad_input` for none, or several places */
function rowOf(rows: readonly StepRun[], id: string, step: string): StepRun {
  const fitting = rows.filter(({ path, namespace }) => path === step || namespace === step);
  const ended = fitting.filter(({ status }) => status === 'succeeded');
  const row = ended.at(-1);
  if (row === undefined) {
    const ran = [...new Set(rows.map(({ path }) => path))].join(', ');
    const why = fitting.length > 0 ? `${step} did not end well` : `There is no step ${step}`;
    throw new WeirError('bad_input', `${why} in ${id}; there are ${ran || 'none'}.`);
  }
  const paths = new Set(ended.map(({ path }) => path));
  if (paths.size > 1) {
    const all = [...paths].join(', ');
    throw new WeirError('bad_input', `${step} ran several times in ${id}: give the path, ${all}.`);
  }
  return row;
}

/** The outcome of a block is made of the steps inside. */
function outcomeOf(
  row: StepRun,
  rows: readonly StepRun[],
  steps: readonly StepDefinition[] | undefined,
): Outcome | undefined {
  const { exports, returnValue } = row;
  if (exports !== null) return { exports, ...(returnValue !== null && { returnValue }) };
  return blockOutcomes(steps ?? [], rows).get(row.path);
}
