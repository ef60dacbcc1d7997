import type { ComponentDefinition } from '../../../../protocol/definition.ts';
import type {
  ComponentRecord,
  ComponentTable,
  PublishedRecord,
} from '../../configuration/components.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';

export function createComponents({ db, groups }: Engine): ComponentTable {
  const memory = new ResourceMemory(
    db.prepare('SELECT * FROM components ORDER BY row').all(readComponent),
  );
  const published = new Map<string, PublishedRecord>(
    db.prepare('SELECT * FROM published').all((row) => {
      const [key, version] = [row.text('key'), row.text('version')];
      return [key, { key, version, componentId: row.text('component_id') }];
    }),
  );
  const find: ComponentTable['find'] = (hash, path) =>
    memory.find((one) => one.hash === hash && one.path === path);
  const insert = (record: ComponentRecord): void => {
    const { id, hash, path, definition, createdAt } = record;
    db.prepare(
      'INSERT INTO components (id, hash, path, definition, created_at) VALUES (?, ?, ?, ?, ?)',
    ).run(id, hash, path, JSON.stringify(definition), createdAt);
    memory.set(record);
  };
  const hashes = (): Set<string> => new Set(memory.all().map(({ hash }) => hash));

  return {
    get: (id) => memory.get(id),
    find,
    all: () => memory.all(),
    list: (request) => memory.list(request),
    ensure: (record) =>
      groups.writeAlone(() => {
        const found = find(record.hash, record.path);
        if (found === undefined) insert(record);
        return found ?? record;
      }),
    published: (key) => published.get(key),
    publish: (record, key, version) =>
      groups.writeAlone(() => {
        if (!memory.has(record.id)) insert(record);
        db.prepare(
          'INSERT OR REPLACE INTO published (key, version, component_id) VALUES (?, ?, ?)',
        ).run(key, version, record.id);
        published.set(key, { key, version, componentId: record.id });
      }),
    unpublish: (key) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM published WHERE key = ?').run(key);
        published.delete(key);
      }),
    removeUnused: () =>
      groups.writeAlone(() => {
        const before = hashes();
        const unused = db
          .prepare(
            `SELECT id FROM components WHERE id NOT IN (SELECT component_id FROM sources)
               AND id NOT IN (SELECT component_id FROM published)
               AND id NOT IN (SELECT component_id FROM workflow_components)`,
          )
          .all((row) => row.text('id'));
        for (const id of unused) {
          db.prepare('DELETE FROM components WHERE id = ?').run(id);
          memory.delete(id);
        }
        const after = hashes();
        return [...before].filter((hash) => !after.has(hash));
      }),
  };
}

function readComponent(row: Row): ComponentRecord {
  return {
    id: row.text('id'),
    hash: row.text('hash'),
    path: row.textOrNull('path'),
    definition: row.json('definition') as ComponentDefinition,
    createdAt: row.number('created_at'),
  };
}
