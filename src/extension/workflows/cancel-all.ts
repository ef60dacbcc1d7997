import * as vscode from 'vscode';
import { executionsOf, isUnfinished } from '../../client/past-executions.ts';
import { confirm } from '../commands/confirm.ts';
import type { Command } from '../commands/context.ts';
import { inView } from '../notify.ts';
import { pickWorkflow } from './pick-workflow.ts';

/** Ends all executions of a workflow that run, wait or are paused. Asks first. */
export const cancelAllExecutions: Command = async (context, arg) => {
  const target = await pickWorkflow(context, arg, 'Cancel All Executions');
  if (target === undefined) return;
  const { folder, workflow } = target;
  const client = await folder.link.ready();
  const open = await inView(
    async () => (await executionsOf(client.call, workflow.id)).filter(isUnfinished),
    'weir.workflows',
  );
  if (open.length === 0) {
    void vscode.window.showInformationMessage(`No execution of ${workflow.name} goes on.`);
    return;
  }
  const count = open.length === 1 ? '1 execution' : `${open.length} executions`;
  const detail = 'Running steps end first; waiting and paused executions do not continue.';
  if (!(await confirm(`Cancel ${count} of ${workflow.name}?`, detail, 'Cancel Executions'))) return;
  await inView(async () => {
    // An execution that has ended meanwhile needs no cancelling.
    for (const { id } of open)
      await client.call('executions.cancel', { id }).catch(() => undefined);
  }, 'weir.workflows');
};
