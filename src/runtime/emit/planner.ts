import type { Emit } from '../../protocol/host.ts';
import type { NewEvent } from '../store/history/events.ts';
import type { DedupeStrategy } from './dedupe.ts';
import type { DedupeStates } from './dedupe-states.ts';
import { type EndedRun, noticeOn, reservedChannels } from './notices.ts';
import { planEvents, type EventPlan, type PlanParts } from './plan-events.ts';

export interface EventPlannerOptions extends PlanParts {
  readonly states: DedupeStates;
  /** Of the source's definition as it is now; null without one or when the source is gone. */
  readonly strategy: (sourceId: string) => DedupeStrategy | null;
}

/** Plans the events of invocation after invocation and keeps what dedupe remembers up to date. */
export class EventPlanner {
  readonly #options: EventPlannerOptions;

  constructor(options: EventPlannerOptions) {
    this.#options = options;
  }

  /**
   * The plan has to be committed before any later one of the source, which already rests on it.
   * When that commit fails, call `forget`.
   *
   * @param now epoch ms that the events are indexed at.
   */
  plan(sourceId: string, emits: readonly Emit[], now: number): EventPlan {
    const { states, strategy } = this.#options;
    const source = { id: sourceId, strategy: strategy(sourceId) };
    const plan = planEvents(this.#options, source, states.get(sourceId), emits, now);
    if (plan.dedupe !== undefined) states.apply(sourceId, plan.dedupe);
    return plan;
  }

  /**
   * What a run tells on the reserved channels; undefined in the usual case that nobody listens there.
   * A source never hears of its own runs: it would run for ever.
   */
  notices(sourceId: string, run: () => EndedRun, now: number): readonly NewEvent[] | undefined {
    const { ids, emitId, listeners } = this.#options;
    let notices: NewEvent[] | undefined;
    for (const channel of reservedChannels) {
      const { webhooks, sources } = listeners.of(sourceId, channel);
      const others = sources.filter((id) => id !== sourceId);
      if (webhooks.length + others.length === 0) continue;
      const notice = noticeOn(channel, run());
      if (notice === undefined) continue;
      const event = { id: ids.next(now), indexedAt: now, emitId: emitId(now), channel, ...notice };
      (notices ??= []).push({ ...event, webhooks, sources: others });
    }
    return notices;
  }

  /** The source is gone, or a commit failed: what is stored about it is read again. */
  forget(sourceId: string): void {
    this.#options.states.forget(sourceId);
  }
}
