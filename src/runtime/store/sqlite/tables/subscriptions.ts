import { ResourceMemory } from '../../configuration/memory.ts';
import type {
  AutoSubscriptionRecord,
  AutoSubscriptionTable,
  Ensured,
  SubscriptionRecord,
  SubscriptionTable,
} from '../../configuration/subscriptions.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';

export interface Subscriptions extends SubscriptionTable {
  /** Within a write: `ensure`. */
  join(record: SubscriptionRecord): Ensured<SubscriptionRecord>;
  /** Within a write: `delete`. */
  leave(id: string): void;
  /** Within the write that deletes an emitter or a listener. @returns the ids of those that went with it */
  deleteOf(id: string): string[];
}

export function createSubscriptions({ db, groups }: Engine): Subscriptions {
  const memory = new ResourceMemory(
    db.prepare('SELECT * FROM subscriptions ORDER BY row').all(readSubscription),
  );
  const find: SubscriptionTable['find'] = (emitterId, listenerId, channel) =>
    memory.find(
      (one) =>
        one.emitterId === emitterId && one.listenerId === listenerId && one.channel === channel,
    );
  const remove = (id: string): void => {
    db.prepare('DELETE FROM subscriptions WHERE id = ?').run(id);
    memory.delete(id);
  };
  const join: Subscriptions['join'] = (record) => {
    const { id, emitterId, listenerId, channel } = record;
    const found = find(emitterId, listenerId, channel);
    if (found !== undefined) return { record: found, created: false };
    db.prepare(
      'INSERT INTO subscriptions (id, emitter_id, listener_id, channel) VALUES (?, ?, ?, ?)',
    ).run(id, emitterId, listenerId, channel);
    memory.set(record);
    return { record, created: true };
  };
  return {
    join,
    leave: remove,
    get: (id) => memory.get(id),
    all: () => memory.all(),
    find,
    list: (request) => memory.list(request),
    ensure: (record) => groups.writeAlone(() => join(record)),
    delete: (id) => groups.writeAlone(() => remove(id)),
    deleteOf(id) {
      const gone = memory
        .all()
        .filter((one) => one.emitterId === id || one.listenerId === id)
        .map((one) => one.id);
      for (const one of gone) remove(one);
      return gone;
    },
  };
}

export interface AutoSubscriptions extends AutoSubscriptionTable {
  /** Within the write that deletes the listener. */
  deleteOf(listenerId: string): void;
}

export function createAutoSubscriptions({ db, groups }: Engine): AutoSubscriptions {
  const memory = new ResourceMemory(
    db.prepare('SELECT * FROM auto_subscriptions ORDER BY row').all(readAutoSubscription),
  );
  const remove = (id: string): void => {
    db.prepare('DELETE FROM auto_subscriptions WHERE id = ?').run(id);
    memory.delete(id);
  };
  return {
    get: (id) => memory.get(id),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    ensure: (record) =>
      groups.writeAlone(() => {
        const { id, listenerId, channel } = record;
        const found = memory.find(
          (one) => one.listenerId === listenerId && one.channel === channel,
        );
        if (found !== undefined) return { record: found, created: false };
        db.prepare(
          'INSERT INTO auto_subscriptions (id, listener_id, channel) VALUES (?, ?, ?)',
        ).run(id, listenerId, channel);
        memory.set(record);
        return { record, created: true };
      }),
    delete: (id) => groups.writeAlone(() => remove(id)),
    deleteOf(listenerId) {
      for (const one of memory.all()) if (one.listenerId === listenerId) remove(one.id);
    },
  };
}

function readSubscription(row: Row): SubscriptionRecord {
  return {
    id: row.text('id'),
    emitterId: row.text('emitter_id'),
    listenerId: row.text('listener_id'),
    channel: row.text('channel'),
  };
}

function readAutoSubscription(row: Row): AutoSubscriptionRecord {
  return {
    id: row.text('id'),
    listenerId: row.text('listener_id'),
    channel: row.text('channel'),
  };
}
