/**
 * From what one invocation emitted to what its commit stores: order, dedupe, what is for later, ids,
 * listeners. And from what was for later, once it is due, to its events.
 */
import { mostHops } from '../../../protocol/hops.ts';
import type { Emit } from '../../../protocol/host.ts';
import type { DedupeChange, DueEvent } from '../../store/commit.ts';
import type { DroppedEvent, NewEvent } from '../../store/history/events.ts';
import type { NewScheduledEmit, ScheduledEmit } from '../../store/history/scheduled-emits.ts';
import type { RowsAndBytes } from '../../store/retention.ts';
import type { OwnedEmitter } from '../owner/owned-emitters.ts';
import { dedupe, type DedupeStrategy, type Dropped } from './dedupe.ts';
import type { Listeners } from './listeners.ts';
import { orderEmits } from './order.ts';
import { cutRing } from './ring.ts';
import { hasDeliveryTs, holdBack, partByDueTime } from './schedule.ts';

export interface PlanParts {
  /** See `createEmitIds`. */
  readonly emitId: (now: number) => string;
  readonly listeners: Pick<Listeners, 'of'>;
  /** Most of what one emitter may have waiting for its due time. */
  readonly mostWaiting: RowsAndBytes;
}

export interface EventPlan {
  readonly events: readonly NewEvent[];
  readonly drops: readonly DroppedEvent[];
  /** For later; absent when there is nothing. */
  readonly scheduled?: readonly NewScheduledEmit[] | undefined;
  readonly dedupe?: DedupeChange | undefined;
}

const nothingEmitted: EventPlan = { events: [], drops: [] };

/**
 * @param now epoch ms that the events are indexed at.
 * @param hops of the run's trigger; 0 unless an event led to it.
 */
export function planEvents(
  parts: PlanParts,
  emitter: Pick<OwnedEmitter, 'id' | 'dedupe' | 'eventIds' | 'waitingEmits'>,
  strategy: DedupeStrategy | null,
  emits: readonly Emit[],
  now: number,
  hops: number,
): EventPlan {
  if (emits.length === 0) return nothingEmitted;
  // Before dedupe, which remembers what was emitted.
  const ring = hops < mostHops ? undefined : cutRing(parts.listeners, emitter.id, emits);
  const goOn = ring?.emits ?? emits;
  const offered = goOn.some(hasDeliveryTs)
    ? holdBack(goOn, emitter.waitingEmits, parts.mostWaiting, now)
    : undefined;
  const ordered = orderEmits(offered?.emits ?? goOn);
  const { emitted, dropped, change } = dedupe(strategy, emitter.dedupe, ordered);
  const parted = offered && partByDueTime(emitted, now, hops);
  const drops =
    ring === undefined && offered === undefined
      ? dropped
      : [...dropped, ...(ring?.dropped ?? []), ...(offered?.dropped ?? [])];
  return {
    events: (parted?.now ?? emitted).map((emit) => newEvent(parts, emitter, emit, now)),
    drops: drops.map((drop) => droppedEvent(emitter, drop, now)),
    dedupe: change,
    scheduled: parted === undefined || parted.later.length === 0 ? undefined : parted.later,
  };
}

/** Turns waiting emits into events: dedupe saw them when they were emitted, but the current listeners get them. */
export function planDue(
  parts: PlanParts,
  emitter: Numbered,
  emits: readonly ScheduledEmit[],
  now: number,
): DueEvent[] {
  return emits.map((emit) => {
    const { channel, payload, dedupeId, summary, ts } = emit;
    const audience = parts.listeners.of(emitter.id, channel);
    const event: NewEvent = {
      id: emitter.eventIds.next(now),
      indexedAt: now,
      emitId: parts.emitId(now),
      channel,
      dedupeId: dedupeId ?? undefined,
      summary: summary ?? undefined,
      ts: ts ?? undefined,
      payload,
      webhooks: audience.webhooks,
      triggers: audience.triggers,
    };
    return { emit, event };
  });
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
