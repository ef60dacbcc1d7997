import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { ErrorNotifications } from './error-notifications.ts';
import { ExecutionDocuments } from './execution-documents.ts';
import { markExecutions } from './execution-problems.ts';
import { WholeExecutions } from './whole-executions.ts';
import { WorkflowChecks } from './workflow-checks.ts';
import { WorkflowLenses } from './workflow-lenses.ts';
import { WorkflowProblems } from './workflow-problems.ts';
import { WorkflowsView } from './workflows-view.ts';

/** What commands about workflows work with. */
export interface WorkflowParts extends vscode.Disposable {
  readonly view: WorkflowsView;
  readonly whole: WholeExecutions;
  readonly problems: WorkflowProblems;
}

/** Registers the tree, the lenses and the documents of workflows. */
export function createWorkflowParts(folders: Folders, clock: Clock): WorkflowParts {
  const whole = new WholeExecutions(folders);
  const problems = new WorkflowProblems();
  const view = new WorkflowsView(folders, whole, clock);
  const disposables = vscode.Disposable.from(
    whole,
    problems,
    view,
    new WorkflowChecks(folders, clock),
    new WorkflowLenses(folders, whole, clock),
    markExecutions(folders),
    new ErrorNotifications(folders),
    new ExecutionDocuments(folders, whole, clock),
  );
  return { view, whole, problems, dispose: () => disposables.dispose() };
}
