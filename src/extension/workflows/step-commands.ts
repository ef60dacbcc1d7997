import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { StepRun, WholeExecution } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { confirm } from '../commands/confirm.ts';
import type { Folder } from '../connection/folder.ts';
import { typedJson } from '../debug/run-choice.ts';
import { inView } from '../notify.ts';
import { isNode } from '../views/nodes.ts';
import { pickExecution } from './pick-execution.ts';
import { stepInWords, titleOfStep } from './step-line.ts';

interface ChosenStep {
  readonly folder: Folder;
  readonly execution: WholeExecution;
  readonly step: StepRun;
}

/** Ends a pause as if its time had come: a delay is over, a suspended step was not resumed in time. */
export const skipPause: Command = async (context, arg) => {
  const waits = ({ status }: StepRun): boolean => status === 'paused' || status === 'retrying';
  const chosen = await pickStep(context, arg, 'Skip Pause', waits);
  if (chosen === undefined) return;
  const { folder, execution, step } = chosen;
  const client = await folder.link.ready();
  const given = { id: execution.id, path: step.path, as_due: true };
  await inView(() => client.call('executions.resume', given), 'weir.workflows');
};

/** Runs an execution again from one of its steps on, with the results of the earlier ones, and shows it. */
export const runFromStep: Command = async (context, arg) => {
  const chosen = await pickStep(context, arg, 'Run from This Step', canRunAgain);
  if (chosen !== undefined) await runAgain(context, chosen);
};

/** The same with other props for that step; the user edits them first. */
export const runFromStepWith: Command = async (context, arg) => {
  const title = 'Run from This Step with Other Props';
  const hasProps = (step: StepRun): boolean => canRunAgain(step) && step.props !== null;
  const chosen = await pickStep(context, arg, title, hasProps);
  if (chosen === undefined) return;
  const shown = chosen.step.props ?? {};
  const prompt = `Props of ${chosen.step.namespace}. What you leave as it is comes from the file.`;
  const typed = await typedJson(title, JSON.stringify(shown), prompt);
  if (typed === undefined) return;
  const { event: props } = typed;
  if (typeof props !== 'object' || props === null || Array.isArray(props)) {
    throw new WeirError('bad_input', 'The props of a step are an object: {"name": "value"}.');
  }
  // Secrets are shown masked: only what was changed is given, the rest is what the file says.
  const changed = Object.entries(props).filter(
    ([name, value]) => !isDeepStrictEqual(value, shown[name]),
  );
  await runAgain(context, chosen, Object.fromEntries(changed));
};

/** Keeps a step's result as a pin, which replaces it in tests. */
export const pinStep: Command = async (context, arg) => {
  const ended = ({ status }: StepRun): boolean => status === 'succeeded';
  const chosen = await pickStep(context, arg, 'Pin the Result', ended);
  if (chosen === undefined) return;
  const { folder, execution, step } = chosen;
  const name = await vscode.window.showInputBox({
    title: `Pin the Result of ${step.namespace}`,
    prompt:
      'The pin called "default" stands in for the step in every test, others when they are asked for.',
    value: 'default',
    validateInput: (text) =>
      /^[\w-]+$/.test(text.trim()) ? undefined : 'Letters, digits, "-" and "_".',
  });
  if (name === undefined) return;
  const client = await folder.link.ready();
  const given = { id: execution.id, step: step.path, name: name.trim() };
  const pinned = await client.call('executions.pin', given).catch(async (error: unknown) => {
    if (!WeirError.is(error, 'conflict')) throw error;
    const question = `Replace the pin ${given.name} of ${step.namespace}?`;
    const isSure = await confirm(question, messageOf(error), 'Replace');
    return isSure ? client.call('executions.pin', { ...given, replace: true }) : undefined;
  });
  if (pinned !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(pinned.file));
};

function canRunAgain({ path, namespace, status }: StepRun): boolean {
  return path === namespace && status !== 'running';
}

async function runAgain(
  { workflows }: CommandContext,
  { folder, execution, step }: ChosenStep,
  props?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const client = await folder.link.ready();
  const started = await inView(
    () =>
      client.call('executions.replay', {
        id: execution.id,
        from_step: step.path,
        ...(props !== undefined && Object.keys(props).length > 0 && { props }),
      }),
    'weir.workflows',
  );
  await workflows.executions.show(folder, started);
}

/** The step that a command was called on, else one that is chosen of those of an execution that fit. */
async function pickStep(
  context: CommandContext,
  arg: unknown,
  title: string,
  fits: (step: StepRun) => boolean,
): Promise<ChosenStep | undefined> {
  const key = await pickExecution(context, arg, title, () => true);
  if (key === undefined) return undefined;
  const execution = await context.workflows.whole.of(key);
  const { folder } = key;
  if (isNode(arg, 'step')) return { folder, execution, step: arg.step };
  const now = context.clock.now();
  const items = execution.steps.filter(fits).map((step) => ({
    label: titleOfStep(step),
    description: stepInWords(step, now) ?? step.status,
    step,
  }));
  if (items.length === 0) {
    throw new WeirError('not_found', `No step of ${execution.id} fits this command.`);
  }
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked && { folder, execution, step: picked.step };
}
