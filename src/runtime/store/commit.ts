import type { DbWrite, ThrownError, Trigger } from '../../protocol/host.ts';
import type { Outgoing } from './history/deliveries.ts';
import type { DroppedEvent, EventRecord, NewEvent } from './history/events.ts';
import type { NewStepRun } from './history/executions.ts';
import type { NewLog } from './history/logs.ts';
import type { NewScheduledEmit, ScheduledEmit } from './history/scheduled-emits.ts';
import type { InvocationCause } from './history/invocations.ts';
import type { NewSend, SendRecord } from './history/sends.ts';
import type { StreamMessage } from './history/streams.ts';
import type { RowsAndBytes } from './retention.ts';

/** The end of an invocation and everything it did. */
export interface InvocationCommit {
  readonly n: number;
  readonly emitterId: string;
  /** Fence of the owner that ran it (`TakenEmitter.fence`). */
  readonly fence: number;
  readonly status: 'succeeded' | 'failed' | 'crashed' | 'cancelled';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly error?: ThrownError | undefined;
  /** Ordered, deduped, in the order they are to be seen. */
  readonly events: readonly NewEvent[];
  /** Hops of the triggers of runs that its events and notices start (`EventTrigger.hops`); 1 unless given. */
  readonly hops?: number;
  readonly drops: readonly DroppedEvent[];
  /** Emits that are not due yet, in the order of emission. Absent if there are none. */
  readonly scheduled?: readonly NewScheduledEmit[] | undefined;
  /** Events on reserved channels (`$errors`, `$logs`): sent and listed only on request. */
  readonly notices?: readonly NewEvent[] | undefined;
  readonly db: readonly DbWrite[];
  /** Absent when nothing changed. */
  readonly dedupe?: DedupeChange | undefined;
  readonly logs: readonly NewLog[];
  /** Takes the trigger away: it cannot be run again. */
  readonly forgetTrigger?: boolean;
}

/** Increment of a DedupeRecord: writing all of it with each event would cost kilobytes. */
export interface DedupeChange {
  readonly strategy: string;
  /** `unique`: ids to append; the table keeps the newest 100. `reset` empties it first. */
  readonly append?: readonly string[];
  readonly greatest?: number;
  readonly last?: string;
  readonly reset?: boolean;
}

/** The stored results of the commit, for the fan-out. */
export interface CommittedInvocation {
  readonly logIds: readonly number[];
  /** With what they send, so that the usual delivery reads nothing. */
  readonly deliveries: readonly Outgoing[];
  /** Invocations of listening emitters, in order. */
  readonly triggered: readonly TriggeredInvocation[];
  /** For a workflow: the sends, and the messages of its stream. */
  readonly sends?: readonly SendRecord[];
  readonly messages?: readonly StreamMessage[];
  /** A person has to be notified of its error. */
  readonly isToBeTold?: boolean;
}

/** A run that an event of another emitter started; it is in the inbox already. */
export interface TriggeredInvocation {
  readonly n: number;
  readonly emitterId: string;
  readonly trigger: Trigger;
  /** `event` unless given. */
  readonly cause?: InvocationCause;
}

/** Scheduled emits that are due become events, all of them in one write. */
export interface DueCommit {
  readonly emitterId: string;
  /** Fence of its owner (`TakenEmitter.fence`). */
  readonly fence: number;
  /** In the order they are to be seen. */
  readonly events: readonly DueEvent[];
}

/** A scheduled emit and the event that it becomes. */
export interface DueEvent {
  readonly emit: ScheduledEmit;
  readonly event: NewEvent;
}

/** The stored results of the commit, for the fan-out. */
export interface CommittedDue extends RowsAndBytes {
  /** The events without those that were cancelled meanwhile. */
  readonly events: readonly EventRecord[];
  readonly deliveries: readonly Outgoing[];
  readonly triggered: readonly TriggeredInvocation[];
}

/**
 * The end of a step of a workflow, or of its execution, and what goes out with it: all or nothing. The next step
 * begins when it is on disk.
 */
export interface StepCommit {
  /** Number of the execution. */
  readonly n: number;
  readonly emitterId: string;
  /** Fence of its owner (`TakenEmitter.fence`). */
  readonly fence: number;
  readonly deploymentId: string;
  /** Epoch ms of the execution's start. */
  readonly startedAt: number;
  /** Absent where nothing ran: of an execution that is dropped, cancelled, or has no steps. */
  readonly step?: NewStepRun | undefined;
  /** The stretch that this is part of, from 1. */
  readonly leg: number;
  /** It was paused until now: the step runs that waited, with their new state. */
  readonly resumed?: readonly ResumedStep[] | undefined;
  /** The answer since the last commit, as JSON text. */
  readonly response?: string | undefined;
  /** The execution waits until then; null: until it is resumed. */
  readonly pause?: { readonly wakeAt: number | null } | undefined;
  readonly end?: ExecutionEnd | undefined;
  /**
   * The sends besides events, and the executions of other workflows, at the end of a leg; for a test they are only
   * kept.
   */
  readonly sends: readonly NewSend[];
  readonly isTest?: boolean;
  /** Whether sends were kept with the steps of this leg until now. */
  readonly sendsOut: boolean;
  readonly events: readonly NewEvent[];
  readonly hops?: number;
  readonly drops: readonly DroppedEvent[];
  readonly notices?: readonly NewEvent[] | undefined;
  /** Keys of a step's db have its path before the prop. */
  readonly db: readonly DbWrite[];
  /** Beside those of the step. */
  readonly logs: readonly NewLog[];
  /** Takes away its trigger and its steps: only that it ran is kept (P25.5). */
  readonly forget?: boolean;
  /** It was interrupted before, and got further this time: its attempts are counted from zero again (P25.22). */
  readonly progressed?: boolean;
  /** For a failed execution: whom to notify, unless they were notified of the same error within a day. */
  readonly notification?: ErrorNotification | undefined;
  /** Emits of its steps for a later time, at the end of a leg. */
  readonly scheduled?: readonly NewScheduledEmit[] | undefined;
  /** Its waiting steps will not continue. */
  readonly leavesWaiting?: boolean;
}

export interface ErrorNotification {
  /** Tells errors of a workflow apart. */
  readonly error: string;
  /** Undefined where no mails go out. */
  readonly mail?: NewSend | undefined;
}

export interface ResumedStep {
  readonly seq: number;
  /** JSON text: with `$resume_data`. */
  readonly exports: string | null;
}

export interface ExecutionEnd {
  readonly status: ExecutionStatus;
  readonly at: number;
  readonly reason: string | null;
  readonly error?: ThrownError | undefined;
}

export type ExecutionStatus =
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'crashed'
  | 'timed_out'
  | 'dropped';
