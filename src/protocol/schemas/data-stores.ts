import * as z from 'zod';
import { done, expectedValue, integer, jsonValue, millis, seconds } from './fields.ts';
import { operation } from './operation.ts';
import { keyPaging, pageOf, paging } from './page.ts';

export const dataStore = z.object({
  id: z.string().describe('ds_…'),
  name: z.string(),
  created_at: seconds,
});

export const dataStoreRecord = z.object({
  key: z.string(),
  value: jsonValue,
  expires_at: millis.nullable().describe('null for one that stays'),
});

/** Of the store. */
const id = z.string().min(1).describe('id or name');
const key = z.string();

export const operations = {
  'data_stores.list': operation({
    scope: 'read',
    summary: 'List data stores',
    input: z.object({ ...paging }),
    output: pageOf(dataStore),
    rest: [{ method: 'GET', path: '/v1/data_stores' }],
  }),
  'data_stores.create': operation({
    scope: 'deploy',
    summary: 'Create a data store; the same name twice is one',
    input: z.object({ name: z.string().min(1) }),
    output: dataStore,
    rest: [{ method: 'POST', path: '/v1/data_stores' }],
  }),
  'data_stores.delete': operation({
    scope: 'deploy',
    summary: 'Delete a data store with its records',
    input: z.object({ id }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/data_stores/{id}' }],
  }),
  'data_store_records.list': operation({
    scope: 'read',
    summary: 'List the records of a data store, in the order of their keys',
    input: z.object({ id, ...keyPaging }),
    output: pageOf(dataStoreRecord),
    rest: [{ method: 'GET', path: '/v1/data_stores/{id}/records' }],
  }),
  'data_store_records.get': operation({
    scope: 'read',
    summary: 'One record of a data store',
    input: z.object({ id, key }),
    output: dataStoreRecord,
    rest: [{ method: 'GET', path: '/v1/data_stores/{id}/records/{key}' }],
  }),
  'data_store_records.set': operation({
    scope: 'deploy',
    summary: 'Write a record of a data store',
    input: z.object({
      id,
      key,
      value: jsonValue,
      ttl: integer
        .min(1)
        .max(31_536_000)
        .nullable()
        .optional()
        .describe('seconds; null keeps it permanently, left out it expires when it did before'),
      expected: expectedValue,
    }),
    output: dataStoreRecord,
    rest: [{ method: 'PUT', path: '/v1/data_stores/{id}/records/{key}' }],
  }),
  'data_store_records.delete': operation({
    scope: 'deploy',
    summary: 'Delete a record of a data store',
    input: z.object({ id, key }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/data_stores/{id}/records/{key}' }],
  }),
  'data_store_records.clear': operation({
    scope: 'deploy',
    summary: 'Delete all records of a data store',
    input: z.object({ id }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/data_stores/{id}/records' }],
  }),
};
