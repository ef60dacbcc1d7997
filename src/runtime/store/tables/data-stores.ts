import type { DataStoreItem, DataStoreRecord, DataStoreTable } from '../history/data-stores.ts';
import { dataStoreRecords, dataStores } from '../schema/configuration.ts';
import type { Value } from '../schema/column.ts';
import { afterPrefix } from './key-range.ts';
import { selectRecords, type TableEngine, upsertRow } from './engine.ts';
import { Records } from './records.ts';

/** Records of a store that have not expired. */
const alive = 'store = ? AND (expires_at IS NULL OR expires_at > ?)';

/** Rows of one statement: SQLite takes 999 values at least. */
const rowsAtOnce = 200;

/** The condition on keys that begin with a text, as a range that the primary key serves. */
function keysWith(prefix = ''): { readonly sql: string; readonly values: readonly string[] } {
  if (prefix === '') return { sql: '', values: [] };
  const end = afterPrefix(prefix);
  if (end === undefined) return { sql: 'AND key >= ? ', values: [prefix] };
  return { sql: 'AND key >= ? AND key < ? ', values: [prefix, end] };
}

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
  const items: DataStoreTable['items'] = (id, at, { after, limit, prefix }) => {
    const range = keysWith(prefix);
    const rest = after === null ? '' : 'AND key > ? ';
    const from = after === null ? [] : [after];
    return select(
      `${range.sql}${rest}ORDER BY key LIMIT ?`,
      id,
      at,
      ...range.values,
      ...from,
      limit,
    );
  };
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
    async count(id, at, prefix) {
      const range = keysWith(prefix);
      const sql = `SELECT count(*) AS n FROM data_store_records WHERE ${alive} ${range.sql}`;
      return Number((await engine.select(sql, [id, at, ...range.values]))[0]?.['n'] ?? 0);
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
    async setAll(id, given, at, keep) {
      const byKey = new Map<string, DataStoreItem>();
      for (const one of given) if (!keep || !byKey.has(one.key)) byKey.set(one.key, one);
      const distinct = [...byKey.values()];
      let written = 0;
      await engine.write((change) => {
        change.statement('DELETE FROM data_store_records WHERE expires_at <= ?', [at]);
        for (let from = 0; from < distinct.length; from += rowsAtOnce) {
          const rows = distinct.slice(from, from + rowsAtOnce);
          change.statement(
            `INSERT INTO data_store_records (store, key, json, expires_at)
             VALUES ${rows.map(() => '(?, ?, ?, ?)').join(', ')}
             ON CONFLICT (store, key) ${keep ? 'DO NOTHING' : 'DO UPDATE SET json = excluded.json, expires_at = excluded.expires_at'}
             RETURNING expires_at`,
            rows.flatMap(({ key, json, expiresAt }) => [id, key, json, expiresAt]),
            (inserted) => (written += inserted.length),
          );
        }
      });
      return written;
    },
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
