/**
 * From what one invocation emitted to what its commit stores: order, dedupe, ids, listeners.
 *
 * `Emit.deliveryTs` (P10.13) is not followed: such an event goes
 * out at once. Postponing it needs a channel `$in` for what waits, and no real component asks for it.
 */
import { mostHops } from '../../protocol/hops.ts';
import type { Emit } from '../../protocol/host.ts';
import type { DedupeChange } from '../store/commit.ts';
import type { DroppedEvent, NewEvent } from '../store/history/events.ts';
import type { OwnedEmitter } from '../emitters/owned-emitters.ts';
import { dedupe, type DedupeStrategy, type Dropped } from './dedupe.ts';
import type { Listeners } from './listeners.ts';
import { orderEmits } from './order.ts';
import { cutRing } from './ring.ts';

export interface PlanParts {
  /** See `createEmitIds`. */
  readonly emitId: (now: number) => string;
  readonly listeners: Pick<Listeners, 'of'>;
}

export interface EventPlan {
  readonly events: readonly NewEvent[];
  readonly drops: readonly DroppedEvent[];
  readonly dedupe?: DedupeChange | undefined;
}

const nothingEmitted: EventPlan = { events: [], drops: [] };

/**
 * @param now epoch ms that the events are indexed at.
 * @param hops of the run's trigger; 0 unless an event led to it.
 */
export function planEvents(
  parts: PlanParts,
  emitter: Pick<OwnedEmitter, 'id' | 'dedupe' | 'eventIds'>,
  strategy: DedupeStrategy | null,
  emits: readonly Emit[],
  now: number,
  hops: number,
): EventPlan {
  if (emits.length === 0) return nothingEmitted;
  // Before dedupe, which remembers what was emitted.
  const ring = hops < mostHops ? undefined : cutRing(parts.listeners, emitter.id, emits);
  const ordered = orderEmits(ring?.emits ?? emits);
  const { emitted, dropped, change } = dedupe(strategy, emitter.dedupe, ordered);
  const drops = ring === undefined ? dropped : [...dropped, ...ring.dropped];
  return {
    events: emitted.map((emit) => newEvent(parts, emitter, emit, now)),
    drops: drops.map((drop) => droppedEvent(emitter, drop, now)),
    dedupe: change,
  };
}

type Numbered = Pick<OwnedEmitter, 'id' | 'eventIds'>;

function newEvent(parts: PlanParts, emitter: Numbered, emit: Emit, now: number): NewEvent {
  const channel = emit.name ?? '';
  const audience = parts.listeners.of(emitter.id, channel);
  return {
    id: emitter.eventIds.next(now),
    indexedAt: now,
    emitId: parts.emitId(now),
    channel,
    dedupeId: emit.id,
    summary: emit.summary,
    ts: emit.ts,
    payload: emit.event,
    webhooks: audience.webhooks,
    triggers: audience.triggers,
  };
}

/** Dropped ones have ids of the same series, so that a listing can show both in order. */
function droppedEvent(
  { eventIds }: Numbered,
  { emit, reason }: Dropped,
  now: number,
): DroppedEvent {
  return {
    id: eventIds.next(now),
    at: now,
    channel: emit.name ?? '',
    dedupeId: emit.id,
    summary: emit.summary,
    payload: emit.event,
    reason,
  };
}
