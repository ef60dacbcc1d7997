import type { SourceRecord, SourceTable } from '../../configuration/sources.ts';
import type { Engine } from '../engine.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { Row } from '../wasm/row.ts';
import { EmitterRecords } from './emitter-records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

export interface Sources extends Omit<SourceTable, 'setNextTick'> {
  /** @throws WeirError('not_found') when the source has no such interface */
  requireInterface(id: string, interfaceId: string): void;
  /** Within a write: a timer's next tick is in the store; this is what memory says of it. */
  tickMoved(id: string, interfaceId: string, nextAt: number | undefined): void;
}

export function createSources(
  engine: Engine,
  search: EventSearch,
  subscriptions: Subscriptions,
  autoSubscriptions: AutoSubscriptions,
): Sources {
  const { db, groups, keys } = engine;
  const rows = db.prepare('SELECT * FROM sources ORDER BY row').all(readSource);
  const records = new EmitterRecords<SourceRecord>(engine, search, 'source', rows);
  const { memory } = records;
  const update = (record: SourceRecord): SourceRecord => {
    db.prepare(
      `UPDATE sources SET component_id = ?, name = ?, slug = ?, deploying = ?, active = ?,
         configured_props = ?, definition = ?, created_at = ?, updated_at = ? WHERE id = ?`,
    ).run(...columns(record), record.id);
    memory.set(record);
    return record;
  };

  return {
    get: (id) => memory.get(id),
    bySlug: (slug) => records.bySlug(slug),
    find: (idOrSlug) => records.find(idOrSlug),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    insert: (wished) =>
      groups.writeAlone(() => {
        const record = { ...wished, slug: records.freeSlug(wished.slug, wished.id) };
        const insert = db.prepare(
          `INSERT INTO sources (component_id, name, slug, deploying, active, configured_props,
             definition, created_at, updated_at, id, row) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        );
        records.add(record, (row) => insert.run(...columns(record), record.id, row));
        return record;
      }),
    replace: (record) =>
      groups.writeAlone(() => {
        const { slug, createdAt } = records.require(record.id);
        records.replaceInterfaces(record);
        return update({ ...record, slug, createdAt });
      }),
    rename: (id, name, slug, updatedAt) =>
      groups.writeAlone(() =>
        update({ ...records.require(id), name, slug: records.freeSlug(slug, id), updatedAt }),
      ),
    endDeploy: ({ id, fence: by }, updatedAt, newId) =>
      groups.writeAlone(() => {
        keys.owned(id, by);
        update({ ...records.require(id), deploying: false, active: true, updatedAt });
        return autoSubscriptions
          .all()
          .map(({ listenerId, channel }) =>
            subscriptions.join({ id: newId(), emitterId: id, listenerId, channel }),
          )
          .flatMap(({ record, created }) => (created ? [record.id] : []));
      }),
    requireInterface: (id, interfaceId) => records.requireInterface(id, interfaceId),
    tickMoved: (id, interfaceId, nextAt) => records.tickMoved(id, interfaceId, nextAt),
    delete: (id) =>
      groups.writeAlone(() => {
        if (!records.delete(id)) return [];
        autoSubscriptions.deleteOf(id);
        return subscriptions.deleteOf(id);
      }),
  };
}

function columns(record: SourceRecord) {
  return [
    record.componentId,
    record.name,
    record.slug,
    record.deploying,
    record.active,
    JSON.stringify(record.configuredProps),
    JSON.stringify(record.definition),
    record.createdAt,
    record.updatedAt,
  ];
}

function readSource(row: Row): Omit<SourceRecord, 'interfaces'> {
  return {
    id: row.text('id'),
    componentId: row.text('component_id'),
    name: row.text('name'),
    slug: row.text('slug'),
    deploying: row.flag('deploying'),
    active: row.flag('active'),
    configuredProps: row.json('configured_props') as SourceRecord['configuredProps'],
    definition: row.json('definition') as SourceRecord['definition'],
    createdAt: row.number('created_at'),
    updatedAt: row.number('updated_at'),
  };
}
