import type { DataStoreItem, DataStoreRecord, DataStoreTable } from '../../history/data-stores.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import { ResourceMemory } from '../../configuration/memory.ts';

const alive = '(expires_at IS NULL OR expires_at > ?)';
const ofStore = `FROM data_store_records WHERE store = ? AND ${alive}`;

export function createDataStores({ db, groups }: Engine): DataStoreTable {
  const memory = new ResourceMemory(
    db.prepare('SELECT * FROM data_stores ORDER BY row').all(readDataStore),
  );
  const find = (idOrName: string): DataStoreRecord | undefined =>
    memory.get(idOrName) ?? memory.find(({ name }) => name === idOrName);
  const run = (sql: string, ...values: readonly (string | number | null)[]): Promise<void> =>
    groups.writeAlone(() => db.prepare(sql).run(...values));
  return {
    find,
    list: (request) => memory.list(request),
    ensure: (record) =>
      groups.writeAlone(() => {
        const { id, name, createdAt } = record;
        const found = find(name);
        if (found !== undefined) return found;
        db.prepare('INSERT INTO data_stores (id, name, created_at) VALUES (?, ?, ?)').run(
          id,
          name,
          createdAt,
        );
        memory.set(record);
        return record;
      }),
    delete: (id) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM data_store_records WHERE store = ?').run(id);
        db.prepare('DELETE FROM data_stores WHERE id = ?').run(id);
        memory.delete(id);
      }),

    value: async (id, key, at) =>
      db.prepare(`SELECT json ${ofStore} AND key = ?`).get((row) => row.text('json'), id, at, key),
    count: async (id, at) =>
      db.prepare(`SELECT count(*) AS n ${ofStore}`).get((row) => row.number('n'), id, at) ?? 0,
    entries: async (id, at, { after, limit }) =>
      db
        .prepare(`SELECT key, json ${ofStore} AND (?3 IS NULL OR key > ?3) ORDER BY key LIMIT ?4`)
        .all((row) => [row.text('key'), row.text('json')] as const, id, at, after, limit),
    item: async (id, key, at) =>
      db.prepare(`SELECT key, json, expires_at ${ofStore} AND key = ?`).get(readItem, id, at, key),
    items: async (id, at, { after, limit }) =>
      db
        .prepare(
          `SELECT key, json, expires_at ${ofStore} AND (?3 IS NULL OR key > ?3) ORDER BY key LIMIT ?4`,
        )
        .all(readItem, id, at, after, limit),
    replace: (id, { key, json, expiresAt }, before, at) =>
      groups.writeAlone(() => {
        db.prepare(
          `UPDATE data_store_records SET json = ?, expires_at = ?
           WHERE store = ? AND key = ? AND json = ? AND ${alive}`,
        ).run(json, expiresAt, id, key, before, at);
        return db.changes > 0;
      }),
    set: (id, [key, json], expiresAt, at) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM data_store_records WHERE expires_at <= ?').run(at);
        db.prepare(
          'INSERT OR REPLACE INTO data_store_records (store, key, json, expires_at) VALUES (?, ?, ?, ?)',
        ).run(id, key, json, expiresAt);
      }),
    setExpiry: (id, key, expiresAt, at) =>
      run(
        `UPDATE data_store_records SET expires_at = ? WHERE store = ? AND key = ? AND ${alive}`,
        expiresAt,
        id,
        key,
        at,
      ),
    deleteKey: (id, key) =>
      run('DELETE FROM data_store_records WHERE store = ? AND key = ?', id, key),
    clear: (id) => run('DELETE FROM data_store_records WHERE store = ?', id),
  };
}

function readItem(row: Row): DataStoreItem {
  return {
    key: row.text('key'),
    json: row.text('json'),
    expiresAt: row.numberOrNull('expires_at'),
  };
}

function readDataStore(row: Row): DataStoreRecord {
  return { id: row.text('id'), name: row.text('name'), createdAt: row.number('created_at') };
}
