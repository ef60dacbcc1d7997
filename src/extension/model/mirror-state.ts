import type {
  Delivery,
  EmittedEvent,
  Source,
  Subscription,
  Webhook,
} from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';

/** What the trees show of one runtime: its lists, and as many events as were asked for. */
export interface MirrorState {
  readonly sources: Map<string, Source>;
  readonly events: Map<string, SourceEvents>;
  readonly webhooks: Map<string, Webhook>;
  readonly subscriptions: Map<string, Subscription>;
  /** By webhook, newest first. */
  readonly deliveries: Map<string, Delivery[]>;
}

export interface SourceEvents {
  /** Newest first; dropped ones included. */
  items: EmittedEvent[];
  /** How many the runtime keeps. */
  total: number;
}

/** What has to be painted again. */
export interface Touched {
  /** Sources whose line changed. */
  readonly sources: Set<string>;
  /** A source came or went. */
  sourceList: boolean;
  events: boolean;
  /** A webhook or a subscription came or went. */
  listenerList: boolean;
  /** Webhooks whose deliveries changed. */
  readonly webhooks: Set<string>;
}

/** Deliveries kept per webhook; the runtime has them all. */
export const shownDeliveries = 20;

export function emptyState(): MirrorState {
  return {
    sources: new Map(),
    events: new Map(),
    webhooks: new Map(),
    subscriptions: new Map(),
    deliveries: new Map(),
  };
}

export function nothingTouched(): Touched {
  return {
    sources: new Set(),
    sourceList: false,
    events: false,
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
      touched.sourceList = true;
      touched.events = true;
      break;
    case 'invocation': {
      const source = state.sources.get(change.invocation.source_id);
      const last = source?.last_invocation?.created_at ?? 0;
      if (source === undefined || change.invocation.created_at < last) break;
      state.sources.set(source.id, { ...source, last_invocation: change.invocation });
      touched.sources.add(source.id);
      break;
    }
    case 'event':
      if (addEvent(state, change.event)) {
        touched.events = true;
        touched.sources.add(change.event.metadata.emitter_id);
      }
      break;
    case 'events.deleted':
      state.events.set(change.source_id, { items: [], total: 0 });
      touched.events = true;
      touched.sources.add(change.source_id);
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

function addEvent(state: MirrorState, event: EmittedEvent): boolean {
  const known = state.events.get(event.metadata.emitter_id) ?? { items: [], total: 0 };
  if (known.items.some((item) => item.id === event.id)) return false;
  known.items.unshift(event);
  known.total += 1;
  state.events.set(event.metadata.emitter_id, known);
  return true;
}

function addDelivery(state: MirrorState, delivery: Delivery): void {
  const others = (state.deliveries.get(delivery.webhook_id) ?? []).filter(
    (other) => other.id !== delivery.id,
  );
  const all = [delivery, ...others].sort((a, b) => b.created_at - a.created_at);
  state.deliveries.set(delivery.webhook_id, all.slice(0, shownDeliveries));
}
