/** Records as the other rooms make them, and one whole invocation. */
import type { ComponentDefinition } from '../../src/protocol/definition.ts';
import type { InvocationCommit } from '../../src/runtime/store/commit.ts';
import type { DroppedEvent, NewEvent } from '../../src/runtime/store/history/events.ts';
import type { SourceRecord } from '../../src/runtime/store/configuration/sources.ts';
import type { WebhookRecord } from '../../src/runtime/store/configuration/webhooks.ts';
import type { Store } from '../../src/runtime/store/store.ts';

export const definition: ComponentDefinition = {
  name: 'Ticker',
  key: 'ticker',
  type: 'source',
  version: '0.0.1',
  description: null,
  dedupe: 'unique',
  props: [{ name: 'http', type: '$.interface.http' }],
  hooks: [],
  hasRun: true,
  hasAdditionalProps: false,
};

export function source(id: string, changes: Partial<SourceRecord> = {}): SourceRecord {
  return {
    id,
    componentId: 'sc_1',
    name: `Source ${id}`,
    slug: `source-${id}`,
    deploying: false,
    active: true,
    configuredProps: { city: 'Köln' },
    definition,
    interfaces: [{ id: `hi_${id}`, prop: 'http', kind: 'http' }],
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_001,
    ...changes,
  };
}

export function webhook(id: string, changes: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    id,
    url: 'http://127.0.0.1:1/',
    name: null,
    description: null,
    active: true,
    signingSecret: 'sealed',
    createdAt: 1,
    updatedAt: 2,
    ...changes,
  };
}

export function event(id: string, changes: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    indexedAt: Number(id.split('-')[0]),
    emitId: `emit-${id}`,
    channel: '',
    payload: JSON.stringify({ id }),
    webhooks: [],
    sources: [],
    ...changes,
  };
}

export function drop(id: string, changes: Partial<DroppedEvent> = {}): DroppedEvent {
  return {
    id,
    at: Number(id.split('-')[0]),
    channel: '',
    payload: '{}',
    reason: 'Seen.',
    ...changes,
  };
}

/** Accepts an invocation of `dc_1` and commits it with the given effect. */
export async function run(
  store: Store,
  effect: Partial<InvocationCommit> & { readonly events?: readonly NewEvent[] } = {},
) {
  const sourceId = effect.sourceId ?? 'dc_1';
  const { n } = store.accept({ sourceId, cause: 'manual', at: 1000 });
  const made = await store.commit({
    n,
    sourceId,
    status: 'succeeded',
    startedAt: 1001,
    endedAt: 1002,
    events: [],
    drops: [],
    db: [],
    logs: [],
    ...effect,
  });
  return { n, ...made };
}
