import type { ThrownError } from '../../protocol/host.ts';
import type { DeliveryRecord } from './history/deliveries.ts';
import type { DroppedEvent, NewEvent } from './history/events.ts';
import type { NewLog } from './history/logs.ts';

/** The end of an invocation and everything it did. */
export interface InvocationCommit {
  readonly n: number;
  readonly sourceId: string;
  readonly status: 'succeeded' | 'failed' | 'crashed' | 'cancelled';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly error?: ThrownError;
  /** Ordered, deduped, in the order they are to be seen. */
  readonly events: readonly NewEvent[];
  readonly drops: readonly DroppedEvent[];
  /** Events on reserved channels (`$errors`, `$logs`): told and listed only where one is asked for. */
  readonly notices?: readonly NewEvent[];
  readonly db: readonly { readonly prop: string; readonly key: string; readonly json?: string }[];
  /** Absent when nothing changed. */
  readonly dedupe?: DedupeChange;
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
  readonly deliveries: readonly DeliveryRecord[];
  /** Invocations of listening sources, in order. */
  readonly triggered: readonly { readonly n: number; readonly sourceId: string }[];
}
