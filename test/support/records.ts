/** Records as the other rooms make them, and one whole invocation. */
import type { ComponentDefinition } from '../../src/protocol/definition.ts';
import type { HttpTrigger } from '../../src/protocol/host.ts';
import type { InvocationCommit } from '../../src/runtime/store/commit.ts';
import type { DroppedEvent, NewEvent } from '../../src/runtime/store/history/events.ts';
import type { NewScheduledEmit } from '../../src/runtime/store/history/scheduled-emits.ts';
import type { SourceRecord } from '../../src/runtime/store/configuration/sources.ts';
import type { WebhookRecord } from '../../src/runtime/store/configuration/webhooks.ts';
import type { EmitterOwner } from '../../src/runtime/store/emitter-owner.ts';
import type { TakenEmitter } from '../../src/runtime/store/ownership.ts';
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
    triggers: [],
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

/** @param dueAt epoch ms */
export function scheduled(
  dueAt: number,
  changes: Partial<NewScheduledEmit> = {},
): NewScheduledEmit {
  return {
    dueAt,
    scheduledAt: 1002,
    channel: '',
    payload: JSON.stringify({ due: dueAt }),
    hops: 1,
    ...changes,
  };
}

/** A request as the runtime takes it in, with no headers. */
export const httpTrigger = (body: Uint8Array): HttpTrigger => ({
  kind: 'http',
  prop: 'http',
  method: 'POST',
  url: 'http://127.0.0.1:1/h/hi_1',
  path: '/',
  query: '',
  headers: {},
  clientIp: '127.0.0.1',
  body,
});

/** Fences by emitter, of each store that tests have taken emitters of. */
const fencesOf = new WeakMap<Store['ownership'], Map<string, number>>();

/** Takes an emitter as its owner: what `run` does for it from then on carries this fence. */
export async function take(
  { ownership }: Pick<Store, 'ownership'>,
  emitterId: string,
): Promise<TakenEmitter> {
  const taken = await ownership.take(emitterId);
  const fences = fencesOf.get(ownership) ?? new Map<string, number>();
  fencesOf.set(ownership, fences.set(emitterId, taken.fence));
  return taken;
}

/** Of the owner that a test is: takes the emitter when it is asked for it the first time. */
export async function fenceOf(store: Pick<Store, 'ownership'>, emitterId: string): Promise<number> {
  const known = fencesOf.get(store.ownership)?.get(emitterId);
  return known ?? (await take(store, emitterId)).fence;
}

/** The same as what writes are asked for with. */
export async function ownerOf(store: Pick<Store, 'ownership'>, id: string): Promise<EmitterOwner> {
  return { id, fence: await fenceOf(store, id) };
}

/**
 * Accepts an invocation of `dc_1`, unless `n` is one, and commits it with the given effect. With a
 * `fence` the commit is asked for before this returns.
 */
export async function run(store: Store, effect: Partial<InvocationCommit> = {}) {
  const emitterId = effect.emitterId ?? 'dc_1';
  const fence = effect.fence ?? (await fenceOf(store, emitterId));
  const n = effect.n ?? store.accept({ emitterId, fence, cause: 'manual', at: 1000 }).n;
  const made = await store.commit({
    n,
    emitterId,
    fence,
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
