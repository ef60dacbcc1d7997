import * as vscode from 'vscode';
import { isUnfinished } from '../../client/past-executions.ts';
import type { Execution, Result } from '../../protocol/catalogue.ts';
import type { Command } from '../commands/context.ts';
import { inView, withProgress } from '../notify.ts';
import { isNode, nodesOf } from '../views/nodes.ts';
import { pickExecution } from './pick-execution.ts';
import { stepKey } from './step-line.ts';

/** Shows an execution: of a row or an id, else one that is chosen. */
export const showExecution: Command = async (context, arg) => {
  const chosen = await pickExecution(context, arg, 'Show Execution', () => true);
  if (chosen === undefined) return;
  const execution = await context.workflows.whole.of(chosen);
  const step = isNode(arg, 'step') ? stepKey(arg.step) : undefined;
  await context.workflows.executions.show(chosen.folder, execution, step);
};

/** Ends executions that run, wait or are paused: the selected rows, that of a document, else one of a list. */
export const cancelExecution: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'execution').filter(({ execution }) =>
    isUnfinished(execution),
  );
  const picked =
    rows.length > 0
      ? rows.map(({ folder, execution }) => ({ folder, id: execution.id }))
      : [await pickExecution(context, arg, 'Cancel Execution', isUnfinished)];
  for (const one of picked) {
    if (one === undefined) continue;
    const client = await one.folder.link.ready();
    await inView(() => client.call('executions.cancel', { id: one.id }), 'weir.workflows');
  }
};

/** Ends a pause, as its resume URL would. @param step path of the one that waits */
export const resumeExecution: Command = async (context, arg, step) => {
  const isPaused = ({ status }: Execution): boolean => status === 'paused';
  const chosen = await pickExecution(context, arg, 'Resume Execution', isPaused);
  if (chosen === undefined) return;
  const waiting = isNode(arg, 'step') ? arg.step.path : step;
  const client = await chosen.folder.link.ready();
  await inView(
    () =>
      client.call('executions.resume', {
        id: chosen.id,
        ...(typeof waiting === 'string' && { path: waiting }),
      }),
    'weir.workflows',
  );
};

/** Runs the trigger of an execution again on what is deployed now, and shows it. */
export const replayExecution: Command = async (context, arg) => {
  const chosen = await pickExecution(context, arg, 'Replay', () => true);
  if (chosen === undefined) return;
  const { folder, id } = chosen;
  const client = await folder.link.ready();
  const started = await inView(() => client.call('executions.replay', { id }), 'weir.workflows');
  await context.workflows.executions.show(folder, started);
};

/** Writes a test with the result of an execution, or of a source's run, as the expected one, and opens it. */
export const saveTest: Command = async (context, arg) => {
  if (isNode(arg, 'invocation')) {
    const { folder, invocation } = arg;
    const { id, source_id: source } = invocation;
    const name = await testName(
      id,
      'It expects what the source does with this trigger now. Its requests are sent.',
    );
    if (name === undefined) return;
    const client = await folder.link.ready();
    const saved = await withProgress(`Running ${id} once more`, (options) =>
      client.call('tests.save', { source, invocation_id: id, name }, options),
    );
    return showTest(saved);
  }
  const hasEnded = (execution: Execution): boolean => !isUnfinished(execution);
  const chosen = await pickExecution(context, arg, saveTitle, hasEnded);
  if (chosen === undefined) return;
  const { folder, id } = chosen;
  const name = await testName(id, 'It expects what this run came to.');
  if (name === undefined) return;
  const client = await folder.link.ready();
  await showTest(await client.call('tests.save', { execution: id, name }));
};

const saveTitle = 'Save Run as Test';

function testName(value: string, about: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: saveTitle,
    prompt: `Name of the test. ${about} weir test runs it.`,
    value,
    validateInput: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
}

async function showTest({ file, hidden }: Result<'tests.save'>): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(file));
  if (hidden.length > 0) {
    void vscode.window.showWarningMessage(
      `Secrets were taken out of the test, and the code reads what stands there now: ${hidden.join(', ')}.`,
    );
  }
}

export const showMoreExecutions: Command = async (_context, arg) => {
  if (!isNode(arg, 'moreExecutions')) return;
  const { folder, workflow } = arg;
  const client = await folder.link.ready();
  await inView(() => folder.mirror.loadMoreExecutions(client, workflow.id), 'weir.workflows');
};
