import type { Chapter } from './story.mts';

export const dataStores: Chapter = {
  title: 'Data stores',
  text: 'A data store holds keys and values that components share through a prop of type `data_store`.',
  async tell({ show }) {
    await show('Create a data store', 'data_stores.create', { name: 'orders' });
    await show('List data stores', 'data_stores.list', { limit: 1 });
    await show('Delete a data store', 'data_stores.delete', { id: 'orders' });
  },
};
