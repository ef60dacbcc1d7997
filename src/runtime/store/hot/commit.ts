import { WeirError } from '../../../protocol/errors.ts';
import type { Engine } from '../engine.ts';
import { type EventId, parseEventId } from '../event-id.ts';
import type { SourceKey } from '../source-keys.ts';
import type {
  CommittedInvocation,
  DeliveryRecord,
  InvocationCommit,
  NewEvent,
  NewInvocation,
  Store,
} from '../store.ts';
import type { Logs } from '../tables/logs.ts';
import type { Webhooks } from '../tables/webhooks.ts';
import { createEventWriter } from './event-writer.ts';
import { createInbox } from './inbox.ts';
import { createStateWriter } from './state-writer.ts';

/**
 * The way of every event: statements are compiled when the store opens, no row is read, and what
 * could be wrong with the input is found before the first write, because here no savepoint would
 * undo half an invocation.
 */
export function createHotPath(
  engine: Engine,
  logs: Logs,
  webhooks: Webhooks,
): Pick<Store, 'accept' | 'commit'> {
  const { db, groups, keys, marks } = engine;
  const inbox = createInbox(engine);
  const events = createEventWriter(engine);
  const state = createStateWriter(engine);
  const end = db.prepare(
    `UPDATE invocations SET status = ?, started_at = ?, ended_at = ?, emitted = ?, dropped = ?,
       error = ?, first_event = ?, first_log = ?, logs = ? WHERE n = ?`,
  );
  const insertDelivery = db.prepare(
    `INSERT INTO deliveries (n, webhook_id, source, ms, seq, status, attempts, created_at)
     VALUES (?, ?, ?, ?, ?, 'pending', 0, ?)`,
  );

  return {
    accept(invocation: NewInvocation) {
      const { row } = keyOf(invocation.sourceId);
      const { value, durable } = groups.write(() => inbox(row, invocation));
      return { n: value, durable };
    },
    async commit(commit: InvocationCommit) {
      const key = keyOf(commit.sourceId);
      const eventIds = commit.events.map(idOf);
      const dropIds = commit.drops.map(idOf);
      const error = commit.error === undefined ? null : JSON.stringify(commit.error);
      const { value, durable } = groups.write(() => apply(commit, key, eventIds, dropIds, error));
      await durable;
      return value;
    },
  };

  function apply(
    commit: InvocationCommit,
    key: SourceKey,
    eventIds: readonly EventId[],
    dropIds: readonly EventId[],
    error: string | null,
  ): CommittedInvocation {
    end.run(
      commit.status,
      commit.startedAt,
      commit.endedAt,
      commit.events.length,
      commit.drops.length,
      error,
      marks.peek('event'),
      marks.peek('log'),
      commit.logs.length,
      commit.n,
    );
    const deliveries: DeliveryRecord[] = [];
    const triggered: { n: number; sourceId: string }[] = [];
    for (const [i, event] of commit.events.entries()) {
      const id = eventIds[i] as EventId;
      events.event(key.row, commit.n, id, event);
      marks.sawEvent(id);
      for (const webhookId of event.webhooks) {
        // Deleted since the emit room planned the delivery.
        if (webhooks.has(webhookId)) deliveries.push(deliver(webhookId, key, id, event));
      }
      for (const sourceId of event.sources) {
        const listener = keys.get(sourceId);
        if (listener !== undefined) triggered.push({ n: trigger(listener, event), sourceId });
      }
    }
    for (const [i, drop] of commit.drops.entries()) {
      const id = dropIds[i] as EventId;
      events.drop(key.row, commit.n, id, drop);
      marks.sawEvent(id);
    }
    state.db(key.row, commit.db);
    if (commit.dedupe !== undefined) state.dedupe(key, commit.dedupe);
    const logIds = commit.logs.map((line) => logs.insert(key.row, commit.n, line));
    return { logIds, deliveries, triggered };
  }

  function deliver(
    webhookId: string,
    key: SourceKey,
    id: EventId,
    event: NewEvent,
  ): DeliveryRecord {
    const n = marks.next('delivery');
    insertDelivery.run(n, webhookId, key.row, id.ms, id.seq, event.indexedAt);
    return {
      n,
      webhookId,
      sourceId: key.id,
      eventId: event.id,
      status: 'pending',
      attempts: 0,
      nextAt: null,
      createdAt: event.indexedAt,
      lastStatus: null,
      lastError: null,
    };
  }

  function trigger(listener: SourceKey, event: NewEvent): number {
    return inbox(listener.row, {
      cause: 'event',
      trigger: { kind: 'event', json: event.payload },
      at: event.indexedAt,
    });
  }

  function keyOf(sourceId: string): SourceKey {
    const key = keys.get(sourceId);
    if (key === undefined) throw new WeirError('not_found', `There is no source ${sourceId}.`);
    return key;
  }
}

function idOf({ id }: { readonly id: string }): EventId {
  const parsed = parseEventId(id);
  if (parsed === undefined) throw new TypeError(`"${id}" is no event id.`);
  return parsed;
}
