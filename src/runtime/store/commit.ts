import type { DbWrite, ThrownError, Trigger } from '../../protocol/host.ts';
import type { Outgoing } from './history/deliveries.ts';
import type { DroppedEvent, EventRecord, NewEvent } from './history/events.ts';
import type { NewLog } from './history/logs.ts';
import type { NewScheduledEmit, ScheduledEmit } from './history/scheduled-emits.ts';
import type { RowsAndBytes } from './retention.ts';

/** The end of an invocation and everything it did. */
export interface InvocationCommit {
  readonly n: number;
  readonly emitterId: string;
  /** Of the owner that ran it (`TakenEmitter.fence`). */
  readonly fence: number;
  readonly status: 'succeeded' | 'failed' | 'crashed' | 'cancelled';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly error?: ThrownError | undefined;
  /** Ordered, deduped, in the order they are to be seen. */
  readonly events: readonly NewEvent[];
  /** Of the triggers of the runs that its events and notices lead to (`EventTrigger.hops`); 1 unless said. */
  readonly hops?: number;
  readonly drops: readonly DroppedEvent[];
  /** What it emitted and is not due yet, in the order of emission. Absent when there is none. */
  readonly scheduled?: readonly NewScheduledEmit[] | undefined;
  /** Events on reserved channels (`$errors`, `$logs`): told and listed only where one is asked for. */
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

/** What the commit made, for the fan-out. */
export interface CommittedInvocation {
  readonly logIds: readonly number[];
  /** With what they send, so that the usual delivery reads nothing. */
  readonly deliveries: readonly Outgoing[];
  /** Invocations of listening emitters, in order. */
  readonly triggered: readonly TriggeredInvocation[];
}

/** A run that an event of another emitter asks for; it lies in the inbox already. */
export interface TriggeredInvocation {
  readonly n: number;
  readonly emitterId: string;
  readonly trigger: Trigger;
}

/** Scheduled emits that are due become events, all of them in one write. */
export interface DueCommit {
  readonly emitterId: string;
  /** Of its owner (`TakenEmitter.fence`). */
  readonly fence: number;
  /** In the order they are to be seen. */
  readonly events: readonly DueEvent[];
}

/** A scheduled emit and the event that it becomes. */
export interface DueEvent {
  readonly emit: ScheduledEmit;
  readonly event: NewEvent;
}

/** What the commit made, for the fan-out. */
export interface CommittedDue extends RowsAndBytes {
  /** Without those that were cancelled meanwhile. */
  readonly events: readonly EventRecord[];
  readonly deliveries: readonly Outgoing[];
  readonly triggered: readonly TriggeredInvocation[];
}
