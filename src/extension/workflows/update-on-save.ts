import path from 'node:path';
import * as vscode from 'vscode';
import type { Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import { reportError } from '../notify.ts';
import { codeOf } from './execution-documents.ts';
import { workflowFileName } from './workflow-files.ts';
import type { WorkflowParts } from './workflow-parts.ts';

/**
 * Saving a file of a workflow that is debugged deploys it anew; the debugger follows. What has begun goes on with the
 * code it began with.
 */
export function updateWorkflowOnSave(
  { problems }: Pick<WorkflowParts, 'problems'>,
  output: vscode.LogOutputChannel,
  debugged: () => readonly { readonly folder: Folder; readonly workflow: Workflow }[],
): vscode.Disposable {
  return vscode.workspace.onDidSaveTextDocument(async ({ uri }) => {
    if (uri.scheme !== 'file') return;
    for (const { folder, workflow } of debugged()) {
      if (!isPartOf(uri.fsPath, workflow)) continue;
      const file = path.join(workflow.path, workflowFileName);
      try {
        const client = await folder.link.ready();
        await problems.during(file, () =>
          client.call('workflows.deploy', { workflow_path: file, debug: true }),
        );
        output.info(`Updated ${workflow.name} (${workflow.id}) from ${file}.`);
      } catch (error) {
        reportError(error, output);
      }
    }
  });
}

/** It lies in its folder, or is a component that a step uses. */
function isPartOf(file: string, workflow: Workflow): boolean {
  return (
    file.startsWith(workflow.path + path.sep) ||
    workflow.steps.some((step) => codeOf(workflow, step) === file)
  );
}
