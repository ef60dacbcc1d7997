/** The trees' queries to a runtime. */
import { allPages } from '../../client/pages.ts';
import type { Delivery, EmittedEvent, Invocation } from '../../protocol/catalogue.ts';
import { mergeEvents } from './event-order.ts';
import {
  emptyState,
  firstEvents,
  firstExecutions,
  keptDeliveries,
  keptFailuresOf,
  shownDeliveries,
  shownExhausted,
  type EmitterEvents,
  type EmitterRuns,
  type MirrorState,
  type WorkflowExecutions,
} from './mirror-state.ts';
import type { RuntimeClient } from './runtime-client.ts';

/** The largest page the runtime gives (P16.5). */
const pageSize = 100;
/** Hits shown per emitter; the runtime searches all events it keeps. */
const maxHits = 100;

/** Everything the trees show at first. */
export async function loadState(client: RuntimeClient): Promise<MirrorState> {
  const state = emptyState();
  const [sources, workflows, webhooks, subscriptions, accounts, dataStores] = await Promise.all([
    allPages((paging) => client.call('sources.list', paging)),
    allPages((paging) => client.call('workflows.list', paging)),
    allPages((paging) => client.call('webhooks.list', paging)),
    allPages((paging) => client.call('subscriptions.list', paging)),
    allPages((paging) => client.call('accounts.list', paging)),
    allPages((paging) => client.call('data_stores.list', paging)),
  ]);
  for (const subscription of subscriptions) state.subscriptions.set(subscription.id, subscription);
  for (const account of accounts) state.accounts.set(account.id, account);
  for (const store of dataStores) state.dataStores.set(store.id, store);
  await Promise.all([
    ...sources.map(async (source) => {
      state.sources.set(source.id, source);
      state.events.set(source.id, await loadEvents(client, source.id, firstEvents));
      // A source that never ran has never failed.
      if (source.last_invocation !== null) {
        state.failures.set(source.id, await loadFailures(client, source.id));
      }
    }),
    ...workflows.map(async (workflow) => {
      const { id } = workflow;
      state.workflows.set(id, workflow);
      state.events.set(id, await loadEvents(client, id, firstEvents));
      state.executions.set(id, await loadExecutions(client, id, firstExecutions));
    }),
    ...webhooks.map(async (webhook) => {
      state.webhooks.set(webhook.id, webhook);
      state.deliveries.set(webhook.id, await loadDeliveries(client, webhook.id));
    }),
  ]);
  return state;
}

/** The newest events of an emitter, dropped ones included. */
export async function loadEvents(
  client: RuntimeClient,
  emitterId: string,
  wanted: number,
): Promise<EmitterEvents> {
  const read = await readEvents(client, emitterId, wanted, undefined);
  return { ...read, wanted };
}

/**
 * Events of an emitter, newest first, page after page.
 * @param after id of the event they come after; undefined for the newest
 */
export async function readEvents(
  client: RuntimeClient,
  emitterId: string,
  count: number,
  after: string | undefined,
): Promise<{ items: EmittedEvent[]; total: number }> {
  const items: EmittedEvent[] = [];
  for (;;) {
    const cursor = items.at(-1)?.id ?? after;
    const limit = Math.min(pageSize, count - items.length);
    const page = await client.call('events.list', {
      id: emitterId,
      limit,
      include_dropped: true,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    items.push(...page.data);
    const total = page.page_info.total_count;
    if (page.data.length < limit || items.length >= count) return { items, total };
  }
}

/**
 * The events of some emitters that contain all the words, newest first.
 * @param text words of the summary or the payload
 */
export async function searchEvents(
  client: RuntimeClient,
  emitterIds: readonly string[],
  text: string,
): Promise<EmittedEvent[]> {
  const lists = await Promise.all(
    emitterIds.map(async (id) => {
      const page = await client.call('events.list', {
        id,
        q: text,
        include_dropped: true,
        limit: maxHits,
      });
      return { items: page.data, hasMore: page.page_info.total_count > page.data.length };
    }),
  );
  return mergeEvents(lists);
}

/** The newest runs of an emitter, as many as are wanted. */
export function loadRuns(client: RuntimeClient, id: string, wanted: number): Promise<EmitterRuns> {
  return readNewest((page) => client.call('invocations.list', { id, ...page }), wanted);
}

/** The newest failed runs of a source. */
async function loadFailures(client: RuntimeClient, id: string): Promise<Invocation[]> {
  const pages = await Promise.all(
    (['failed', 'crashed'] as const).map((status) =>
      client.call('invocations.list', { id, status, limit: pageSize }),
    ),
  );
  return keptFailuresOf(pages.flatMap(({ data }) => data));
}

/** The newest executions of a workflow, as many as are wanted. */
export function loadExecutions(
  client: RuntimeClient,
  id: string,
  wanted: number,
): Promise<WorkflowExecutions> {
  return readNewest((page) => client.call('executions.list', { id, ...page }), wanted);
}

interface Page<T> {
  readonly data: readonly T[];
  readonly page_info: { readonly end_cursor: string | null; readonly total_count: number };
}

/** Reads a list page after page, until as many are there as are wanted. */
async function readNewest<T>(
  read: (paging: { readonly limit: number; readonly after?: string }) => Promise<Page<T>>,
  wanted: number,
): Promise<{ items: T[]; total: number; wanted: number }> {
  const items: T[] = [];
  let after: string | null = null;
  for (;;) {
    const limit = Math.min(pageSize, wanted - items.length);
    const page: Page<T> = await read({ limit, ...(after !== null && { after }) });
    items.push(...page.data);
    after = page.page_info.end_cursor;
    const total = page.page_info.total_count;
    if (page.data.length < limit || items.length >= wanted) return { items, total, wanted };
  }
}

/** The deliveries to a webhook that are shown. */
async function loadDeliveries(client: RuntimeClient, webhookId: string): Promise<Delivery[]> {
  const of = { webhook_id: webhookId };
  const [newest, exhausted] = await Promise.all([
    client.call('deliveries.list', { ...of, limit: shownDeliveries }),
    client.call('deliveries.list', { ...of, status: 'exhausted', limit: shownExhausted }),
  ]);
  const byId = new Map([...newest.data, ...exhausted.data].map((one) => [one.id, one]));
  return keptDeliveries([...byId.values()]);
}
