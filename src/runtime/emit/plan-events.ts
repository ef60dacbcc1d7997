/**
 * From what one invocation emitted to what its commit stores: order, dedupe, ids, listeners.
 *
 * `Emit.deliveryTs` (P10.13) is not followed: such an event goes
 * out at once. Postponing it needs a channel `$in` for what waits, and no real component asks for it.
 */
import type { Emit } from '../../protocol/host.ts';
import type { DedupeChange } from '../store/commit.ts';
import type { DroppedEvent, NewEvent } from '../store/history/events.ts';
import { dedupe, type DedupeState, type DedupeStrategy, type Dropped } from './dedupe.ts';
import type { EventIds } from './event-ids.ts';
import type { Listeners } from './listeners.ts';
import { orderEmits } from './order.ts';

export interface PlanParts {
  readonly ids: EventIds;
  /** See `createEmitIds`. */
  readonly emitId: (now: number) => string;
  readonly listeners: Pick<Listeners, 'of'>;
}

export interface EventPlan {
  readonly events: readonly NewEvent[];
  readonly drops: readonly DroppedEvent[];
  readonly dedupe?: DedupeChange;
}

const nothingEmitted: EventPlan = { events: [], drops: [] };

/** @param now epoch ms that the events are indexed at. */
export function planEvents(
  parts: PlanParts,
  source: { readonly id: string; readonly strategy: DedupeStrategy | null },
  state: DedupeState,
  emits: readonly Emit[],
  now: number,
): EventPlan {
  if (emits.length === 0) return nothingEmitted;
  const { emitted, dropped, change } = dedupe(source.strategy, state, orderEmits(emits));
  return {
    events: emitted.map((emit) => newEvent(parts, source.id, emit, now)),
    drops: dropped.map((drop) => droppedEvent(parts, drop, now)),
    ...(change !== undefined && { dedupe: change }),
  };
}

function newEvent(parts: PlanParts, sourceId: string, emit: Emit, now: number): NewEvent {
  const channel = emit.name ?? '';
  const audience = parts.listeners.of(sourceId, channel);
  return {
    id: parts.ids.next(now),
    indexedAt: now,
    emitId: parts.emitId(now),
    channel,
    ...metadata(emit),
    ...(emit.ts !== undefined && { ts: emit.ts }),
    payload: emit.event,
    webhooks: audience.webhooks,
    sources: audience.sources,
  };
}

/** Dropped ones have ids of the same series, so that a listing can show both in order. */
function droppedEvent(parts: PlanParts, { emit, reason }: Dropped, now: number): DroppedEvent {
  return {
    id: parts.ids.next(now),
    at: now,
    channel: emit.name ?? '',
    ...metadata(emit),
    payload: emit.event,
    reason,
  };
}

function metadata(emit: Emit): { dedupeId?: string | number; summary?: string } {
  return {
    ...(emit.id !== undefined && { dedupeId: emit.id }),
    ...(emit.summary !== undefined && { summary: emit.summary }),
  };
}
