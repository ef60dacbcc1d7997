import type { DataStoreRecord, DataStoreTable } from '../../history/data-stores.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import { resourceReader } from './resource.ts';

const alive = '(expires_at IS NULL OR expires_at > ?)';
const ofStore = `FROM data_store_records WHERE store = ? AND ${alive}`;

export function createDataStores({ db, groups }: Engine): DataStoreTable {
  const reader = resourceReader(db, 'data_stores', readDataStore);
  const run = (sql: string, ...values: readonly (string | number | null)[]): Promise<void> =>
    groups.writeAlone(() => db.prepare(sql).run(...values));
  return {
    find: (idOrName) =>
      db
        .prepare('SELECT * FROM data_stores WHERE id = ?1 OR name = ?1 ORDER BY id = ?1 DESC')
        .get(readDataStore, idOrName),
    list: (request) => reader.list(request),
    insert: ({ id, name, createdAt }) =>
      run('INSERT INTO data_stores (id, name, created_at) VALUES (?, ?, ?)', id, name, createdAt),
    delete: (id) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM data_store_records WHERE store = ?').run(id);
        db.prepare('DELETE FROM data_stores WHERE id = ?').run(id);
      }),

    value: (id, key, at) =>
      db.prepare(`SELECT json ${ofStore} AND key = ?`).get((row) => row.text('json'), id, at, key),
    count: (id, at) =>
      db.prepare(`SELECT count(*) AS n ${ofStore}`).get((row) => row.number('n'), id, at) ?? 0,
    entries: (id, at, { after, limit }) =>
      db
        .prepare(`SELECT key, json ${ofStore} AND (?3 IS NULL OR key > ?3) ORDER BY key LIMIT ?4`)
        .all((row) => [row.text('key'), row.text('json')] as const, id, at, after, limit),
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

function readDataStore(row: Row): DataStoreRecord {
  return { id: row.text('id'), name: row.text('name'), createdAt: row.number('created_at') };
}
