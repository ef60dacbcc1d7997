import * as z from 'zod';
import { done, seconds } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const dataStore = z.object({
  id: z.string().describe('ds_…'),
  name: z.string(),
  created_at: seconds,
});

export const operations = {
  'data_stores.list': operation({
    summary: 'List data stores',
    input: z.object({ ...paging }),
    output: pageOf(dataStore),
    rest: [{ method: 'GET', path: '/v1/data_stores' }],
  }),
  'data_stores.create': operation({
    summary: 'Create a data store; the same name twice is one',
    input: z.object({ name: z.string().min(1) }),
    output: dataStore,
    rest: [{ method: 'POST', path: '/v1/data_stores' }],
  }),
  'data_stores.delete': operation({
    summary: 'Delete a data store with its records',
    input: z.object({ id: z.string().min(1).describe('id or name') }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/data_stores/{id}' }],
  }),
};
