import type { ComponentDefinition } from '../../../../protocol/definition.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import type { ComponentRecord, ComponentTable } from '../../configuration/components.ts';
import { resourceReader } from './resource.ts';

export function createComponents({ db, groups }: Engine): ComponentTable {
  const reader = resourceReader(db, 'components', readComponent);
  return {
    get: (id) => reader.get(id),
    find: (hash, path) =>
      db
        .prepare('SELECT * FROM components WHERE hash = ? AND path IS ?')
        .get(readComponent, hash, path),
    all: () => reader.all(),
    list: (request) => reader.list(request),
    insert: (record) => groups.writeAlone(() => insert(record)),
    published: (key) =>
      db.prepare('SELECT * FROM published WHERE key = ?').get(
        (row) => ({
          key: row.text('key'),
          version: row.text('version'),
          componentId: row.text('component_id'),
        }),
        key,
      ),
    publish: (record, key, version) =>
      groups.writeAlone(() => {
        if (reader.get(record.id) === undefined) insert(record);
        db.prepare(
          'INSERT OR REPLACE INTO published (key, version, component_id) VALUES (?, ?, ?)',
        ).run(key, version, record.id);
      }),
    unpublish: (key) =>
      groups.writeAlone(() => db.prepare('DELETE FROM published WHERE key = ?').run(key)),
    removeUnused: () =>
      groups.writeAlone(() => {
        const before = hashes();
        db.prepare(
          `DELETE FROM components WHERE id NOT IN (SELECT component_id FROM sources)
             AND id NOT IN (SELECT component_id FROM published)`,
        ).run();
        const after = new Set(hashes());
        return before.filter((hash) => !after.has(hash));
      }),
  };

  function insert(record: ComponentRecord): void {
    const { id, hash, path, definition, createdAt } = record;
    db.prepare(
      'INSERT INTO components (id, hash, path, definition, created_at) VALUES (?, ?, ?, ?, ?)',
    ).run(id, hash, path, JSON.stringify(definition), createdAt);
  }

  function hashes(): string[] {
    return db.prepare('SELECT DISTINCT hash FROM components').all((row) => row.text('hash'));
  }
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
