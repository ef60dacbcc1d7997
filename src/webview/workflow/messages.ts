/**
 * What the page of a workflow and its host in the extension say to each other. Types only: the page is a bundle of its
 * own, and the host checks every message it gets (src/extension/workflow-page).
 */
import type { ExecutionStatus, Pin } from '../../protocol/catalogue.ts';

/** What is left with VS Code to find the page again after a reload of the window. */
export interface WorkflowSubject {
  readonly runtime: string;
  /** `p_…` */
  readonly workflowId: string;
}

/** An execution as a point of the plots. */
export interface Point {
  readonly id: string;
  /** What started it, such as "POST /orders". */
  readonly title: string;
  readonly status: ExecutionStatus;
  /** How it ended or what it waits for; null where its status says it all. */
  readonly words: string | null;
  /** Epoch ms: when it came. */
  readonly at: number;
  /** Ms from its start to its end, pauses included; null until it has ended, and of what never began. */
  readonly took: number | null;
}

/** Executions that failed at the same step with the same error, but for the numbers in it. */
export interface FailureGroup {
  /** Path without items of loops; null where no step is at fault. */
  readonly step: string | null;
  /** Of the newest: its name and the first line of its message. */
  readonly error: string;
  /** Newest first. */
  readonly ids: readonly string[];
  /** Epoch ms: the newest. */
  readonly at: number;
  /** The executions to retry, oldest first: no retry made them good, and none is in progress. */
  readonly open: readonly string[];
  /** `good` when the newest retry of each has succeeded, `pending` while retries are in progress. */
  readonly retries: 'good' | 'open' | 'pending';
}

export interface WorkflowPage {
  readonly subject: WorkflowSubject;
  readonly name: string;
  readonly active: boolean;
  /** Its triggers, in words. */
  readonly triggers: readonly string[];
  /** Executions that are kept, tests and replays included. */
  readonly total: number;
  /** The newest, oldest first; without tests. */
  readonly points: readonly Point[];
  /** Of the newest executions those that have not ended, newest first. */
  readonly open: readonly Point[];
  /** Those with the newest failure first. */
  readonly failures: readonly FailureGroup[];
  readonly pins: readonly Pin[];
  /** What can be done with it now. */
  readonly actions: readonly WorkflowAction[];
}

/** Host → page. */
export type HostMessage =
  | { readonly t: 'workflow'; readonly page: WorkflowPage }
  /** Something could not be done; before the page is there, it could not be read. */
  | { readonly t: 'problem'; readonly problem: string };

/** What the host does with the workflow, by the command of that name. */
export type WorkflowAction =
  | 'runWithEvent'
  | 'retryFailed'
  | 'replayOnFiles'
  | 'cancelAllExecutions'
  | 'managePins'
  | 'openWorkflow'
  | 'openInBuilder';

/** Page → host. */
export type PageMessage =
  | { readonly t: 'ready' }
  /** Shows an execution. */
  | { readonly t: 'open'; readonly id: string }
  | { readonly t: 'cancel'; readonly id: string }
  /** Retries what is open of a group of failures; `at` is its place in the list. */
  | { readonly t: 'retry'; readonly at: number }
  | { readonly t: 'openPin'; readonly at: number }
  | { readonly t: 'do'; readonly action: WorkflowAction };

/** What the page keeps while its tab is hidden, and over a reload of the window. */
export interface PageState {
  readonly subject: WorkflowSubject | null;
  readonly scrollTop: number;
}
