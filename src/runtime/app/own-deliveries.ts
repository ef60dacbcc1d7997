/** Deliveries of what this runtime owns, as its runs commit them. */
import type { Clock } from '../base/clock.ts';
import type { Closing } from '../base/closing.ts';
import { createDeliveries, type Deliveries } from '../events/delivery/deliveries.ts';
import type { OwnedEmitters } from '../events/owner/owned-emitters.ts';
import type { Settings } from '../base/settings.ts';
import type { Signals } from '../events/signals.ts';
import type { Outgoing } from '../store/history/deliveries.ts';
import type { Store } from '../store/store.ts';

export interface OwnDeliveriesOptions {
  readonly store: Store;
  readonly signals: Signals;
  readonly emitters: OwnedEmitters;
  readonly settings: Settings;
  readonly openSecret: (sealed: string) => string;
  readonly clock: Clock;
  readonly closing: Closing;
  readonly report: (where: string, error: unknown) => void;
}

/** Whoever calls it lets `closing` close what was made. */
export function createOwnDeliveries(options: OwnDeliveriesOptions): Deliveries {
  const { store, signals, emitters, settings, openSecret, clock, closing, report } = options;
  const deliveries = createDeliveries({
    store,
    fenceOf: (emitterId) => emitters.get(emitterId)?.fence,
    signals,
    clock,
    random: Math.random,
    openSecret,
    concurrency: settings['delivery.concurrency'],
    report,
  });
  closing.push(() => deliveries.close());
  // What another node tells of its runs it delivers itself.
  const deliver = (emitterId: string, made: readonly Outgoing[]): void => {
    if (emitters.get(emitterId) !== undefined) deliveries.enqueue(made);
  };
  signals.on('committed', ({ commit, made }) => deliver(commit.emitterId, made.deliveries));
  signals.on('due', ({ emitterId, made }) => deliver(emitterId, made.deliveries));
  return deliveries;
}
