import type { Execution, StepRun, Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';

/** The rows of the Workflows view. */
export interface WorkflowNode {
  readonly kind: 'workflow';
  readonly folder: Folder;
  readonly workflow: Workflow;
}
export interface ExecutionNode {
  readonly kind: 'execution';
  readonly folder: Folder;
  readonly execution: Execution;
}
export interface StepNode {
  readonly kind: 'step';
  readonly folder: Folder;
  readonly execution: Execution;
  readonly step: StepRun;
}
export interface MoreExecutionsNode {
  readonly kind: 'moreExecutions';
  readonly folder: Folder;
  readonly workflow: Workflow;
}
