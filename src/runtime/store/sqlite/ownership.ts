import { kindOf } from '../../../protocol/ids.ts';
import type { DeliveryRecord } from '../history/deliveries.ts';
import type { Ownership, TakenEmitter } from '../ownership.ts';
import type { EmitterKey } from './emitter-keys.ts';
import type { Engine } from './engine.ts';
import type { Deliveries } from './tables/deliveries.ts';
import { readDb, readDedupe } from './tables/emitter-state.ts';
import type { Invocations } from './tables/invocations.ts';
import type { Sends } from './tables/sends.ts';
import type { ScheduledEmits } from './tables/scheduled-emits.ts';

/** Only one process has the file, so it owns everything in it while the store is open. */
export function createOwnership(
  { db, keys, fence, wasClosed }: Engine,
  invocations: Invocations,
  deliveries: Deliveries,
  scheduledEmits: ScheduledEmits,
  sends: Pick<Sends, 'pending'>,
): Ownership {
  const takenFrom = (key: EmitterKey, openDeliveries: readonly DeliveryRecord[]): TakenEmitter => ({
    id: key.id,
    fence,
    released: wasClosed,
    db: readDb(db, key.row),
    dedupe: readDedupe(db, key.row),
    newestEvent: key.newestEvent,
    lastInvocation: invocations.lastOf(key.row),
    unfinished: invocations.unfinished(key.row),
    openDeliveries,
    waitingEmits: scheduledEmits.waiting(key.row),
    pendingSends: kindOf(key.id) === 'workflow' ? sends.pending(key.row) : [],
  });
  return {
    async takeAll(taken) {
      const open = new Map<string, DeliveryRecord[]>();
      for (const delivery of deliveries.open()) {
        const others = open.get(delivery.emitterId);
        if (others === undefined) open.set(delivery.emitterId, [delivery]);
        else others.push(delivery);
      }
      for (const key of keys.all()) taken(takenFrom(key, open.get(key.id) ?? []));
    },
    async take(id) {
      const key = keys.require(id);
      return takenFrom(
        key,
        deliveries.open().filter(({ emitterId }) => emitterId === id),
      );
    },
  };
}
