import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import type {
  AutoSubscriptionRecord,
  AutoSubscriptionTable,
} from '../../configuration/auto-subscriptions.ts';
import { resourceReader } from './resource.ts';

export function createAutoSubscriptions({ db, groups }: Engine): AutoSubscriptionTable {
  const reader = resourceReader(db, 'auto_subscriptions', readAutoSubscription);
  const insert = 'INSERT INTO auto_subscriptions (id, listener_id, channel) VALUES (?, ?, ?)';
  return {
    all: () => reader.all(),
    list: (request) => reader.list(request),
    insert: ({ id, listenerId, channel }) =>
      groups.writeAlone(() => db.prepare(insert).run(id, listenerId, channel)),
    delete: (id) =>
      groups.writeAlone(() => db.prepare('DELETE FROM auto_subscriptions WHERE id = ?').run(id)),
  };
}

function readAutoSubscription(row: Row): AutoSubscriptionRecord {
  return {
    id: row.text('id'),
    listenerId: row.text('listener_id'),
    channel: row.text('channel'),
  };
}
