import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import type { SubscriptionRecord, SubscriptionTable } from '../../configuration/subscriptions.ts';
import { resourceReader } from './resource.ts';

export function createSubscriptions({ db, groups }: Engine): SubscriptionTable {
  const reader = resourceReader(db, 'subscriptions', readSubscription);
  return {
    all: () => reader.all(),
    find: (emitterId, listenerId, channel) =>
      db
        .prepare(
          'SELECT * FROM subscriptions WHERE emitter_id = ? AND listener_id = ? AND channel = ?',
        )
        .get(readSubscription, emitterId, listenerId, channel),
    list: (request) => reader.list(request),
    insert: (record) =>
      groups.writeAlone(() =>
        db
          .prepare(
            'INSERT INTO subscriptions (id, emitter_id, listener_id, channel) VALUES (?, ?, ?, ?)',
          )
          .run(record.id, record.emitterId, record.listenerId, record.channel),
      ),
    delete: (id) =>
      groups.writeAlone(() => db.prepare('DELETE FROM subscriptions WHERE id = ?').run(id)),
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
