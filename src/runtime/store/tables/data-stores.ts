import type { DataStoreItem, DataStoreRecord, DataStoreTable } from '../history/data-stores.ts';
import { dataStoreRecords, dataStores } from '../schema/configuration.ts';
import type { Value } from '../schema/column.ts';
import { selectRecords, type TableEngine, upsertRow } from './engine.ts';
import { Records } from './records.ts';

/** Records of a store that have not expired. */
const alive = 'store = ? AND (expires_at IS NULL OR expires_at > ?)';

export interface DataStores extends DataStoreTable {
  reread: Records<DataStoreRecord>['reread'];
}

export async function createDataStores(engine: TableEngine): Promise<DataStores> {
  const records = await Records.load(engine, dataStores);
  const { memory } = records;
  const find = (idOrName: string): DataStoreRecord | undefined =>
    memory.get(idOrName) ?? memory.find(({ name }) => name === idOrName);
  const run = (sql: string, ...values: readonly Value[]): Promise<void> =>
    engine.write((change) => change.statement(sql, values));
  const select = async (rest: string, ...values: readonly Value[]): Promise<DataStoreItem[]> => {
    const found = await selectRecords(engine, dataStoreRecords, `WHERE ${alive} ${rest}`, values);
    return found.map(({ store: _, ...item }) => item);
  };
  const items: DataStoreTable['items'] = (id, at, { after, limit }) =>
    after === null
      ? select('ORDER BY key LIMIT ?', id, at, limit)
      : select('AND key > ? ORDER BY key LIMIT ?', id, at, after, limit);
  const item: DataStoreTable['item'] = async (id, key, at) =>
    (await select('AND key = ?', id, at, key))[0];
  return {
    find,
    reread: () => records.reread(),
    list: (request) => memory.list(request),
    ensure: (record) =>
      engine.write((change) => {
        const found = find(record.name);
        if (found === undefined) records.insert(change, record);
        return found ?? record;
      }),
    delete: (id) =>
      engine.write((change) => {
        change.statement('DELETE FROM data_store_records WHERE store = ?', [id]);
        records.delete(change, id);
      }),
    value: async (id, key, at) => (await item(id, key, at))?.json,
    async count(id, at) {
      const sql = `SELECT count(*) AS n FROM data_store_records WHERE ${alive}`;
      return Number((await engine.select(sql, [id, at]))[0]?.['n'] ?? 0);
    },
    entries: async (id, at, from) =>
      (await items(id, at, from)).map(({ key, json }) => [key, json] as const),
    item,
    items,
    async replace(id, { key, json, expiresAt }, before, at) {
      let isReplaced = false;
      await engine.write((change) =>
        change.statement(
          `UPDATE data_store_records SET json = ?, expires_at = ?
           WHERE ${alive} AND key = ? AND json = ? RETURNING key`,
          [json, expiresAt, id, at, key, before],
          (rows) => (isReplaced = rows.length > 0),
        ),
      );
      return isReplaced;
    },
    set: (id, [key, json], expiresAt, at) =>
      engine.write((change) => {
        change.statement('DELETE FROM data_store_records WHERE expires_at <= ?', [at]);
        const row = { store: id, key, json, expires_at: expiresAt };
        upsertRow(engine, change, dataStoreRecords, row, dataStoreRecords.key);
      }),
    setExpiry: (id, key, expiresAt, at) =>
      run(
        `UPDATE data_store_records SET expires_at = ? WHERE ${alive} AND key = ?`,
        expiresAt,
        id,
        at,
        key,
      ),
    deleteKey: (id, key) =>
      run('DELETE FROM data_store_records WHERE store = ? AND key = ?', id, key),
    clear: (id) => run('DELETE FROM data_store_records WHERE store = ?', id),
  };
}
