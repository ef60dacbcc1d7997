import type { Trigger } from '../../../protocol/host.ts';
import type { OutgoingRequest } from '../../../protocol/outgoing-request.ts';
import type { InvocationRecord } from './invocations.ts';
import type { NewLog, LogRecord } from './logs.ts';
import type { StepOverride, StepRun, TestRun } from './step-runs.ts';

export type {
  NewJournal,
  Pin,
  StepOverride,
  StepPause,
  StepRun,
  StepStatus,
  TestRun,
} from './step-runs.ts';

/** The state of an invocation of a workflow, besides that of a source. Absent until its first step has ended. */
export interface ExecutionState {
  readonly deploymentId: string;
  /** Stretches between pauses that have ended. */
  readonly legs: number;
  /** Epoch ms; null while nothing but a request ends the pause. */
  readonly wakeAt: number | null;
  /** Why it ended, where its status does not say it: what `$.flow.exit` was given, why it was dropped. */
  readonly reason: string | null;
  /** Null unless it was replayed with other props. */
  readonly override: StepOverride | null;
  /** Null unless it is a test. */
  readonly test: TestRun | null;
  /** JSON text of what `$.respond` was given first (`KeptResponse`); null while nothing was. */
  readonly response: string | null;
}

/** A step run before it is stored, with what it logged. */
export interface NewStepRun extends StepRun {
  readonly logs: readonly NewLog[];
  /** JSON text of the `OutgoingRequest`s that it made; absent when it made none, or they are not kept. */
  readonly requests?: string | undefined;
}

/** A request that resumes or cancels a pause; it may come before the pause is stored (P25.41). */
export interface ResumeHit {
  readonly execution: number;
  readonly path: string;
  /** Number of the step's run; negative: the number of the attempt whose retry it starts at once. */
  readonly run: number;
  /** `due`: as if the time had come that it waits for. */
  readonly action: 'resume' | 'cancel' | 'due';
  /** Undefined of one by hand. */
  readonly trigger: Trigger | undefined;
}

/** HTTP requests that a step run made. */
export interface StepRequestsRecord {
  /** Sequence number of the step run. */
  readonly seq: number;
  readonly requests: readonly OutgoingRequest[];
}

export interface StoredStepRun extends StepRun {
  readonly logs: readonly LogRecord[];
}

/** The outcome of a request to resume or cancel. */
export type HitOutcome = 'taken' | 'late' | 'unknown';

/** An execution that runs or waits for its turn: its state that is in no row yet. */
export interface LiveExecution {
  readonly record: InvocationRecord;
  readonly leg: number;
  readonly running: readonly LiveStep[];
}

/** A step that runs now. */
export interface LiveStep {
  readonly path: string;
  readonly run: number;
  readonly attempt: number;
  /** Epoch ms. */
  readonly startedAt: number;
}
