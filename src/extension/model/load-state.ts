import { emptyState, shownDeliveries, type MirrorState } from './mirror-state.ts';
import type { Page } from '../../protocol/catalogue.ts';
import type { RuntimeClient } from './runtime-client.ts';

/** The largest page the runtime gives (reference §9). */
const pageSize = 100;
/** Events fetched per source, and again by "Show more". */
export const eventsPerPage = 50;

/** Everything the trees show, read anew. */
export async function loadState(client: RuntimeClient): Promise<MirrorState> {
  const state = emptyState();
  const [sources, webhooks, subscriptions] = await Promise.all([
    allPages((paging) => client.call('sources.list', paging)),
    allPages((paging) => client.call('webhooks.list', paging)),
    allPages((paging) => client.call('subscriptions.list', paging)),
  ]);
  for (const subscription of subscriptions) state.subscriptions.set(subscription.id, subscription);
  await Promise.all([
    ...sources.map(async (source) => {
      state.sources.set(source.id, source);
      const page = await client.call('events.list', {
        id: source.id,
        limit: eventsPerPage,
        include_dropped: true,
      });
      state.events.set(source.id, {
        items: page.data,
        total: page.page_info.total_count,
      });
    }),
    ...webhooks.map(async (webhook) => {
      state.webhooks.set(webhook.id, webhook);
      const page = await client.call('deliveries.list', {
        webhook_id: webhook.id,
        limit: shownDeliveries,
      });
      state.deliveries.set(webhook.id, page.data);
    }),
  ]);
  return state;
}

async function allPages<T>(
  list: (paging: { limit: number; after?: string }) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await list({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    all.push(...page.data);
    const end = page.page_info.end_cursor;
    if (end === null || end === after || page.data.length < pageSize) return all;
    after = end;
  }
}
