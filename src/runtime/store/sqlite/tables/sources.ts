import { WeirError } from '../../../../protocol/errors.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import type { SourceRecord, SourceTable } from '../../configuration/sources.ts';
import { deleteSource } from './delete-source.ts';
import { readDb, readDedupe } from './source-state.ts';
import { interfacesOf, replaceInterfaces } from './interfaces.ts';
import { resourceReader } from './resource.ts';

/** Records are kept in memory once read: every trigger asks for its source. */
export function createSources(engine: Engine): SourceTable {
  const { db, groups, keys } = engine;
  const cache = new Map<string, SourceRecord>();
  const reader = resourceReader(db, 'sources', (row) => {
    const id = row.text('id');
    const known = cache.get(id);
    if (known !== undefined) return known;
    const record = { ...readSource(row), interfaces: interfacesOf(db, row.number('row')) };
    cache.set(id, record);
    return record;
  });
  const bySlug = db.prepare('SELECT id FROM sources WHERE slug = ?');

  const table: SourceTable = {
    get: (id) => cache.get(id) ?? reader.get(id),
    bySlug(slug) {
      const id = bySlug.get((row) => row.text('id'), slug);
      return id === undefined ? undefined : table.get(id);
    },
    find: (idOrSlug) => table.get(idOrSlug) ?? table.bySlug(idOrSlug),
    all: () => reader.all(),
    list: (request) => reader.list(request),
    slugs: () => new Set(db.prepare('SELECT slug FROM sources').all((row) => row.text('slug'))),
    insert: (record) =>
      groups.writeAlone(() => {
        const row = insertSource.get((made) => made.number('row'), ...columns(record), record.id);
        if (row === undefined) throw new Error(`The row of ${record.id} is missing.`);
        replaceInterfaces(db, row, record.interfaces);
        keys.add(record.id, row);
      }),
    replace: (record) =>
      groups.writeAlone(() => {
        const { row } = keyOf(record.id);
        db.prepare(
          `UPDATE sources SET component_id = ?, name = ?, slug = ?, deploying = ?, active = ?,
             configured_props = ?, definition = ?, created_at = ?, updated_at = ? WHERE id = ?`,
        ).run(...columns(record), record.id);
        replaceInterfaces(db, row, record.interfaces);
        cache.delete(record.id);
      }),
    setNextTick: (interfaceId, nextAt) =>
      groups.writeAlone(() => {
        const source = db
          .prepare('UPDATE interfaces SET next_at = ? WHERE id = ? RETURNING source')
          .get((row) => row.number('source'), nextAt, interfaceId);
        if (source === undefined) {
          throw new WeirError('not_found', `There is no interface ${interfaceId}.`);
        }
        cache.delete(keys.idOf(source));
      }),
    delete: (id) =>
      groups.writeAlone(() => {
        const key = keys.get(id);
        if (key === undefined) return;
        deleteSource(engine, key);
        cache.delete(id);
        keys.remove(id);
      }),
    db: (id) => readDb(db, keyOf(id).row),
    dedupe: (id) => readDedupe(db, keyOf(id).row),
  };
  const insertSource = db.prepare(
    `INSERT INTO sources (component_id, name, slug, deploying, active, configured_props, definition,
       created_at, updated_at, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING row`,
  );
  return table;

  function keyOf(id: string) {
    const key = keys.get(id);
    if (key === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    return key;
  }
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
