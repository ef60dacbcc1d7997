/** One source, webhook or delivery with all known details, as a person reads it. */
import type { Attempt, Result, Source, Webhook } from '../../protocol/catalogue.ts';
import { fields, webhookFields, when } from './fields.ts';

export function sourceText(source: Source): string {
  const last = source.last_invocation;
  return fields({
    id: source.id,
    name: source.name,
    slug: source.name_slug,
    active: source.active,
    endpoint: source.endpoint_url,
    ...webhookFields(source.webhook),
    'app events': source.webhook && (source.webhook.event_names?.join(', ') ?? 'all'),
    'next tick': source.next_tick_at === null ? null : when(source.next_tick_at),
    'last run': last === null ? null : `${when(last.created_at)} ${last.status}`,
    component: source.component_id,
    key: source.component_key,
    file: source.path,
    dedupe: source.dedupe,
    props: source.configured_props,
    created: when(source.created_at * 1000),
    updated: when(source.updated_at * 1000),
  });
}

export function webhookText(webhook: Webhook): string {
  return fields({
    id: webhook.id,
    url: webhook.url,
    name: webhook.name,
    description: webhook.description,
    active: webhook.active,
    created: when(webhook.created_at * 1000),
    updated: when(webhook.updated_at * 1000),
  });
}

/** With what became of each attempt. */
export function deliveryText(delivery: Result<'deliveries.get'>): string {
  const { attempts, next_attempt_at: next } = delivery;
  const head = fields({
    id: delivery.id,
    status: delivery.status,
    webhook: delivery.webhook_id,
    emitter: delivery.emitter_id,
    event: delivery.event_id,
    created: when(delivery.created_at),
    'next attempt': next === null ? null : when(next),
  });
  return [head, ...attempts.map(attemptText)].join('\n\n');
}

function attemptText({ at, request, response, timing, error, manual }: Attempt): string {
  return fields({
    attempt: `${when(at)}${manual ? ', by hand' : ''}`,
    request: `${request.method} ${request.url}`,
    'sent headers': request.headers,
    'sent body': request.body,
    error: error === null ? null : `${error.class}: ${error.message}`,
    answer: response?.status,
    headers: response?.headers,
    body: response?.body === '' ? null : response?.body,
    timing: timingText(timing),
  });
}

/** `31 ms (dns 1, connect 2, …)`. */
function timingText({ total_ms, ...timings }: Attempt['timing']): string {
  const phases = Object.entries(timings).flatMap(([name, ms]) =>
    ms === null ? [] : [`${name.replace(/_ms$/, '').replace('_', ' ')} ${ms}`],
  );
  return [`${total_ms} ms`, ...(phases.length > 0 ? [`(${phases.join(', ')})`] : [])].join(' ');
}
