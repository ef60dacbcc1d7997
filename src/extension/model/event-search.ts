import type { EmittedEvent } from '../../protocol/catalogue.ts';
import { mergeEvents } from './event-order.ts';
import type { RuntimeClient } from './runtime-client.ts';

/** Hits of one source that are shown; the runtime searches all it keeps. */
const mostHits = 100;

/**
 * The events of some sources in which all the words occur, as the runtime finds them.
 * @param text words of the summary or the payload
 */
export async function searchEvents(
  client: RuntimeClient,
  sourceIds: readonly string[],
  text: string,
): Promise<EmittedEvent[]> {
  const lists = await Promise.all(
    sourceIds.map(async (id) => {
      const page = await client.call('events.list', {
        id,
        q: text,
        include_dropped: true,
        limit: mostHits,
      });
      return { items: page.data, hasMore: page.page_info.total_count > page.data.length };
    }),
  );
  return mergeEvents(lists);
}
