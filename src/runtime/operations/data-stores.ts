import type { DataStore } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { DataStoreRecord } from '../store/history/data-stores.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage } from './present.ts';
import type { Room } from './room.ts';

type DataStoreHandlers = Pick<
  Handlers,
  'data_stores.list' | 'data_stores.create' | 'data_stores.delete'
>;

export function dataStoreHandlers(room: Room): DataStoreHandlers {
  const { dataStores: table } = room.store;
  return {
    'data_stores.list': (params) => presentPage(table.list(pageRequest(params)), presentDataStore),
    'data_stores.create': async (params) =>
      presentDataStore(await room.dataStores.create(params.name)),
    'data_stores.delete': async (params) => {
      const found = table.find(params.id);
      if (found === undefined) {
        throw new WeirError('not_found', `There is no data store "${params.id}".`);
      }
      await table.delete(found.id);
      return {};
    },
  };
}

function presentDataStore({ id, name, createdAt }: DataStoreRecord): DataStore {
  return { id, name, created_at: Math.floor(createdAt / 1000) };
}
