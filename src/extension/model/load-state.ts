import type { EmittedEvent, Page } from '../../protocol/catalogue.ts';
import {
  emptyState,
  firstEvents,
  keptDeliveries,
  shownDeliveries,
  shownExhausted,
  shownRuns,
  type MirrorState,
  type SourceEvents,
} from './mirror-state.ts';
import type { RuntimeClient } from './runtime-client.ts';

/** The largest page the runtime gives (P16.5). */
const pageSize = 100;

/** Everything the trees show at first, read anew. */
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
      state.events.set(source.id, await loadEvents(client, source.id, firstEvents));
    }),
    ...webhooks.map(async (webhook) => {
      state.webhooks.set(webhook.id, webhook);
      state.deliveries.set(webhook.id, await loadDeliveries(client, webhook.id));
    }),
  ]);
  return state;
}

/** The newest events of a source, dropped ones included. */
export async function loadEvents(
  client: RuntimeClient,
  id: string,
  wanted: number,
): Promise<SourceEvents> {
  const read = await readEvents(client, id, wanted, undefined);
  return { ...read, wanted };
}

/**
 * Page after page, as each holds a hundred at most.
 * @param after id of the event they come after, in the order newest first
 */
export async function readEvents(
  client: RuntimeClient,
  id: string,
  count: number,
  after: string | undefined,
): Promise<{ items: EmittedEvent[]; total: number }> {
  const items: EmittedEvent[] = [];
  for (;;) {
    const cursor = items.at(-1)?.id ?? after;
    const limit = Math.min(pageSize, count - items.length);
    const page = await client.call('events.list', {
      id,
      limit,
      include_dropped: true,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    items.push(...page.data);
    const total = page.page_info.total_count;
    if (page.data.length < limit || items.length >= count) return { items, total };
  }
}

export async function loadRuns(client: RuntimeClient, id: string) {
  const page = await client.call('invocations.list', { id, limit: shownRuns });
  return page.data;
}

async function loadDeliveries(client: RuntimeClient, webhookId: string) {
  const of = { webhook_id: webhookId };
  const [newest, exhausted] = await Promise.all([
    client.call('deliveries.list', { ...of, limit: shownDeliveries }),
    client.call('deliveries.list', { ...of, status: 'exhausted', limit: shownExhausted }),
  ]);
  const byId = new Map([...newest.data, ...exhausted.data].map((one) => [one.id, one]));
  return keptDeliveries([...byId.values()]);
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
