import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../sqlite/row.ts';
import type { ComponentRecord, ComponentTable } from '../store.ts';
import { resourceReader } from './resource.ts';

export function createComponents({ db, groups }: Engine): ComponentTable {
  const reader = resourceReader(db, 'components', readComponent);
  return {
    get: (id) => reader.get(id),
    find: (hash, path) =>
      db
        .prepare('SELECT * FROM components WHERE hash = ? AND path IS ?')
        .get(readComponent, hash, path),
    list: (request) => reader.list(request),
    insert: (record) =>
      groups.writeAlone(() =>
        db
          .prepare(
            'INSERT INTO components (id, hash, path, definition, created_at) VALUES (?, ?, ?, ?, ?)',
          )
          .run(
            record.id,
            record.hash,
            record.path,
            JSON.stringify(record.definition),
            record.createdAt,
          ),
      ),
    removeUnused: () =>
      groups.writeAlone(() => {
        const before = hashes();
        db.prepare(
          'DELETE FROM components WHERE id NOT IN (SELECT component_id FROM sources)',
        ).run();
        const after = new Set(hashes());
        return before.filter((hash) => !after.has(hash));
      }),
  };

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
