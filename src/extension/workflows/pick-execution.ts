import * as vscode from 'vscode';
import type { Execution } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { CommandContext } from '../commands/context.ts';
import { isNode } from '../views/nodes.ts';
import { executionOf } from './execution-documents.ts';
import { titleOfExecution } from './execution-line.ts';
import { pickWorkflow } from './pick-workflow.ts';
import { shownUri } from './shown-uri.ts';
import type { ExecutionKey } from './whole-executions.ts';

/** The execution that a command was called on: of a row, or of the document that is shown. */
export function executionKey({ folders }: CommandContext, arg: unknown): ExecutionKey | undefined {
  const uri = arg ?? shownUri();
  const key =
    isNode(arg, 'execution') || isNode(arg, 'step')
      ? { folder: arg.folder, id: arg.execution.id }
      : uri instanceof vscode.Uri
        ? executionOf(folders, uri)
        : undefined;
  // A list read while its runtime was in use says nothing of the current runtime.
  key?.folder.requireCurrent();
  return key;
}

/** The execution that a command was called on, otherwise one that the user chooses among the fitting ones. */
export async function pickExecution(
  context: CommandContext,
  arg: unknown,
  title: string,
  fits: (execution: Execution) => boolean,
): Promise<ExecutionKey | undefined> {
  const key = executionKey(context, arg);
  if (key !== undefined) return key;
  const target = await pickWorkflow(context, arg, title);
  if (target === undefined) return undefined;
  const { folder, workflow } = target;
  const items = folder.mirror
    .executions(workflow.id)
    .filter(fits)
    .map((execution) => ({
      label: titleOfExecution(execution),
      description: `${execution.status} · ${new Date(execution.created_at).toLocaleString()}`,
      detail: execution.id,
      key: { folder, id: execution.id },
    }));
  if (items.length === 0) {
    throw new WeirError('not_found', `No execution of ${workflow.name} fits this command.`);
  }
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.key;
}
