import { mostHops } from '../../../protocol/hops.ts';
import type { Emit } from '../../../protocol/host.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { OwnedEmitter } from '../owner/owned-emitters.ts';
import type { DroppedEvent, NewEvent } from '../../store/history/events.ts';
import type { DueEvent } from '../../store/commit.ts';
import type { ScheduledEmit } from '../../store/history/scheduled-emits.ts';
import type { DedupeStrategy } from './dedupe.ts';
import { type EndedRun, noticeOn, reservedChannels } from './notices.ts';
import { planDue, planEvents, type EventPlan, type PlanParts } from './plan-events.ts';
import { ringReason } from './ring.ts';

/** A run's events on the reserved channels. */
export type Notices = Pick<EventPlan, 'events' | 'drops'>;

export interface EventPlannerOptions extends PlanParts {
  /** Current strategy of the emitter; null without one or if the emitter is gone. */
  readonly strategy: (emitterId: string) => DedupeStrategy | null;
}

/** Plans the events of invocation after invocation and keeps up to date what dedupe remembers and what waits. */
export class EventPlanner {
  readonly #options: EventPlannerOptions;

  constructor(options: EventPlannerOptions) {
    this.#options = options;
  }

  /**
   * The plan has to be committed before any later one of the emitter, which already rests on it.
   *
   * @param now epoch ms that the events are indexed at.
   * @param hops of the run's trigger; 0 unless an event led to it.
   */
  plan(emitter: OwnedEmitter, emits: readonly Emit[], now: number, hops = 0): EventPlan {
    const strategy = this.#options.strategy(emitter.id);
    const plan = planEvents(this.#options, emitter, strategy, emits, now, hops);
    if (plan.dedupe !== undefined) emitter.dedupe.apply(plan.dedupe);
    if (plan.scheduled !== undefined) emitter.waitingEmits.add(plan.scheduled);
    return plan;
  }

  /**
   * The events of what is due. To be committed in the order of planning, as `plan`.
   * @param now epoch ms that the events are indexed at
   */
  due(emitter: OwnedEmitter, emits: readonly ScheduledEmit[], now: number): DueEvent[] {
    return planDue(this.#options, emitter, emits, now);
  }

  /**
   * What a run emits on the reserved channels; undefined in the usual case that nobody listens there and no list has
   * it. An emitter never receives notices of its own runs, because it would run without end. A notice that would
   * continue a ring is dropped.
   */
  notices(emitter: OwnedEmitter, run: () => EndedRun, now: number): Notices | undefined {
    const { emitId, listeners } = this.#options;
    let notices: { readonly events: NewEvent[]; readonly drops: DroppedEvent[] } | undefined;
    for (const channel of reservedChannels) {
      const { webhooks, triggers } = listeners.of(emitter.id, channel);
      const isListed = channel === '$errors' && kindOf(emitter.id) === 'workflow';
      if (!isListed && webhooks.length + triggers.length === 0) continue;
      const others = triggers.filter((id) => id !== emitter.id);
      if (!isListed && webhooks.length + others.length === 0) continue;
      const ended = run();
      const notice = noticeOn(channel, ended);
      if (notice === undefined) continue;
      notices ??= { events: [], drops: [] };
      const id = emitter.eventIds.next(now);
      if (others.length > 0 && ended.hops >= mostHops) {
        notices.drops.push({ id, at: now, channel, ...notice, reason: ringReason });
        continue;
      }
      const event = { id, indexedAt: now, emitId: emitId(now), channel, ...notice };
      notices.events.push({ ...event, webhooks, triggers: others });
    }
    return notices;
  }
}
