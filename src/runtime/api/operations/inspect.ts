/** Queries of an event's inspector besides the event itself. */
import type { UsesStore } from '../../store/store.ts';
import { showAttempts } from './deliveries.ts';
import { findEmitter } from './find-emitter.ts';
import type { Handlers } from './operations.ts';
import { findSource } from './show-source.ts';
import type { BaseServices } from '../../base/services.ts';

type InspectHandlers = Pick<Handlers, 'events.deliveries' | 'sources.activity'>;

const hourMs = 3_600_000;
const defaultHours = 24;
const defaultBuckets = 48;

export interface InspectHandlerParts
  extends
    UsesStore<'sources' | 'workflows' | 'events' | 'invocations' | 'deliveries'>,
    Pick<BaseServices, 'now'> {}

export function inspectHandlers({ store, now }: InspectHandlerParts): InspectHandlers {
  return {
    'events.deliveries': async ({ id, event_id }) => {
      const records = await store.deliveries.ofEvent(findEmitter(store, id).id, event_id);
      return { deliveries: await Promise.all(records.map((one) => showAttempts(store, one))) };
    },
    'sources.activity': async ({ id, hours = defaultHours, buckets = defaultBuckets }) => {
      const source = findSource(store, id).id;
      const bucketMs = Math.ceil((hours * hourMs) / buckets);
      const from = now() - bucketMs * buckets;
      const span = { from, bucketMs, buckets };
      return {
        from,
        bucket_ms: bucketMs,
        emitted: await store.events.countOverTime(source, span),
        failed: await store.invocations.countFailedOverTime(source, span),
      };
    },
  };
}
