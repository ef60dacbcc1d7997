import type { SourceRecord, SourceTable } from '../../configuration/sources.ts';
import type { Change } from '../change.ts';
import { type Engine, write } from '../engine.ts';
import type { RecordChanges } from '../../shared.ts';
import { flag, json, number, text } from '../fields.ts';
import { EmitterRecords, withInterfaces } from './emitter-records.ts';
import { Records, type RecordTable } from './records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

const table: RecordTable<SourceRecord> = {
  name: 'sources',
  columnsOf: (record) => ({
    component_id: record.componentId,
    name: record.name,
    slug: record.slug,
    deploying: record.deploying,
    active: record.active,
    configured_props: JSON.stringify(record.configuredProps),
    definition: JSON.stringify(record.definition),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  }),
  read: (row) => ({
    id: text(row, 'id'),
    componentId: text(row, 'component_id'),
    name: text(row, 'name'),
    slug: text(row, 'slug'),
    deploying: flag(row, 'deploying'),
    active: flag(row, 'active'),
    configuredProps: json(row, 'configured_props') as SourceRecord['configuredProps'],
    definition: json(row, 'definition') as SourceRecord['definition'],
    interfaces: [],
    createdAt: number(row, 'created_at'),
    updatedAt: number(row, 'updated_at'),
  }),
};

export interface Sources extends Omit<SourceTable, 'setNextTick'> {
  /** @throws WeirError('not_found') when the source has no such interface */
  requireInterface(id: string, interfaceId: string): void;
  /** Within a write: when a timer ticks next. */
  moveTick(change: Change, id: string, interfaceId: string, nextAt: number | undefined): void;
  /** See `Records.reread`; but for those that are this node's: nobody else changes them. */
  reread(isOwn: (id: string) => boolean): Promise<() => RecordChanges>;
  /** Reads anew when its timers tick. */
  refreshTicks(id: string): Promise<void>;
}

export async function createSources(
  engine: Engine,
  subscriptions: Subscriptions,
  autoSubscriptions: AutoSubscriptions,
): Promise<Sources> {
  const { keys } = engine;
  const records = await Records.load(engine, table, withInterfaces(engine));
  const emitters = new EmitterRecords(engine, records, 'source');
  const { memory } = emitters;
  return {
    get: (id) => memory.get(id),
    bySlug: (slug) => emitters.bySlug(slug),
    find: (idOrSlug) => emitters.find(idOrSlug),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    insert: (wished) =>
      write(engine, (change) => {
        const record = { ...wished, slug: emitters.freeSlug(wished.slug, wished.id) };
        emitters.add(change, record);
        return record;
      }),
    replace: (record) =>
      write(engine, (change) => {
        const { slug, createdAt } = emitters.require(record.id);
        emitters.replaceInterfaces(change, record);
        return emitters.update(change, { ...record, slug, createdAt });
      }),
    rename: (id, name, slug, updatedAt) =>
      write(engine, (change) =>
        emitters.update(change, {
          ...emitters.require(id),
          name,
          slug: emitters.freeSlug(slug, id),
          updatedAt,
        }),
      ),
    endDeploy: ({ id, fence }, updatedAt, newId) =>
      write(engine, (change) => {
        keys.owned(id, fence);
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
      write(engine, (change) => {
        if (!emitters.delete(change, id)) return [];
        autoSubscriptions.deleteOf(change, id);
        return subscriptions.deleteOf(change, id);
      }),
  };
}
