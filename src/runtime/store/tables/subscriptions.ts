import type {
  AutoSubscriptionRecord,
  AutoSubscriptionTable,
  Ensured,
  SubscriptionRecord,
  SubscriptionTable,
} from '../configuration/subscriptions.ts';
import { autoSubscriptions, subscriptions } from '../schema/configuration.ts';
import type { TableChange, TableEngine } from './engine.ts';
import { Records } from './records.ts';

export interface Subscriptions extends SubscriptionTable {
  /** `ensure`, within a write. */
  join(change: TableChange, record: SubscriptionRecord): Ensured<SubscriptionRecord>;
  /** `delete`, within a write. */
  leave(change: TableChange, id: string): void;
  /**
   * Within the write that deletes an emitter or a listener.
   * @returns the ids of the subscriptions that were deleted with it
   */
  deleteOf(change: TableChange, id: string): string[];
  reread: Records<SubscriptionRecord>['reread'];
}

export async function createSubscriptions(engine: TableEngine): Promise<Subscriptions> {
  const records = await Records.load(engine, subscriptions);
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
    ensure: (record) => engine.write((change) => join(change, record)),
    delete: (id) => engine.write((change) => records.delete(change, id)),
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
  deleteOf(change: TableChange, listenerId: string): void;
  reread: Records<AutoSubscriptionRecord>['reread'];
}

export async function createAutoSubscriptions(engine: TableEngine): Promise<AutoSubscriptions> {
  const records = await Records.load(engine, autoSubscriptions);
  const { memory } = records;
  return {
    get: (id) => memory.get(id),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    reread: () => records.reread(),
    ensure: (record) =>
      engine.write((change) => {
        const found = memory.find(
          (one) => one.listenerId === record.listenerId && one.channel === record.channel,
        );
        if (found !== undefined) return { record: found, created: false };
        records.insert(change, record);
        return { record, created: true };
      }),
    delete: (id) => engine.write((change) => records.delete(change, id)),
    deleteOf(change, listenerId) {
      for (const one of memory.all()) {
        if (one.listenerId === listenerId) records.delete(change, one.id);
      }
    },
  };
}
