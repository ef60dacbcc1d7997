import type { ThrownError } from '../../../protocol/host.ts';

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
  /** Number of the attempt of the run: 1 for the first. */
  readonly attempt: number;
  readonly status: StepStatus;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Number of the leg that it was part of, from 1. */
  readonly leg: number;
  /** JSON text of an object: what it exported by name; null of a block's start. */
  readonly exports: string | null;
  /** JSON text; null when it returned nothing. */
  readonly returnValue: string | null;
  /** JSON text: how it decided about what comes next (`Decision`); null where the next step does. */
  readonly decision: string | null;
  readonly error: ThrownError | null;
  readonly pause: StepPause | null;
  /** JSON text of what is sent at the end of the leg; null if there is nothing, or it was sent. */
  readonly sends: string | null;
  /** JSON text of the evaluated props; null if the file has no expressions in them. */
  readonly props: string | null;
}

export interface StepPause {
  readonly kind: 'delay' | 'suspend' | 'rerun' | 'retry';
  /** Epoch ms; null: until it is resumed. */
  readonly dueAt: number | null;
  /** For a `rerun`: JSON text that the next run gets. */
  readonly context?: string;
  /** For a `retry` of a run that was itself started by `rerun`: the context of that run. */
  readonly rerun?: { readonly context: string };
}

/** Props of one step instead of those of the file (P25.81). */
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
  readonly test?: TestRun | undefined;
}

/** For a test execution: which parts of the workflow run. It emits, delivers and schedules nothing (P25.90). */
export interface TestRun {
  /** Path of the one step or block that runs; absent when all of them do. */
  readonly only?: string;
  /** The results that replace steps, by their names. */
  readonly pins: Readonly<Record<string, Pin>>;
}

/** Results of a step that were kept by name (P25.92): JSON texts, as a step run has them. */
export interface Pin {
  readonly name: string;
  readonly exports: string;
  readonly returnValue: string | null;
}
