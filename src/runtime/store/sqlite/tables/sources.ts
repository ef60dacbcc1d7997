import { WeirError } from '../../../../protocol/errors.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { InterfaceRecord, SourceRecord, SourceTable } from '../../configuration/sources.ts';
import { uniqueSlug } from '../../configuration/unique-slug.ts';
import type { Engine } from '../engine.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { Row } from '../wasm/row.ts';
import { deleteEmitter } from './delete-emitter.ts';
import { interfacesOf, replaceInterfaces } from './interfaces.ts';
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
  const { db, groups, keys, fence } = engine;
  const memory = new ResourceMemory(
    db.prepare('SELECT * FROM sources ORDER BY row').all((row) => ({
      ...readSource(row),
      interfaces: [] as readonly InterfaceRecord[],
    })),
  );
  for (const record of memory.all()) {
    memory.set({ ...record, interfaces: interfacesOf(db, keys.require(record.id).row) });
  }
  const bySlug: SourceTable['bySlug'] = (slug) => memory.find((one) => one.slug === slug);
  const freeSlug = (slug: string, id: string): string => {
    const others = memory.all().filter((one) => one.id !== id);
    return uniqueSlug(slug, new Set(others.map((one) => one.slug)));
  };
  const requireSource = (id: string): SourceRecord => {
    const record = memory.get(id);
    if (record === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    return record;
  };
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
    bySlug,
    find: (idOrSlug) => memory.get(idOrSlug) ?? bySlug(idOrSlug),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    insert: (wished) =>
      groups.writeAlone(() => {
        const record = { ...wished, slug: freeSlug(wished.slug, wished.id) };
        const emitter = db.prepare('INSERT INTO emitters (id) VALUES (?) RETURNING row');
        const row = emitter.get((made) => made.number('row'), record.id);
        if (row === undefined) throw new Error(`The row of ${record.id} is missing.`);
        db.prepare(
          `INSERT INTO sources (component_id, name, slug, deploying, active, configured_props,
             definition, created_at, updated_at, id, row) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(...columns(record), record.id, row);
        replaceInterfaces(db, row, record.interfaces);
        keys.add(record.id, row, fence);
        memory.set(record);
        return record;
      }),
    replace: (record) =>
      groups.writeAlone(() => {
        const { slug, createdAt } = requireSource(record.id);
        replaceInterfaces(db, keys.require(record.id).row, record.interfaces);
        return update({ ...record, slug, createdAt });
      }),
    rename: (id, name, slug, updatedAt) =>
      groups.writeAlone(() =>
        update({ ...requireSource(id), name, slug: freeSlug(slug, id), updatedAt }),
      ),
    endDeploy: ({ id, fence: by }, updatedAt, newId) =>
      groups.writeAlone(() => {
        keys.owned(id, by);
        update({ ...requireSource(id), deploying: false, active: true, updatedAt });
        return autoSubscriptions
          .all()
          .map(({ listenerId, channel }) =>
            subscriptions.join({ id: newId(), emitterId: id, listenerId, channel }),
          )
          .flatMap(({ record, created }) => (created ? [record.id] : []));
      }),
    requireInterface(id, interfaceId) {
      if (requireSource(id).interfaces.some((one) => one.id === interfaceId)) return;
      throw new WeirError('not_found', `There is no interface ${interfaceId}.`);
    },
    tickMoved(id, interfaceId, nextAt) {
      const record = requireSource(id);
      memory.set({
        ...record,
        interfaces: record.interfaces.map(({ nextAt: before, ...rest }) => {
          const at = rest.id === interfaceId ? nextAt : before;
          return at === undefined ? rest : { ...rest, nextAt: at };
        }),
      });
    },
    delete: (id) =>
      groups.writeAlone(() => {
        const key = keys.get(id);
        if (key === undefined) return [];
        deleteEmitter(engine, key);
        search.forget(key.row);
        memory.delete(id);
        keys.remove(id);
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
