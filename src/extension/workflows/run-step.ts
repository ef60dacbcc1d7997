import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { isNode } from '../views/nodes.ts';
import { pickWorkflow, pickWorkflowFile } from './pick-workflow.ts';
import { stepsInText, workflowFileName } from './workflow-files.ts';
import { runTest } from './test-mode.ts';
import type { StepNode } from './workflow-nodes.ts';

/** A step in a `workflow.yaml`. */
interface StepOfFile {
  readonly file: string;
  /** Its name, or its path. */
  readonly step: string;
}

/**
 * Runs one step of the current files, with the last execution's results of earlier steps, and shows its result: the
 * step of a lens or a row, otherwise one that the user chooses.
 */
export const runStep: Command = async (context, arg) => {
  const title = 'Run This Step';
  const wanted = isNode(arg, 'step')
    ? await ofRow(context, arg)
    : isStepOfFile(arg)
      ? arg
      : await chosenStep(arg, title);
  if (wanted === undefined) return;
  const file = await pickWorkflowFile(wanted.file, title);
  if (file === undefined) return;
  const folder = isNode(arg, 'step') ? arg.folder : context.folders.of(file);
  const { step } = wanted;
  await runTest(context, {
    file,
    title: `Testing ${step} of your files`,
    params: { step },
    begun: (test) => context.workflows.executions.show(folder, test),
  });
};

async function ofRow(context: CommandContext, node: StepNode): Promise<StepOfFile | undefined> {
  const target = await pickWorkflow(context, node, 'Run This Step');
  if (target === undefined) return undefined;
  return { file: path.join(target.workflow.path, workflowFileName), step: node.step.path };
}

async function chosenStep(arg: unknown, title: string): Promise<StepOfFile | undefined> {
  const file = await pickWorkflowFile(arg, title);
  if (file === undefined) return undefined;
  const items = stepsInText(await readFile(file, 'utf8')).map(({ namespace, uses }) => ({
    label: namespace,
    description: uses ?? '',
  }));
  if (items.length === 0) throw new WeirError('not_found', `${file} has no steps.`);
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked && { file, step: picked.label };
}

function isStepOfFile(arg: unknown): arg is StepOfFile {
  if (typeof arg !== 'object' || arg === null) return false;
  const { file, step } = arg as Partial<Record<keyof StepOfFile, unknown>>;
  return typeof file === 'string' && typeof step === 'string';
}
