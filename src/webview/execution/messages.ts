/**
 * What the page of an execution and its host in the extension say to each other. Types only: the page is a bundle of
 * its own, and the host checks every message it gets (src/extension/execution).
 */
import type {
  Execution,
  GivenResponse,
  Send,
  StepRun,
  StoredTrigger,
  WholeExecution,
} from '../../protocol/catalogue.ts';
import type { StackLink } from '../shared/output-views.ts';

/** A step run as a row of the timeline: nothing in it grows with what the step did. */
export interface StepSummary {
  /** Of this run and attempt, within its execution. */
  readonly key: string;
  readonly path: string;
  readonly run: number;
  readonly attempt: number;
  /** Whether it was not followed by another run of the same step: its status is that of the step. */
  readonly isLast: boolean;
  readonly status: StepRun['status'];
  /** It failed, and the execution continued. */
  readonly continued: boolean;
  /** Epoch ms. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** What it says of itself, how it failed or what it waits for. */
  readonly words: string | null;
  readonly pinned: string | null;
  /** Why its result is stale; null if the files would give the same. */
  readonly stale: string | null;
  readonly pause: { readonly resumesAt: number | null } | null;
}

export interface ExecutionHead {
  readonly id: string;
  /** What started it, such as "POST /orders". */
  readonly title: string;
  /** Name of the workflow. */
  readonly workflow: string;
  readonly status: Execution['status'];
  /** How it ended, where its status does not say it. */
  readonly words: string | null;
  readonly test: boolean;
  readonly traceId: string;
  readonly replayOf: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** What can be done with it now. */
  readonly actions: readonly ExecutionAction[];
}

/** The row above all steps: what started the execution. */
export type TriggerKey = 'trigger';

export type Details =
  | {
      readonly kind: 'trigger';
      readonly trigger: StoredTrigger | null;
      readonly cause: string;
      /** Of the execution, unless a step has it. */
      readonly error: Execution['error'];
      readonly stackLinks: readonly StackLink[];
    }
  | {
      readonly kind: 'step';
      readonly step: StepRun;
      /** Why its result is stale. */
      readonly stale: string | null;
      readonly sends: readonly Send[];
      /** HTTP requests that its code made. */
      readonly requests: WholeExecution['requests'];
      /** What it answered the caller with, where it was the first to. */
      readonly response: GivenResponse | null;
      readonly stackLinks: readonly StackLink[];
      /** What can be done with it now. */
      readonly actions: readonly StepAction[];
    };

/** Host → page. */
export type HostMessage =
  | {
      readonly t: 'execution';
      readonly head: ExecutionHead;
      /** How many of the steps that the page has stay as they are. */
      readonly from: number;
      readonly steps: readonly StepSummary[];
    }
  | { readonly t: 'details'; readonly of: string; readonly details: Details }
  /** Shows the details of a row, as if it had been chosen. */
  | { readonly t: 'choose'; readonly key: string }
  /** Something could not be done; without an execution, it could not be read. */
  | { readonly t: 'problem'; readonly problem: string };

/** What the host does with the execution: all but the last by the command of that name. */
export type ExecutionAction =
  | 'replay'
  | 'retryFailed'
  | 'replayOnFiles'
  | 'cancelExecution'
  | 'saveTest'
  | 'copyCurl'
  | 'openWorkflowPage'
  | 'openWorkflow'
  | 'openText';

/** What the host does with a step: all but the last two by the command of that name. */
export type StepAction =
  | 'resumeExecution'
  | 'skipPause'
  | 'runStep'
  | 'runFromStep'
  | 'runFromStepWith'
  | 'pinStep'
  | 'openCode'
  | 'copyResumeUrl';

/** Page → host. */
export type PageMessage =
  | { readonly t: 'ready' }
  | { readonly t: 'select'; readonly key: string }
  | { readonly t: 'do'; readonly action: ExecutionAction }
  | { readonly t: 'doStep'; readonly action: StepAction; readonly key: string }
  | { readonly t: 'copy'; readonly text: string }
  /** Opens the code of a frame of the stack that is shown; `at` is the index of its link. */
  | { readonly t: 'openFrame'; readonly at: number };

/** What the page keeps while its tab is hidden, and over a reload of the window. */
export interface PageState {
  readonly selected: string | null;
  readonly toggled: readonly string[];
  readonly filter: string;
  readonly scrollTop: number;
}
