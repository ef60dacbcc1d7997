import { type EventId, formatEventId } from '../event-id.ts';
import type { EmitterOwner } from '../emitter-owner.ts';
import type { PageOf, PageRequest } from '../page.ts';
import type { RowsAndBytes } from '../retention.ts';

/** An emit that becomes an event later, as a run's commit keeps it (P10.13). */
export interface NewScheduledEmit {
  /** Epoch ms, a whole number. */
  readonly dueAt: number;
  /** When the run ended that emitted it, epoch ms. */
  readonly scheduledAt: number;
  /** Channel, '' for the default one. */
  readonly channel: string;
  readonly dedupeId?: string | number | undefined;
  readonly summary?: string | undefined;
  readonly ts?: number | undefined;
  /** JSON text, never parsed by the store. */
  readonly payload: string;
  /** Hops of the triggers of the runs that its event starts (`EventTrigger.hops`). */
  readonly hops: number;
}

/** An emit that waits. */
export interface ScheduledEmit {
  /** Number of the event that it becomes: those of one commit ascend in the order of emission. */
  readonly n: number;
  readonly emitterId: string;
  /** The run that emitted it. */
  readonly invocation: number;
  readonly dueAt: number;
  readonly scheduledAt: number;
  readonly channel: string;
  readonly dedupeId: string | number | null;
  readonly summary: string | null;
  readonly ts: number | null;
  readonly payload: string;
  readonly hops: number;
}

/** Its place in the order of due time, then of emission; also how a list names it. */
export function placeOf({ dueAt, n }: Pick<ScheduledEmit, 'dueAt' | 'n'>): EventId {
  return { ms: dueAt, seq: n };
}

export function scheduledEmitId(emit: Pick<ScheduledEmit, 'dueAt' | 'n'>): string {
  return formatEventId(placeOf(emit));
}

/** What the owner of an emitter knows of its waiting emits. */
export interface WaitingEmits extends RowsAndBytes {
  /** When the earliest is due, epoch ms; undefined when none waits. */
  readonly nextAt: number | undefined;
}

export interface ScheduledEmitTable {
  get(emitterId: string, place: EventId): Promise<ScheduledEmit | undefined>;
  /** The last to be due first, as events are listed; cursors are ids (`scheduledEmitId`). */
  list(emitterId: string, page: PageRequest): Promise<PageOf<ScheduledEmit>>;
  /**
   * The due emits, in the order they become events: at least one, at most `most`.
   * @param at epoch ms
   * @returns `nextAt`: when the next one after them is due; undefined if there is none
   */
  due(
    emitterId: string,
    at: number,
    most: RowsAndBytes,
  ): Promise<{ readonly emits: readonly ScheduledEmit[]; readonly nextAt: number | undefined }>;
  /** Both ends included. Resolves to what went. */
  cancel(
    owner: EmitterOwner,
    range: { readonly start?: EventId; readonly end?: EventId },
  ): Promise<RowsAndBytes>;
}
