/** The events of a source as they are committed; the stream can be taken up again after any of them. */
import { parseEventId } from '../emit/event-ids.ts';
import type { Signals } from '../signals.ts';
import type { Store } from '../store/store.ts';
import type { Feed } from './sse-feed.ts';
import { createResumingFeed } from './sse-resuming.ts';
import { eventMessage, isAfter, recordOf } from './sse-text.ts';

export interface EventFeedOptions {
  readonly store: Pick<Store, 'flush'> & { readonly events: Pick<Store['events'], 'after'> };
  readonly signals: Signals;
  readonly report: (where: string, error: unknown) => void;
}

export function createEventFeed({ store, signals, report }: EventFeedOptions): Feed {
  const feed = createResumingFeed({
    what: 'events',
    parse: (id) => (parseEventId(id) === undefined ? undefined : id),
    idOf: ({ id }) => id,
    isAfter,
    after: (sourceId, id, limit) => store.events.after(sourceId, id, limit),
    messageOf: eventMessage,
    flush: () => store.flush(),
    report,
  });
  signals.on('committed', ({ commit }) => {
    if (!feed.isFollowed(commit.sourceId)) return;
    const records = commit.events.map((event) => recordOf(commit, event));
    feed.tell(commit.sourceId, records);
  });
  return feed;
}
