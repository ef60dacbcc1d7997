/** Deliveries of what this runtime owns, as its runs commit them. */
import { createDeliveries, type Deliveries } from '../events/delivery/deliveries.ts';
import type { Outgoing } from '../store/history/deliveries.ts';
import type { Sealer } from '../accounts/seal.ts';
import type { Services } from '../events/services.ts';

export interface OwnDeliveriesOptions extends Pick<
  Services,
  'store' | 'signals' | 'emitters' | 'settings' | 'clock' | 'closing' | 'hold' | 'report'
> {
  readonly sealer: Pick<Sealer, 'open'>;
}

/** The result registers its own cleanup with `closing`. */
export function createOwnDeliveries(options: OwnDeliveriesOptions): Deliveries {
  const { store, signals, emitters, settings, sealer, clock, closing, report } = options;
  const deliveries = createDeliveries({
    store,
    fenceOf: (emitterId) => emitters.get(emitterId)?.fence,
    signals,
    clock,
    hold: options.hold,
    random: Math.random,
    openSecret: (sealed) => sealer.open(sealed),
    concurrency: settings['delivery.concurrency'],
    report,
  });
  closing.push(() => deliveries.close());
  // Another node delivers the events of its own runs itself.
  const deliver = (emitterId: string, made: readonly Outgoing[]): void => {
    if (emitters.get(emitterId) !== undefined) deliveries.enqueue(made);
  };
  signals.on('committed', ({ commit, made }) => deliver(commit.emitterId, made.deliveries));
  signals.on('due', ({ emitterId, made }) => deliver(emitterId, made.deliveries));
  return deliveries;
}
