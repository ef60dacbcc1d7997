import type { StaleStep } from '../../client/stale-reason.ts';
import type { Execution, Pin, StepRun, Workflow } from '../../protocol/catalogue.ts';
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
  /** Set if the step's result was made with something older than the current files. */
  readonly stale?: StaleStep | undefined;
}
/** Above the pins of a workflow. */
export interface PinsNode {
  readonly kind: 'pins';
  readonly folder: Folder;
  readonly workflow: Workflow;
  readonly pins: readonly Pin[];
}
export interface PinNode {
  readonly kind: 'pin';
  readonly folder: Folder;
  readonly workflow: Workflow;
  readonly pin: Pin;
}
export interface MoreExecutionsNode {
  readonly kind: 'moreExecutions';
  readonly folder: Folder;
  readonly workflow: Workflow;
}
