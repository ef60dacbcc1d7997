/** One source, one webhook as a person reads them. */
import type { Source, Webhook } from '../../protocol/catalogue.ts';
import { fields } from './fields.ts';
import { when } from './when.ts';

export function sourceText(source: Source): string {
  const last = source.last_invocation;
  return fields({
    id: source.id,
    name: source.name,
    slug: source.name_slug,
    active: source.active,
    endpoint: source.endpoint_url,
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
