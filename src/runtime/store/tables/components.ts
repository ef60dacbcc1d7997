import type { ComponentTable } from '../configuration/components.ts';
import { components, published } from '../schema/configuration.ts';
import type { TableEngine } from './engine.ts';
import { KeyedRecords, Records } from './records.ts';

export interface Components extends ComponentTable {
  /** See `Records.reread`. */
  reread(): Promise<() => void>;
}

/** @param inUse ids of the components that sources and workflows refer to */
export async function createComponents(
  engine: TableEngine,
  inUse: () => Iterable<string>,
): Promise<Components> {
  const records = await Records.load(engine, components);
  const { memory } = records;
  const byKey = await KeyedRecords.load(engine, published, 'key');
  const find: ComponentTable['find'] = (hash, path) =>
    memory.find((one) => one.hash === hash && one.path === path);
  const hashes = (): Set<string> => new Set(memory.all().map(({ hash }) => hash));
  return {
    get: (id) => memory.get(id),
    async reread() {
      const applies = [await byKey.reread(), await records.reread()];
      return () => {
        for (const apply of applies) apply();
      };
    },
    find,
    all: () => memory.all(),
    list: (request) => memory.list(request),
    ensure: (record) =>
      engine.write((change) => {
        const found = find(record.hash, record.path);
        if (found === undefined) records.insert(change, record);
        return found ?? record;
      }),
    published: (key) => byKey.get(key),
    publish: (record, key, version) =>
      engine.write((change) => {
        if (!memory.has(record.id)) records.insert(change, record);
        byKey.put(change, { key, version, componentId: record.id });
      }),
    unpublish: (key) => engine.write((change) => void byKey.delete(change, key)),
    removeUnused: () =>
      engine.write((change) => {
        const before = hashes();
        const used = new Set(inUse());
        for (const { componentId } of byKey.all()) used.add(componentId);
        for (const { id } of memory.all()) if (!used.has(id)) records.delete(change, id);
        const after = hashes();
        return [...before].filter((hash) => !after.has(hash));
      }),
  };
}
