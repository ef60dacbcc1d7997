import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { ExecutionEditors } from '../execution/execution-editors.ts';
import { WorkflowPages } from '../workflow-page/workflow-pages.ts';
import { ErrorNotifications } from './error-notifications.ts';
import { ExecutionDocuments } from './execution-documents.ts';
import { markExecutions } from './execution-problems.ts';
import { StaleMarks } from './stale-marks.ts';
import { WholeExecutions } from './whole-executions.ts';
import { WorkflowChecks } from './workflow-checks.ts';
import { WorkflowDevMode } from './workflow-dev-mode.ts';
import { WorkflowLenses } from './workflow-lenses.ts';
import { WorkflowProblems } from './workflow-problems.ts';
import { WorkflowsView } from './workflows-view.ts';

/** Parts that commands about workflows work with. */
export interface WorkflowParts extends vscode.Disposable {
  readonly view: WorkflowsView;
  readonly whole: WholeExecutions;
  /** For all views that show results of steps. */
  readonly stale: StaleMarks;
  readonly pages: WorkflowPages;
  readonly executions: ExecutionEditors;
  readonly problems: WorkflowProblems;
  readonly dev: WorkflowDevMode;
  /** By the path of `workflow.yaml`: ids of the workflows that were tested in this window, deployed or not. */
  readonly tested: Map<string, string>;
}

/** Registers the tree, the lenses and the documents of workflows. */
export function createWorkflowParts(
  folders: Folders,
  extensionUri: vscode.Uri,
  output: vscode.LogOutputChannel,
  clock: Clock,
): WorkflowParts {
  const whole = new WholeExecutions(folders);
  const problems = new WorkflowProblems();
  const dev = new WorkflowDevMode(folders, problems, output, clock);
  const stale = new StaleMarks(folders, whole, clock);
  const view = new WorkflowsView(folders, whole, stale, dev, clock);
  const executions = new ExecutionEditors({ folders, whole, stale, extensionUri, output, clock });
  const pages = new WorkflowPages({ folders, executions, extensionUri, output, clock });
  const disposables = vscode.Disposable.from(
    whole,
    stale,
    pages,
    problems,
    dev,
    view,
    executions,
    new WorkflowChecks(folders, clock),
    new WorkflowLenses(folders, whole, dev, clock),
    markExecutions(folders),
    new ErrorNotifications(folders, executions),
    new ExecutionDocuments(folders, whole, clock),
  );
  return {
    view,
    whole,
    stale,
    pages,
    executions,
    problems,
    dev,
    tested: new Map(),
    dispose: () => disposables.dispose(),
  };
}
