/** The feed that RPC clients follow: batches of changes, one per turn of the loop, in commit order. */
import type { Change } from '../../protocol/rpc.ts';
import type { Committed } from '../signals.ts';
import { presentDebugged } from './present-debug.ts';
import {
  presentDelivery,
  presentEvent,
  presentLog,
  presentSubscription,
  presentWebhook,
} from './present.ts';
import { showInvocationRecord, showSource, type Room } from './room.ts';

export interface ChangeFeed {
  /** Returns the function that ends the subscription. Nothing is computed while nobody listens. */
  subscribe(listener: (batch: readonly Change[]) => void): () => void;
}

/** One run may emit 100,000 events: so many changes are told a turn, and requests come in between. */
const largestBatch = 1000;

/**
 * What changed more than once within a turn is told once, as it is at its end: a source that runs a
 * thousand times a second costs its watchers one message a turn.
 */
export function createChangeFeed(room: Room): ChangeFeed {
  const listeners = new Set<(batch: readonly Change[]) => void>();
  const pending = new Map<string, () => Change | undefined>();
  let scheduled = false;

  const flush = () => {
    scheduled = false;
    if (listeners.size === 0) pending.clear();
    const batch: Change[] = [];
    for (const [key, change] of pending) {
      if (batch.length === largestBatch) {
        schedule();
        break;
      }
      pending.delete(key);
      const made = change();
      if (made !== undefined) batch.push(made);
    }
    if (batch.length > 0) for (const listener of listeners) listener(batch);
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
  /** @param key of what changed; a later change of the same replaces this one, at the end of the line */
  const tell = (key: string, change: () => Change | undefined) => {
    if (listeners.size === 0) return;
    pending.delete(key);
    pending.set(key, change);
    schedule();
  };

  connect(room, tell, () => listeners.size > 0);
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type Tell = (key: string, change: () => Change | undefined) => void;

function connect(room: Room, tell: Tell, watched: () => boolean): void {
  const { signals, store } = room;
  const delivery = (n: number) =>
    tell(`del ${n}`, () => {
      const record = store.deliveries.get(n);
      return record === undefined
        ? undefined
        : { type: 'delivery', delivery: presentDelivery(record) };
    });
  const source = (id: string) =>
    tell(id, () => {
      const record = store.sources.get(id);
      return record === undefined || record.deploying
        ? undefined
        : { type: 'source', source: showSource(room, record) };
    });
  const invocation = (n: number) =>
    tell(`inv ${n}`, () => {
      const record = store.invocations.get(n);
      return record === undefined
        ? undefined
        : { type: 'invocation', invocation: showInvocationRecord(room, record) };
    });

  signals.on('source', source);
  signals.on('sourceDeleted', (id) => tell(id, () => ({ type: 'source.deleted', id })));
  signals.on('invocation', invocation);
  signals.on('committed', (committed) => {
    if (!watched()) return;
    tellCommitted(room, tell, committed);
    invocation(committed.commit.n);
    source(committed.commit.sourceId);
    for (const { n } of committed.made.deliveries) delivery(n);
  });
  signals.on('log', (line) =>
    tell(`log ${line.id}`, () => ({ type: 'log', line: presentLog(line) })),
  );
  signals.on('eventsDeleted', (id) =>
    tell(`events ${id}`, () => ({ type: 'events.deleted', source_id: id })),
  );
  signals.on('webhook', (id) =>
    tell(id, () => {
      const record = store.webhooks.get(id);
      return record === undefined
        ? undefined
        : { type: 'webhook', webhook: presentWebhook(record) };
    }),
  );
  signals.on('webhookDeleted', (id) => tell(id, () => ({ type: 'webhook.deleted', id })));
  signals.on('subscription', (id) =>
    tell(id, () => {
      const record = store.subscriptions.all().find((one) => one.id === id);
      return record === undefined
        ? undefined
        : { type: 'subscription', subscription: presentSubscription(record) };
    }),
  );
  signals.on('subscriptionDeleted', (id) => tell(id, () => ({ type: 'subscription.deleted', id })));
  signals.on('delivery', delivery);
  signals.on('debug', (debugged) =>
    tell(`debug ${debugged.url}`, () => ({ type: 'debug', process: presentDebugged(debugged) })),
  );
}

function tellCommitted(room: Room, tell: Tell, { commit, made }: Committed): void {
  for (const { id } of [...commit.events, ...commit.drops]) {
    tell(id, () => {
      const record = room.store.events.get(commit.sourceId, id);
      return record === undefined
        ? undefined
        : { type: 'event', event: presentEvent(record, false) };
    });
  }
  commit.logs.forEach((line, index) => {
    const id = made.logIds[index];
    if (id === undefined) return;
    const record = { ...line, id, sourceId: commit.sourceId, invocation: commit.n };
    tell(`log ${id}`, () => ({ type: 'log', line: presentLog(record) }));
  });
}
