import { WeirError } from '../../../../protocol/errors.ts';
import type { Engine } from '../engine.ts';
import { type EventId, parseEventId } from '../../event-id.ts';
import type { SourceKey } from '../emitter-keys.ts';
import type { CommittedInvocation, InvocationCommit } from '../../commit.ts';
import type { DeliveryRecord } from '../../history/deliveries.ts';
import type { DroppedEvent, NewEvent } from '../../history/events.ts';
import type { NewInvocation } from '../../history/invocations.ts';
import type { Store } from '../../store.ts';
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
  const writer = createEventWriter(engine);
  const state = createStateWriter(engine);
  const end = db.prepare(
    `UPDATE invocations SET status = ?, started_at = ?, ended_at = ?, emitted = ?, dropped = ?,
       error = ?, first_event = ?, first_log = ?, logs = ?
     WHERE source = ? AND n = ?`,
  );
  const removeTrigger = db.prepare('DELETE FROM triggers WHERE n = ?');
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
      const checked = check(commit, keyOf(commit.sourceId));
      const { value, durable } = groups.write(() => apply(checked));
      await durable;
      return value;
    },
  };

  function apply(checked: CheckedCommit): CommittedInvocation {
    const { commit, key, events, drops, notices, error } = checked;
    end.run(
      commit.status,
      commit.startedAt,
      commit.endedAt,
      events.length,
      drops.length,
      error,
      marks.peek('event'),
      marks.peek('log'),
      commit.logs.length,
      key.row,
      commit.n,
    );
    const deliveries: DeliveryRecord[] = [];
    const triggered: { n: number; sourceId: string }[] = [];
    const tellListeners = ({ id, event }: WithId<NewEvent>): void => {
      for (const webhookId of event.webhooks) {
        // Deleted since the emit room planned the delivery.
        if (webhooks.has(webhookId)) deliveries.push(deliver(webhookId, key, id, event));
      }
      for (const sourceId of event.sources) {
        const listener = keys.get(sourceId);
        if (listener !== undefined) triggered.push({ n: trigger(listener, event), sourceId });
      }
    };
    for (const made of events) {
      writer.event(key.row, commit.n, made.id, made.event);
      marks.sawEvent(made.id);
      tellListeners(made);
    }
    for (const { id, event } of drops) {
      writer.drop(key.row, commit.n, id, event);
      marks.sawEvent(id);
    }
    // After what the invocation counts as its own.
    for (const made of notices) {
      writer.notice(key.row, commit.n, made.id, made.event);
      marks.sawEvent(made.id);
      tellListeners(made);
    }
    state.db(key.row, commit.db);
    if (commit.dedupe !== undefined) state.dedupe(key, commit.dedupe);
    if (commit.forgetTrigger === true) removeTrigger.run(commit.n);
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

/** A commit in which nothing can be wrong any more. */
interface CheckedCommit {
  readonly commit: InvocationCommit;
  readonly key: SourceKey;
  readonly events: readonly WithId<NewEvent>[];
  readonly drops: readonly WithId<DroppedEvent>[];
  readonly notices: readonly WithId<NewEvent>[];
  readonly error: string | null;
}

interface WithId<T> {
  readonly id: EventId;
  readonly event: T;
}

const nothing: readonly never[] = [];

function check(commit: InvocationCommit, key: SourceKey): CheckedCommit {
  return {
    commit,
    key,
    events: commit.events.map(withId),
    drops: commit.drops.map(withId),
    notices: commit.notices?.map(withId) ?? nothing,
    error: commit.error === undefined ? null : JSON.stringify(commit.error),
  };
}

function withId<T extends { readonly id: string }>(event: T): WithId<T> {
  const id = parseEventId(event.id);
  if (id === undefined) throw new TypeError(`"${event.id}" is no event id.`);
  return { id, event };
}
