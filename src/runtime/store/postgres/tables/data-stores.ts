import type { DataStoreItem, DataStoreRecord, DataStoreTable } from '../../history/data-stores.ts';
import { type Engine, write } from '../engine.ts';
import { number, numberOrNull, text } from '../fields.ts';
import type { Row } from '../row-table.ts';
import { Records, type RecordTable } from './records.ts';

const alive = '(expires_at IS NULL OR expires_at > $2)';
const ofStore = `FROM data_store_records WHERE store = $1 AND ${alive}`;

const table: RecordTable<DataStoreRecord> = {
  name: 'data_stores',
  columnsOf: ({ name, createdAt }) => ({ name, created_at: createdAt }),
  read: (row) => ({
    id: text(row, 'id'),
    name: text(row, 'name'),
    createdAt: number(row, 'created_at'),
  }),
};

export interface DataStores extends DataStoreTable {
  reread: Records<DataStoreRecord>['reread'];
}

export async function createDataStores(engine: Engine): Promise<DataStores> {
  const records = await Records.load(engine, table);
  const { memory } = records;
  const find = (idOrName: string): DataStoreRecord | undefined =>
    memory.get(idOrName) ?? memory.find(({ name }) => name === idOrName);
  const run = (sql: string, ...values: readonly (string | number | null)[]): Promise<void> =>
    write(engine, (change) => change.run(sql, values));
  const page = async (
    id: string,
    at: number,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<DataStoreItem[]> => {
    const rows = await engine.read(
      `SELECT key, json, expires_at ${ofStore} AND ($3::text IS NULL OR key > $3) ORDER BY key LIMIT $4`,
      [id, at, after, limit],
    );
    return rows.map(readItem);
  };
  const item: DataStoreTable['item'] = async (id, key, at) => {
    const [row] = await engine.read(`SELECT key, json, expires_at ${ofStore} AND key = $3`, [
      id,
      at,
      key,
    ]);
    return row && readItem(row);
  };
  return {
    find,
    reread: () => records.reread(),
    list: (request) => memory.list(request),
    ensure: (record) =>
      write(engine, (change) => {
        const found = find(record.name);
        if (found === undefined) records.insert(change, record);
        return found ?? record;
      }),
    delete: (id) =>
      write(engine, (change) => {
        change.run('DELETE FROM data_store_records WHERE store = $1', [id]);
        records.delete(change, id);
      }),
    value: async (id, key, at) => (await item(id, key, at))?.json,
    async count(id, at) {
      const [row] = await engine.read(`SELECT count(*) AS n ${ofStore}`, [id, at]);
      return row === undefined ? 0 : number(row, 'n');
    },
    entries: async (id, at, from) =>
      (await page(id, at, from)).map(({ key, json }) => [key, json] as const),
    item,
    items: page,
    async replace(id, { key, json, expiresAt }, before, at) {
      let isReplaced = false;
      await write(engine, (change) =>
        change.run(
          `UPDATE data_store_records SET json = $5, expires_at = $6
           WHERE store = $1 AND ${alive} AND key = $3 AND json = $4 RETURNING 1`,
          [id, at, key, before, json, expiresAt],
          (rows) => (isReplaced = rows.length > 0),
        ),
      );
      return isReplaced;
    },
    set: (id, [key, json], expiresAt, at) =>
      write(engine, (change) => {
        change.run('DELETE FROM data_store_records WHERE expires_at <= $1', [at]);
        change.run(
          `INSERT INTO data_store_records (store, key, json, expires_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (store, key) DO UPDATE SET json = excluded.json, expires_at = excluded.expires_at`,
          [id, key, json, expiresAt],
        );
      }),
    setExpiry: (id, key, expiresAt, at) =>
      run(
        `UPDATE data_store_records SET expires_at = $4 WHERE store = $1 AND ${alive} AND key = $3`,
        id,
        at,
        key,
        expiresAt,
      ),
    deleteKey: (id, key) =>
      run('DELETE FROM data_store_records WHERE store = $1 AND key = $2', id, key),
    clear: (id) => run('DELETE FROM data_store_records WHERE store = $1', id),
  };
}

function readItem(row: Row): DataStoreItem {
  return {
    key: text(row, 'key'),
    json: text(row, 'json'),
    expiresAt: numberOrNull(row, 'expires_at'),
  };
}
