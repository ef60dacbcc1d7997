/** What an event's inspector asks beyond the event itself. */
import type { Handlers } from './operations.ts';
import { presentAttempt, presentDelivery } from './present.ts';
import { findSource, type Room } from './room.ts';

type InspectHandlers = Pick<Handlers, 'events.deliveries' | 'sources.activity'>;

const hourMs = 3_600_000;
const defaultHours = 24;
const defaultBuckets = 48;

export function inspectHandlers(room: Room): InspectHandlers {
  const { store } = room;
  return {
    'events.deliveries': ({ id, event_id }) => {
      const records = store.deliveries.ofEvent(findSource(room, id).id, event_id);
      return {
        deliveries: records.map((record) => ({
          ...presentDelivery(record),
          attempts: store.deliveries.attempts(record.n).map(presentAttempt),
        })),
      };
    },
    'sources.activity': ({ id, hours = defaultHours, buckets = defaultBuckets }) => {
      const source = findSource(room, id).id;
      const bucketMs = Math.ceil((hours * hourMs) / buckets);
      const from = room.now() - bucketMs * buckets;
      const span = { from, bucketMs, buckets };
      return {
        from,
        bucket_ms: bucketMs,
        emitted: store.events.countOverTime(source, span),
        failed: store.invocations.countFailedOverTime(source, span),
      };
    },
  };
}
