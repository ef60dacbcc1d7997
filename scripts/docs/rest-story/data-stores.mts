import type { Chapter } from './story.mts';

export const dataStores: Chapter = {
  title: 'Data stores',
  text: 'A data store holds keys and values that components share through a prop of type `data_store`.',
  async tell({ show }) {
    await show('Create a data store', 'data_stores.create', { name: 'orders' });
    await show('List data stores', 'data_stores.list', { limit: 1 });
    await show('Write a record', 'data_store_records.set', {
      id: 'orders',
      key: 'o-1',
      value: { total: 12 },
      ttl: 3600,
    });
    await show('List records', 'data_store_records.list', { id: 'orders', limit: 10 });
    await show('Search records', 'data_store_records.list', {
      id: 'orders',
      prefix: 'o-',
      q: '12',
    });
    await show('Write many records', 'data_store_records.import', {
      id: 'orders',
      records: [
        { key: 'o-2', value: { total: 7 } },
        { key: 'o-3', value: { total: 9 }, ttl: 3600 },
      ],
      keep: true,
    });
    await show('Read many records', 'data_store_records.export', { id: 'orders', limit: 2 });
    await show('Read a record', 'data_store_records.get', { id: 'orders', key: 'o-1' });
    await show('Delete a record', 'data_store_records.delete', { id: 'orders', key: 'o-1' });
    await show('Delete all records', 'data_store_records.clear', { id: 'orders' });
    await show('Delete a data store', 'data_stores.delete', { id: 'orders' });
  },
};
