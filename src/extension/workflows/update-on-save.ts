import * as vscode from 'vscode';
import type { Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import { reportError } from '../notify.ts';
import { isPartOf, updateWorkflow } from './update-workflow.ts';
import type { WorkflowParts } from './workflow-parts.ts';

/** Deploys a debugged workflow again when one of its files is saved; the debugger follows. */
export function updateWorkflowOnSave(
  { problems }: Pick<WorkflowParts, 'problems'>,
  output: vscode.LogOutputChannel,
  debugged: () => readonly { readonly folder: Folder; readonly workflow: Workflow }[],
): vscode.Disposable {
  return vscode.workspace.onDidSaveTextDocument(async ({ uri }) => {
    if (uri.scheme !== 'file') return;
    for (const { folder, workflow } of debugged()) {
      try {
        if (!(await isPartOf(folder, workflow, uri.fsPath))) continue;
        await updateWorkflow(problems, folder, workflow, { debug: true });
        output.info(`Updated ${workflow.name} (${workflow.id}).`);
      } catch (error) {
        reportError(error, output);
      }
    }
  });
}
