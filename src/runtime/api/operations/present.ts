/** Records as every face shows them: the platform's names and units (pure; P16.8). */
import type {
  Account,
  AccountWebhook,
  Attempt,
  AutoSubscription,
  Component,
  DataStore,
  DebugState,
  Delivery,
  EmittedEvent,
  Invocation,
  LogLine,
  Page,
  Source,
  Subscription,
  Webhook,
} from '../../../protocol/catalogue.ts';
import { invocationPrefix, runId } from '../../../protocol/ids.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import { presentProps } from '../../components/props/present.ts';
import { isOver } from '../../accounts/oauth/freshness.ts';
import type { Account as ShownAccount } from '../../accounts/accounts.ts';
import type { AccountHealth } from '../../store/configuration/accounts.ts';
import type { ComponentRecord } from '../../store/configuration/components.ts';
import type { DataStoreRecord } from '../../store/history/data-stores.ts';
import type { AttemptRecord, DeliveryRecord } from '../../store/history/deliveries.ts';
import type { EventRecord } from '../../store/history/events.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { LogRecord } from '../../store/history/logs.ts';
import type { PageOf, PageRequest } from '../../store/page.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';
import type {
  AutoSubscriptionRecord,
  SubscriptionRecord,
} from '../../store/configuration/subscriptions.ts';
import type { WebhookRecord } from '../../store/configuration/webhooks.ts';

