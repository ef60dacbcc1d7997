import * as vscode from 'vscode';
import type { Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { isWithin } from '../is-within.ts';
import { type Failed, ThrowMarks } from '../problems/throw-marks.ts';
import { executionUri } from './execution-documents.ts';
import { titleOfExecution } from './execution-line.ts';
import { isFailingWorkflow } from './workflow-line.ts';

/**
 * Marks the line where a workflow's last execution threw, until an execution succeeds or the workflow is deployed
 * again.
 */
export function markExecutions(folders: Folders): vscode.Disposable {
  const marks = new ThrowMarks('weir-execution');
  const show = (): void =>
    marks.show(
      folders.all.flatMap((folder) =>
        folder.mirror.workflows().flatMap((one) => failed(folder, one)),
      ),
    );
  return vscode.Disposable.from(
    marks,
    folders.onDidChange(({ touched }) => {
      if (touched.workflowList || touched.workflows.size > 0) show();
    }),
    folders.onDidChangeState(show),
  );
}

function failed(folder: Folder, workflow: Workflow): Failed[] {
  const [last] = folder.mirror.executions(workflow.id);
  if (last === undefined || !isFailingWorkflow(workflow, last)) return [];
  if (last.deployment_id !== workflow.deployment_id) return [];
  return [
    {
      key: `${folder.key} ${workflow.id}`,
      run: last.id,
      error: last.error,
      isOwn: (file) => isWithin(workflow.path, file) || folder.holds(file),
      sentence: `The last execution of ${workflow.name} failed here (${titleOfExecution(last)}).`,
      target: executionUri(folder, last),
    },
  ];
}
