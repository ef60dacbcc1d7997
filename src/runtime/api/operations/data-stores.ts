import type { ApiServices } from './api-services.ts';
import type { DataStoreRecord as ShownRecord } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import type { DataStoreItem, DataStoreRecord } from '../../store/history/data-stores.ts';
import type { UsesStore } from '../../store/store.ts';
import {
  changedMeanwhile,
  holds,
  jsonOf,
  keyOfCursor,
  pageOfKeys,
  storedKey,
} from './keyed-values.ts';
import type { Handlers } from './operations.ts';
import { recordsAfter, searchRecords } from './search-records.ts';
import { pageRequest, presentDataStore, presentPage } from './present.ts';
import type { Services } from '../../events/services.ts';

type DataStoreHandlers = Pick<
  Handlers,
  | 'data_stores.list'
  | 'data_stores.create'
  | 'data_stores.delete'
  | 'data_store_records.list'
  | 'data_store_records.get'
  | 'data_store_records.set'
  | 'data_store_records.import'
  | 'data_store_records.export'
  | 'data_store_records.delete'
  | 'data_store_records.clear'
>;

export interface DataStoreHandlerParts
  extends
    UsesStore<'dataStores'>,
    Pick<Services, 'signals' | 'now'>,
    Pick<ApiServices, 'dataStores'> {}

export function dataStoreHandlers({
  store: { dataStores: table },
  dataStores,
  signals,
  now,
}: DataStoreHandlerParts): DataStoreHandlers {
  const find = (idOrName: string): DataStoreRecord => {
    const found = table.find(idOrName);
    if (found !== undefined) return found;
    throw new WeirError('not_found', `There is no data store "${idOrName}".`);
  };
  const findItem = async ({ id, name }: DataStoreRecord, key: string): Promise<DataStoreItem> => {
    const item = await table.item(id, key, now());
    if (item !== undefined) return item;
    throw new WeirError('not_found', `The data store ${name} has no key "${key}".`);
  };
  return {
    'data_stores.list': (params) => presentPage(table.list(pageRequest(params)), presentDataStore),
    'data_stores.create': async (params) => {
      const made = await dataStores.create(params.name);
      signals.emit('dataStore', made.id);
      return presentDataStore(made);
    },
    'data_stores.delete': async (params) => {
      const { id } = find(params.id);
      await table.delete(id);
      signals.emit('dataStoreDeleted', id);
      return {};
    },
    'data_store_records.list': async (params) => {
      const { id } = find(params.id);
      const at = now();
      const prefix = storedKey(params.prefix ?? '');
      const from = { after: keyOfCursor(params.after), limit: pageRequest(params).limit, prefix };
      if (params.q !== undefined && params.q !== '') {
        const { rows, total } = await searchRecords(table, id, at, { ...from, text: params.q });
        return presentPage(pageOfKeys(rows, total), presentItem);
      }
      const [rows, total] = await Promise.all([
        table.items(id, at, from),
        table.count(id, at, prefix),
      ]);
      return presentPage(pageOfKeys(rows, total), presentItem);
    },
    'data_store_records.get': async (params) =>
      presentItem(await findItem(find(params.id), storedKey(params.key))),
    'data_store_records.set': async (params) => {
      const { id, name } = find(params.id);
      const key = storedKey(params.key);
      const json = jsonOf(params.value);
      const at = now();
      const before = await table.item(id, key, at);
      const expiresAt = expiryOf(params.ttl, before?.expiresAt ?? null, at);
      const written = { key, json, expiresAt };
      if (params.expected === undefined) {
        await table.set(id, [key, json], expiresAt, at);
      } else {
        const isReplaced =
          before !== undefined &&
          holds(before.json, params.expected) &&
          (await table.replace(id, written, before.json, at));
        if (!isReplaced) throw changedMeanwhile(`key "${key}" of the data store ${name}`);
      }
      signals.emit('dataStore', id);
      return presentItem(written);
    },
    'data_store_records.import': async ({ id: idOrName, records, keep = false }) => {
      const { id } = find(idOrName);
      const at = now();
      const items = records.map(({ key, value, ttl }) => ({
        key: storedKey(key),
        json: jsonOf(value),
        expiresAt: expiryOf(ttl, null, at),
      }));
      const written = await table.setAll(id, items, at, keep);
      if (written > 0) signals.emit('dataStore', id);
      const distinct = new Set(items.map(({ key }) => key)).size;
      return { written, kept: distinct - written };
    },
    'data_store_records.export': async (params) => {
      const { id } = find(params.id);
      const at = now();
      const after = keyOfCursor(params.after);
      const { items, isLast } = await recordsAfter(table, id, at, after, params.limit);
      return {
        records: items.map(({ key, json, expiresAt }) => ({
          key,
          value: valueOfJson(json),
          ...(expiresAt !== null && { ttl: Math.ceil((expiresAt - at) / 1000) }),
        })),
        next: isLast ? null : pageOfKeys(items, 0).end,
      };
    },
    'data_store_records.delete': async (params) => {
      const record = find(params.id);
      const { key } = await findItem(record, storedKey(params.key));
      await table.deleteKey(record.id, key);
      signals.emit('dataStore', record.id);
      return {};
    },
    'data_store_records.clear': async (params) => {
      const { id } = find(params.id);
      await table.clear(id);
      signals.emit('dataStore', id);
      return {};
    },
  };
}

/** @param ttl in seconds; null keeps the record permanently, undefined leaves its expiry (epoch ms) as it is */
function expiryOf(
  ttl: number | null | undefined,
  before: number | null,
  at: number,
): number | null {
  if (ttl === undefined) return before;
  return ttl === null ? null : at + ttl * 1000;
}

function presentItem({ key, json, expiresAt }: DataStoreItem): ShownRecord {
  return { key, value: valueOfJson(json), expires_at: expiresAt };
}
