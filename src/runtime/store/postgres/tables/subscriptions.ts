import type {
  AutoSubscriptionRecord,
  AutoSubscriptionTable,
  Ensured,
  SubscriptionRecord,
  SubscriptionTable,
} from '../../configuration/subscriptions.ts';
import type { Change } from '../change.ts';
import { type Engine, write } from '../engine.ts';
import { text } from '../fields.ts';
import { Records, type RecordTable } from './records.ts';

const table: RecordTable<SubscriptionRecord> = {
  name: 'subscriptions',
  columnsOf: ({ emitterId, listenerId, channel }) => ({
    emitter_id: emitterId,
    listener_id: listenerId,
    channel,
  }),
  read: (row) => ({
    id: text(row, 'id'),
    emitterId: text(row, 'emitter_id'),
    listenerId: text(row, 'listener_id'),
    channel: text(row, 'channel'),
  }),
};

const autoTable: RecordTable<AutoSubscriptionRecord> = {
  name: 'auto_subscriptions',
  columnsOf: ({ listenerId, channel }) => ({ listener_id: listenerId, channel }),
  read: (row) => ({
    id: text(row, 'id'),
    listenerId: text(row, 'listener_id'),
    channel: text(row, 'channel'),
  }),
};

export interface Subscriptions extends SubscriptionTable {
  /** `ensure`, within a write. */
  join(change: Change, record: SubscriptionRecord): Ensured<SubscriptionRecord>;
  /** `delete`, within a write. */
  leave(change: Change, id: string): void;
  /** Within the write that deletes an emitter or a listener. @returns the ids of those that went with it */
  deleteOf(change: Change, id: string): string[];
  reread: Records<SubscriptionRecord>['reread'];
}

export async function createSubscriptions(engine: Engine): Promise<Subscriptions> {
  const records = await Records.load(engine, table);
  const { memory } = records;
  const find: SubscriptionTable['find'] = (emitterId, listenerId, channel) =>
    memory.find(
      (one) =>
        one.emitterId === emitterId && one.listenerId === listenerId && one.channel === channel,
    );
  const join: Subscriptions['join'] = (change, record) => {
    const found = find(record.emitterId, record.listenerId, record.channel);
    if (found !== undefined) return { record: found, created: false };
    records.insert(change, record);
    return { record, created: true };
  };
  return {
    join,
    leave: (change, id) => records.delete(change, id),
    get: (id) => memory.get(id),
    all: () => memory.all(),
    find,
    list: (request) => memory.list(request),
    reread: () => records.reread(),
    ensure: (record) => write(engine, (change) => join(change, record)),
    delete: (id) => write(engine, (change) => records.delete(change, id)),
    deleteOf(change, id) {
      const gone = memory
        .all()
        .filter((one) => one.emitterId === id || one.listenerId === id)
        .map((one) => one.id);
      for (const one of gone) records.delete(change, one);
      return gone;
    },
  };
}

export interface AutoSubscriptions extends AutoSubscriptionTable {
  /** Within the write that deletes the listener. */
  deleteOf(change: Change, listenerId: string): void;
  reread: Records<AutoSubscriptionRecord>['reread'];
}

export async function createAutoSubscriptions(engine: Engine): Promise<AutoSubscriptions> {
  const records = await Records.load(engine, autoTable);
  const { memory } = records;
  return {
    get: (id) => memory.get(id),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    reread: () => records.reread(),
    ensure: (record) =>
      write(engine, (change) => {
        const found = memory.find(
          (one) => one.listenerId === record.listenerId && one.channel === record.channel,
        );
        if (found !== undefined) return { record: found, created: false };
        records.insert(change, record);
        return { record, created: true };
      }),
    delete: (id) => write(engine, (change) => records.delete(change, id)),
    deleteOf(change, listenerId) {
      for (const one of memory.all()) {
        if (one.listenerId === listenerId) records.delete(change, one.id);
      }
    },
  };
}
