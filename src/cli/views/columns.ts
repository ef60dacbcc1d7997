/** The columns of every table. */
import { hasFailed } from '../../client/past-executions.ts';
import { accountHealth } from '../../protocol/account-health.ts';
import type {
  Account,
  Component,
  DataStore,
  DataStoreRecord,
  DbEntry,
  Delivery,
  EmittedEvent,
  Source,
  Subscription,
  Webhook,
} from '../../protocol/catalogue.ts';
import type { Column } from '../render/table.ts';
import { when } from './fields.ts';
import { workflowColumns } from './workflows.ts';

interface Stream {
  readonly name: string;
  readonly type: string;
  readonly visibility: string;
  readonly sse: string;
}

const sources: readonly Column<Source>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name_slug }) => name_slug, shrinks: true },
  { title: 'STATE', of: stateOf },
  { title: 'TRIGGER', of: triggerOf },
];

const components: readonly Column<Component>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'KEY', of: ({ key }) => key, shrinks: true },
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'FILE', of: ({ path }) => path, shrinks: true },
];

const webhooks: readonly Column<Webhook>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'STATE', of: ({ active }) => (active ? 'active' : 'inactive') },
  { title: 'URL', of: ({ url }) => url },
];

const subscriptions: readonly Column<Subscription>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'EMITTER', of: ({ emitter_id }) => emitter_id },
  { title: 'LISTENER', of: ({ listener_id }) => listener_id },
  { title: 'CHANNEL', of: ({ event_name }) => event_name, shrinks: true },
];

const accounts: readonly Column<Account>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'APP', of: ({ app }) => app.name, shrinks: true },
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'STATE', of: healthOf },
];

/** Nobody knows how keys are that were typed in. */
export function healthOf(account: Parameters<typeof accountHealth>[0]): string {
  const { state } = accountHealth(account, Date.now()) ?? { state: 'not checked' };
  return state === 'dead' ? 'reconnect' : state;
}

const dataStores: readonly Column<DataStore>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
];

const dbEntries: readonly Column<DbEntry>[] = [
  { title: 'KEY', of: ({ key }) => key },
  { title: 'VALUE', of: ({ value }) => JSON.stringify(value), shrinks: true },
];

const records: readonly Column<DataStoreRecord>[] = [
  { title: 'KEY', of: ({ key }) => key },
  { title: 'EXPIRES', of: ({ expires_at: at }) => (at === null ? null : when(at)) },
  { title: 'VALUE', of: ({ value }) => JSON.stringify(value), shrinks: true },
];

const streams: readonly Column<Stream>[] = [
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'VISIBILITY', of: ({ visibility }) => visibility },
  { title: 'SSE', of: ({ sse }) => sse },
];

const deliveries: readonly Column<Delivery>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'CREATED', of: ({ created_at }) => when(created_at) },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'ATTEMPTS', of: ({ attempt_count }) => attempt_count },
  { title: 'WEBHOOK', of: ({ webhook_id }) => webhook_id },
  { title: 'RESULT', of: resultOf, shrinks: true },
];

const scheduled: readonly Column<EmittedEvent>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'DUE', of: ({ metadata }) => when(metadata.delivery_ts ?? 0) },
  { title: 'CHANNEL', of: ({ metadata }) => metadata.name },
  { title: 'SUMMARY', of: ({ metadata }) => metadata.summary ?? null, shrinks: true },
];

export const columnsOf = {
  sources,
  workflows: workflowColumns,
  components,
  webhooks,
  subscriptions,
  accounts,
  dataStores,
  dbEntries,
  records,
  streams,
  deliveries,
  scheduled,
} as const;

function resultOf({ last_error, last_status }: Delivery): string | null {
  return last_error ?? (last_status === null ? null : `answered ${last_status}`);
}

function stateOf({ active, last_invocation: last }: Source): string {
  if (!active) return 'inactive';
  return last !== null && hasFailed(last) ? last.status : 'active';
}

function triggerOf({ endpoint_url, next_tick_at, webhook }: Source): string | null {
  if (endpoint_url !== null) return endpoint_url;
  if (webhook !== undefined && webhook.url !== null) return webhook.url;
  return next_tick_at === null ? null : `next ${when(next_tick_at)}`;
}
