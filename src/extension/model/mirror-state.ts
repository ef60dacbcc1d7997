import type {
  Delivery,
  EmittedEvent,
  Invocation,
  Source,
  Subscription,
  Webhook,
} from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';
import { newestFirst } from './event-order.ts';

/** What the trees show of one runtime: its lists, and as many events as were asked for. */
export interface MirrorState {
  readonly sources: Map<string, Source>;
  readonly events: Map<string, SourceEvents>;
  /** Newest first, of the sources whose runs were asked for. */
  readonly invocations: Map<string, readonly Invocation[]>;
  readonly webhooks: Map<string, Webhook>;
  readonly subscriptions: Map<string, Subscription>;
  /** By webhook, newest first: the newest ones, and every one that was given up. */
  readonly deliveries: Map<string, readonly Delivery[]>;
}

export interface SourceEvents {
  /** Newest first; dropped ones included. */
  items: EmittedEvent[];
  /** How many the runtime keeps. */
  total: number;
  /** How many rows were asked for: of a source that emits all day, older ones are let go. */
  wanted: number;
}

/** What has to be painted again. */
export interface Touched {
  /** Sources whose line changed. */
  readonly sources: Set<string>;
  /** A source came or went. */
  sourceList: boolean;
  /** Sources whose events changed. */
  readonly events: Set<string>;
  /** Sources whose events have to be read anew. */
  readonly stale: Set<string>;
  /** A webhook or a subscription came or went. */
  listenerList: boolean;
  /** Webhooks whose deliveries changed. */
  readonly webhooks: Set<string>;
}

/** Deliveries kept per webhook; the runtime has them all. */
export const shownDeliveries = 20;
/** Given-up deliveries kept per webhook beyond those. */
export const shownExhausted = 100;
/** Runs kept per source. */
export const shownRuns = 10;
/** Events of a source that are read at first. */
export const firstEvents = 100;
/** Events beyond the wanted ones before some are let go: not from under somebody who reads. */
const slack = 1000;

export function emptyState(): MirrorState {
  return {
    sources: new Map(),
    events: new Map(),
    invocations: new Map(),
    webhooks: new Map(),
    subscriptions: new Map(),
    deliveries: new Map(),
  };
}

export function nothingTouched(): Touched {
  return {
    sources: new Set(),
    sourceList: false,
    events: new Set(),
    stale: new Set(),
    listenerList: false,
    webhooks: new Set(),
  };
}

/** Takes one change in. Twice the same change is once: a reload and the feed may both bring it. */
export function applyChange(state: MirrorState, change: Change, touched: Touched): void {
  switch (change.type) {
    case 'source':
      if (!state.sources.has(change.source.id)) touched.sourceList = true;
      state.sources.set(change.source.id, change.source);
      touched.sources.add(change.source.id);
      break;
    case 'source.deleted':
      state.sources.delete(change.id);
      state.events.delete(change.id);
      state.invocations.delete(change.id);
      touched.sourceList = true;
      touched.events.add(change.id);
      break;
    case 'invocation': {
      addInvocation(state, change.invocation);
      const source = state.sources.get(change.invocation.source_id);
      const last = source?.last_invocation?.created_at ?? 0;
      if (source === undefined) break;
      touched.sources.add(source.id);
      if (change.invocation.created_at < last) break;
      state.sources.set(source.id, { ...source, last_invocation: change.invocation });
      break;
    }
    case 'event':
      if (addEvent(state, change.event)) {
        touched.events.add(change.event.metadata.emitter_id);
        touched.sources.add(change.event.metadata.emitter_id);
      }
      break;
    case 'events.deleted':
      // Which ones is not said.
      touched.stale.add(change.source_id);
      break;
    case 'webhook':
      state.webhooks.set(change.webhook.id, change.webhook);
      touched.listenerList = true;
      break;
    case 'webhook.deleted':
      state.webhooks.delete(change.id);
      state.deliveries.delete(change.id);
      touched.listenerList = true;
      break;
    case 'subscription':
      state.subscriptions.set(change.subscription.id, change.subscription);
      touched.listenerList = true;
      break;
    case 'subscription.deleted':
      state.subscriptions.delete(change.id);
      touched.listenerList = true;
      break;
    case 'delivery':
      addDelivery(state, change.delivery);
      touched.webhooks.add(change.delivery.webhook_id);
      break;
    case 'log':
    case 'debug':
      break;
  }
}

/** Events come in their order; one that was read before it was told is known already. */
function addEvent(state: MirrorState, event: EmittedEvent): boolean {
  const sourceId = event.metadata.emitter_id;
  const known = state.events.get(sourceId) ?? { items: [], total: 0, wanted: firstEvents };
  state.events.set(sourceId, known);
  const [newest] = known.items;
  if (newest === undefined || newestFirst(event, newest) < 0) known.items.unshift(event);
  else if (known.items.some((item) => item.id === event.id)) return false;
  else known.items = [event, ...known.items].sort(newestFirst);
  known.total += 1;
  if (known.items.length > known.wanted + slack) known.items.length = known.wanted;
  return true;
}

function addInvocation(state: MirrorState, invocation: Invocation): void {
  const known = state.invocations.get(invocation.source_id);
  if (known === undefined) return;
  const others = known.filter((other) => other.id !== invocation.id);
  const all = [invocation, ...others].sort((a, b) => numberOf(b) - numberOf(a));
  state.invocations.set(invocation.source_id, all.slice(0, shownRuns));
}

/** Of `inv_<n>`, counted up. */
function numberOf({ id }: Invocation): number {
  return Number(id.slice(id.indexOf('_') + 1));
}

function addDelivery(state: MirrorState, delivery: Delivery): void {
  const known = state.deliveries.get(delivery.webhook_id) ?? [];
  const others = known.filter((other) => other.id !== delivery.id);
  state.deliveries.set(delivery.webhook_id, keptDeliveries([delivery, ...others]));
}

/** Newest first. Those that were given up stay in sight, however old: somebody has to look at them. */
export function keptDeliveries(all: readonly Delivery[]): Delivery[] {
  const sorted = all.toSorted((a, b) => b.created_at - a.created_at);
  const older = sorted.slice(shownDeliveries).filter(({ status }) => status === 'exhausted');
  return [...sorted.slice(0, shownDeliveries), ...older.slice(0, shownExhausted)];
}
