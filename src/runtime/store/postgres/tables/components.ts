import type { ComponentDefinition } from '../../../../protocol/definition.ts';
import type {
  ComponentRecord,
  ComponentTable,
  PublishedRecord,
} from '../../configuration/components.ts';
import { type Engine, write } from '../engine.ts';
import { json, number, text, textOrNull } from '../fields.ts';
import { Records, type RecordTable } from './records.ts';

const table: RecordTable<ComponentRecord> = {
  name: 'components',
  columnsOf: ({ hash, path, definition, createdAt }) => ({
    hash,
    path,
    definition: JSON.stringify(definition),
    created_at: createdAt,
  }),
  read: (row) => ({
    id: text(row, 'id'),
    hash: text(row, 'hash'),
    path: textOrNull(row, 'path'),
    definition: json(row, 'definition') as ComponentDefinition,
    createdAt: number(row, 'created_at'),
  }),
};

export interface ComponentRecords extends ComponentTable {
  reread(): Promise<() => void>;
}

/** @param inUse ids of those that sources and workflows refer to */
export async function createComponents(
  engine: Engine,
  inUse: () => Iterable<string>,
): Promise<ComponentRecords> {
  const records = await Records.load(engine, table);
  const { memory } = records;
  const published = new Map<string, PublishedRecord>();
  const rereadPublished = async () => {
    const rows = await engine.read('SELECT * FROM published');
    return (): void => {
      published.clear();
      for (const row of rows) {
        const [key, version] = [text(row, 'key'), text(row, 'version')];
        published.set(key, { key, version, componentId: text(row, 'component_id') });
      }
    };
  };
  (await rereadPublished())();
  const find: ComponentTable['find'] = (hash, path) =>
    memory.find((one) => one.hash === hash && one.path === path);
  return {
    get: (id) => memory.get(id),
    async reread() {
      const applies = [await rereadPublished(), await records.reread()];
      return () => {
        for (const apply of applies) apply();
      };
    },
    find,
    all: () => memory.all(),
    list: (request) => memory.list(request),
    ensure: (record) =>
      write(engine, (change) => {
        const found = find(record.hash, record.path);
        if (found === undefined) records.insert(change, record);
        return found ?? record;
      }),
    published: (key) => published.get(key),
    publish: (record, key, version) =>
      write(engine, (change) => {
        if (!memory.has(record.id)) records.insert(change, record);
        change.run(
          `INSERT INTO published (key, version, component_id) VALUES ($1, $2, $3)
           ON CONFLICT (key) DO UPDATE
             SET version = excluded.version, component_id = excluded.component_id`,
          [key, version, record.id],
        );
        published.set(key, { key, version, componentId: record.id });
      }),
    unpublish: (key) =>
      write(engine, (change) => {
        change.run('DELETE FROM published WHERE key = $1', [key]);
        published.delete(key);
      }),
    removeUnused: () =>
      write(engine, (change) => {
        const hashes = (): Set<string> => new Set(memory.all().map(({ hash }) => hash));
        const before = hashes();
        const used = new Set(inUse());
        for (const { componentId } of published.values()) used.add(componentId);
        for (const { id } of memory.all()) if (!used.has(id)) records.delete(change, id);
        const after = hashes();
        return [...before].filter((hash) => !after.has(hash));
      }),
  };
}