/** Facts about a source that are not in its record. */
export interface SourceContext {
  readonly component: ComponentRecord | undefined;
  readonly last: Invocation | null;
  /** Endpoint URL of every HTTP interface, by prop name. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly webhook?: Source['webhook'];
  readonly debug: DebugState | null;
}

export function presentSource(record: SourceRecord, context: SourceContext): Source {
  const [endpoint] = Object.values(context.endpoints);
  const ticks = record.interfaces.flatMap(({ nextAt }) => (nextAt === undefined ? [] : [nextAt]));
  return {
    id: record.id,
    component_id: record.componentId,
    component_key: record.definition.key,
    name: record.name,
    name_slug: record.slug,
    active: record.active,
    configured_props: presentProps(record.definition, record.configuredProps, context.endpoints),
    configurable_props: [...record.definition.props],
    created_at: toSeconds(record.createdAt),
    updated_at: toSeconds(record.updatedAt),
    path: context.component?.path ?? null,
    code_hash: context.component?.hash ?? '',
    endpoint_url: endpoint ?? null,
    ...(context.webhook !== undefined && { webhook: context.webhook }),
    next_tick_at: ticks.length === 0 ? null : Math.min(...ticks),
    dedupe: record.definition.dedupe,
    last_invocation: context.last,
    debug: context.debug,
  };
}

export function presentComponent(record: ComponentRecord): Component {
  const { key, name, version, type, description, props } = record.definition;
  return {
    id: record.id,
    key,
    name,
    version,
    type,
    description,
    code_hash: record.hash,
    path: record.path,
    configurable_props: [...props],
    created_at: toSeconds(record.createdAt),
    updated_at: toSeconds(record.createdAt),
  };
}

const deliveryPrefix = 'del_';

/** @param running whether its turn has come; the store has it as queued until it ends */
export function presentInvocation(record: InvocationRecord, running: boolean): Invocation {
  return {
    id: runId(record.emitterId, record.n),
    source_id: record.emitterId,
    cause: record.cause,
    hook: record.hook,
    request: record.request,
    status: running && record.status === 'queued' ? 'running' : record.status,
    attempt: record.attempt,
    replay_of: record.replayOf === null ? null : runId(record.emitterId, record.replayOf),
    created_at: record.createdAt,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    emitted_count: record.emitted,
    dropped_count: record.dropped,
    error: record.error,
  };
}

/** `inv_12` → 12; undefined for any other text. */
export function invocationNumber(id: string): number | undefined {
  return numberAfter(invocationPrefix, id);
}

export function deliveryNumber(id: string): number | undefined {
  return numberAfter(deliveryPrefix, id);
}

function numberAfter(prefix: string, id: string): number | undefined {
  const n = id.startsWith(prefix) ? Number(id.slice(prefix.length)) : Number.NaN;
  return Number.isSafeInteger(n) && n > 0 ? n : undefined;
}

/** Payloads above this are cut in listings unless `expand=event` (P17.6). */
const summaryBytes = 1024;

/** @param whole false cuts a payload above 1 KB */
export function presentEvent(record: EventRecord, whole: boolean): EmittedEvent {
  const cut = !whole && record.payload.length > summaryBytes;
  return {
    id: record.id,
    indexed_at_ms: record.indexedAt,
    event: cut ? `${record.payload.slice(0, summaryBytes)}…` : valueOfJson(record.payload),
    metadata: {
      emit_id: record.emitId,
      name: record.channel,
      emitter_id: record.emitterId,
      ...(record.dedupeId === null ? {} : { id: record.dedupeId }),
      ...(record.summary === null ? {} : { summary: record.summary }),
      ...(record.ts === null ? {} : { ts: record.ts }),
    },
    invocation_id: runId(record.emitterId, record.invocation),
    dropped: record.dropped,
  };
}

export function presentLog(record: LogRecord): LogLine {
  return {
    id: record.id,
    ts: record.at,
    source_id: record.emitterId,
    invocation_id: record.invocation === null ? null : runId(record.emitterId, record.invocation),
    kind: record.kind,
    level: record.level,
    text: record.text,
  };
}

export function presentWebhook(record: WebhookRecord): Webhook {
  return {
    id: record.id,
    url: record.url,
    name: record.name,
    description: record.description,
    active: record.active,
    created_at: toSeconds(record.createdAt),
    updated_at: toSeconds(record.updatedAt),
  };
}

export function presentSubscription(record: SubscriptionRecord): Subscription {
  return {
    id: record.id,
    emitter_id: record.emitterId,
    listener_id: record.listenerId,
    event_name: record.channel,
  };
}

export function presentAutoSubscription(record: AutoSubscriptionRecord): AutoSubscription {
  return { id: record.id, event_name: record.channel, listener_id: record.listenerId };
}

export function presentDelivery(record: DeliveryRecord): Delivery {
  return {
    id: `${deliveryPrefix}${record.n}`,
    webhook_id: record.webhookId,
    emitter_id: record.emitterId,
    event_id: record.eventId,
    status: record.status,
    attempt_count: record.attempts,
    next_attempt_at: record.nextAt,
    created_at: record.createdAt,
    last_status: record.lastStatus,
    last_error: record.lastError,
  };
}

export function presentAttempt(record: AttemptRecord): Attempt {
  const { at, request, response, totalMs, phases, error, manual = false } = record;
  return {
    at,
    request: { ...request, headers: { ...request.headers } },
    response: response === null ? null : { ...response, headers: { ...response.headers } },
    timing: {
      dns_ms: phases?.dns ?? null,
      connect_ms: phases?.connect ?? null,
      tls_ms: phases?.tls ?? null,
      first_byte_ms: phases?.firstByte ?? null,
      total_ms: totalMs,
    },
    error,
    manual,
  };
}

export function presentAccount(
  record: ShownAccount,
  {
    webhook,
    credentials,
  }: {
    readonly webhook?: AccountWebhook | undefined;
    readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  },
  now: number,
): Account {
  return {
    id: record.id,
    name: record.name,
    app: { id: record.app, name: record.app },
    ...(record.kept !== undefined && { kept_for: record.kept }),
    ...presentHealth(record.health, now),
    created_at: new Date(record.createdAt).toISOString(),
    updated_at: new Date(record.updatedAt).toISOString(),
    ...(webhook !== undefined && { webhook }),
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
  };
}

/** A token that is over and that nothing renews is dead, though no refresh has failed. */
function stateAt(health: AccountHealth, now: number): Pick<AccountHealth, 'status' | 'error'> {
  const { status, error, expiresAt, canRefresh } = health;
  if (status !== 'healthy' || canRefresh || !isOver(health, now)) return { status, error };
  const at = new Date(expiresAt ?? 0).toISOString();
  return { status: 'dead', error: `Its token expired at ${at}. Connect the account again.` };
}

/** Keys that were typed in are taken to be good. */
function presentHealth(health: AccountHealth | undefined, now: number) {
  if (health === undefined) return { healthy: true };
  const { kind, expiresAt, refreshedAt, scopes, canRefresh } = health;
  const { status, error } = stateAt(health, now);
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    healthy: status === 'healthy',
    ...(kind !== undefined && { grant: kind }),
    dead: status === 'dead',
    error,
    expires_at: iso(expiresAt),
    renews: canRefresh,
    last_refreshed_at: iso(refreshedAt),
    authorized_scopes: [...scopes],
  };
}

export function presentDataStore({ id, name, createdAt }: DataStoreRecord): DataStore {
  return { id, name, created_at: toSeconds(createdAt) };
}

/** @param present turns a row into what is shown */
export function presentPage<R, T>(
  page: PageOf<R>,
  present: (row: R) => T,
): { page_info: Page<T>['page_info']; data: T[] } {
  return {
    page_info: {
      total_count: page.total,
      count: page.rows.length,
      start_cursor: page.start,
      end_cursor: page.end,
    },
    data: page.rows.map(present),
  };
}

/** Page of ten unless asked (P16.5). */
export function pageRequest(params: {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}): PageRequest {
  return {
    limit: params.limit ?? 10,
    ...(params.after === undefined ? {} : { after: params.after }),
    ...(params.before === undefined ? {} : { before: params.before }),
  };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
