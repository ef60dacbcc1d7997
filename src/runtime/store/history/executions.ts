import type { ThrownError, Trigger } from '../../../protocol/host.ts';
import type { NewLog, LogRecord } from './logs.ts';

/** What an invocation of a workflow has beside that of a source. Absent until its first step has ended. */
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
}

/** Props of one step in place of those of the file (W44). */
export interface StepOverride {
  readonly path: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Unique. */
  readonly name: string;
}

/** An execution that begins with steps of another one. */
export interface NewJournal {
  readonly deploymentId: string;
  /** In order. */
  readonly steps: readonly StepRun[];
  readonly override?: StepOverride | undefined;
}

/** How a step run ended. `retrying` runs again when it is due; `paused` waits. */
export type StepStatus = 'succeeded' | 'failed' | 'retrying' | 'paused' | 'cancelled';

/** The journal entry of a step: one run of it. */
export interface StepRun {
  /** From 1, in the order of the commits. */
  readonly seq: number;
  readonly path: string;
  readonly namespace: string;
  /** 1 for the first; more when `$.flow.rerun` runs it again. */
  readonly run: number;
  /** Of the run: 1 for the first. */
  readonly attempt: number;
  readonly status: StepStatus;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Of which stretch between pauses it was part, from 1. */
  readonly leg: number;
  /** JSON text of an object: what it exported by name; null of a block's start. */
  readonly exports: string | null;
  /** JSON text; null when it returned nothing. */
  readonly returnValue: string | null;
  /** JSON text: how it decided about what comes next (`Decision`); null where the next step does. */
  readonly decision: string | null;
  readonly error: ThrownError | null;
  readonly pause: StepPause | null;
  /** JSON text of what goes out at the end of the leg; null when there is none, or it has gone out. */
  readonly sends: string | null;
}

export interface StepPause {
  readonly kind: 'delay' | 'suspend' | 'rerun' | 'retry';
  /** Epoch ms; null: until it is resumed. */
  readonly dueAt: number | null;
  /** Of a `rerun`: JSON text that the next run gets. */
  readonly context?: string;
  /** Of a `retry` of a run that was itself asked for by `rerun`: what that one was given. */
  readonly rerun?: { readonly context: string };
}

/** A step run before it is stored, with what it logged. */
export interface NewStepRun extends StepRun {
  readonly logs: readonly NewLog[];
}

/** What a hit names that cancels an execution as a whole. */
export const wholeExecution = { path: '', run: 0 } as const;

/** A request that resumes or cancels a pause; it may come before the pause is stored (W17). */
export interface ResumeHit {
  readonly execution: number;
  readonly path: string;
  /** Of the step; negative: the number of the attempt whose try again it asks for at once. */
  readonly run: number;
  readonly action: 'resume' | 'cancel';
  /** Undefined of one by hand. */
  readonly trigger: Trigger | undefined;
}

export interface StoredStepRun extends StepRun {
  readonly logs: readonly LogRecord[];
}
