import type { SourceRecord, SourceTable } from '../configuration/sources.ts';
import { sources } from '../schema/configuration.ts';
import type { RecordChanges } from '../shared.ts';
import { EmitterRecords, type Emitters, withInterfaces } from './emitter-records.ts';
import type { TableChange, TableEngine } from './engine.ts';
import { Records } from './records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

export interface Sources extends Omit<SourceTable, 'setNextTick'> {
  /** @throws WeirError('not_found') when the source has no such interface */
  requireInterface(id: string, interfaceId: string): void;
  /** Within a write: when a timer ticks next. */
  moveTick(change: TableChange, id: string, interfaceId: string, nextAt: number | undefined): void;
  /** See `Records.reread`, except for sources of this node, because nobody else changes them. */
  reread(isOwn: (id: string) => boolean): Promise<() => RecordChanges>;
  /** Reads again when its timers tick. */
  refreshTicks(id: string): Promise<void>;
}

export async function createSources(
  engine: TableEngine,
  owners: Emitters,
  subscriptions: Subscriptions,
  autoSubscriptions: AutoSubscriptions,
): Promise<Sources> {
  const records = await Records.load<SourceRecord>(engine, sources, withInterfaces(engine));
  const emitters = new EmitterRecords(engine, owners, records, 'source');
  const { memory } = emitters;
  return {
    get: (id) => memory.get(id),
    bySlug: (slug) => emitters.bySlug(slug),
    find: (idOrSlug) => emitters.find(idOrSlug),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    insert: (wished) =>
      engine.write((change) => {
        const record = { ...wished, slug: emitters.freeSlug(wished.slug, wished.id) };
        emitters.add(change, record);
        return record;
      }),
    replace: (record) =>
      engine.write((change) => {
        const { slug, createdAt } = emitters.require(record.id);
        emitters.replaceInterfaces(change, record);
        return emitters.update(change, { ...record, slug, createdAt });
      }),
    rename: (id, name, slug, updatedAt) =>
      engine.write((change) =>
        emitters.update(change, {
          ...emitters.require(id),
          name,
          slug: emitters.freeSlug(slug, id),
          updatedAt,
        }),
      ),
    endDeploy: ({ id, fence }, updatedAt, newId) =>
      engine.write((change) => {
        owners.owned(id, fence);
        const before = emitters.require(id);
        emitters.update(change, { ...before, deploying: false, active: true, updatedAt });
        return autoSubscriptions
          .all()
          .map(({ listenerId, channel }) =>
            subscriptions.join(change, { id: newId(), emitterId: id, listenerId, channel }),
          )
          .flatMap(({ record, created }) => (created ? [record.id] : []));
      }),
    requireInterface: (id, interfaceId) => emitters.requireInterface(id, interfaceId),
    moveTick: (...move) => emitters.moveTick(...move),
    reread: (isOwn) => records.reread((read) => (isOwn(read.id) ? undefined : read)),
    refreshTicks: (id) => emitters.refreshTicks(id),
    delete: (id) =>
      engine.write((change) => {
        if (!emitters.delete(change, id)) return [];
        autoSubscriptions.deleteOf(change, id);
        return subscriptions.deleteOf(change, id);
      }),
  };
}
