/** The steps of a workflow as its files are now, and which code is behind them; nothing of it runs. */
import { readFile } from 'node:fs/promises';
import { WeirError } from '../../../protocol/errors.ts';
import type { StepDefinition } from '../../../protocol/workflow.ts';
import type { TaskContext } from '../../components/load.ts';
import { filterRules } from '../file/rules.ts';
import { readWorkflow } from '../file/read.ts';
import { withDeclaredProps } from './script-props.ts';
import { actionsOf, buildStep, type ResolveOptions, workflowFile } from './resolve-steps.ts';

export interface CurrentSteps {
  readonly steps: readonly StepDefinition[];
  /** Hash of what a deploy would bundle, by `uses`; without what cannot be built. */
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * Installs nothing. Only within `SavedComponents.adding`.
 * @param folder of the workflow, absolute
 * @throws WeirError `bad_input` when the file is gone or cannot be read as a workflow; `cancelled`
 */
export async function currentSteps(
  options: Omit<ResolveOptions, 'warn'>,
  folder: string,
  context: TaskContext,
): Promise<CurrentSteps> {
  const { file } = workflowFile(folder);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new WeirError('bad_input', `There is no file ${file}.`, undefined, error);
  });
  const { definition } = readWorkflow(text);
  if (definition === undefined) {
    throw new WeirError('bad_input', `${file} has mistakes: "weir deploy" names them.`);
  }
  const hashes = new Map<string, string>();
  const tried = new Set<string>();
  const silent = { ...options, warn: () => undefined };
  const all = actionsOf(definition.steps);
  for (const step of all) {
    const { uses, disabled, props } = step;
    if (disabled || tried.has(uses) || filterRules(props) !== undefined) continue;
    tried.add(uses);
    try {
      hashes.set(
        uses,
        (await buildStep(silent, file, withDeclaredProps(step, all), false, context)).built.hash,
      );
    } catch (error) {
      if (!WeirError.is(error) || error.code === 'cancelled') throw error;
    }
  }
  return { steps: definition.steps, hashes };
}
