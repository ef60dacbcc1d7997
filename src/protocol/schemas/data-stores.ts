import * as z from 'zod';
import { mostRecordsAtOnce } from '../record-limits.ts';
import { done, expectedValue, flag, integer, jsonValue, millis, seconds } from './fields.ts';
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

/** Seconds (P14.3). */
const ttl = integer.min(1).max(31_536_000);

/** The most bytes of a REST request that imports records: a batch of large values. */
const importLimit = 32 * 1024 * 1024;

/** The store. */
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
    summary: 'List or search the records of a data store, in the order of their keys',
    input: z.object({
      id,
      ...keyPaging,
      prefix: z.string().optional().describe('only keys that begin with this text'),
      q: z
        .string()
        .optional()
        .describe('only records with this text in their key or value, in either case of letters'),
    }),
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
      ttl: ttl
        .nullable()
        .optional()
        .describe('seconds; null keeps it permanently, left out it expires when it did before'),
      expected: expectedValue,
    }),
    output: dataStoreRecord,
    rest: [{ method: 'PUT', path: '/v1/data_stores/{id}/records/{key}' }],
  }),
  'data_store_records.import': operation({
    scope: 'deploy',
    summary: 'Write up to 1,000 records of a data store: all of them or none',
    input: z.object({
      id,
      records: z
        .array(z.object({ key, value: jsonValue, ttl: ttl.nullable().optional() }))
        .max(mostRecordsAtOnce)
        .describe('a ttl is in seconds; without one a record does not expire'),
      keep: flag.optional().describe('whether records that are there already stay as they are'),
    }),
    output: z.object({
      written: z.number().int().describe('records that were written'),
      kept: z.number().int().describe('records that were there already and stayed'),
    }),
    rest: [{ method: 'POST', path: '/v1/data_stores/{id}/import', bodyLimit: importLimit }],
  }),
  'data_store_records.export': operation({
    scope: 'read',
    summary: 'Read up to 1,000 records of a data store, as an import takes them',
    input: z.object({
      id,
      after: z.string().optional().describe('the cursor that the call before returned as next'),
      limit: integer.min(1).max(mostRecordsAtOnce).optional(),
    }),
    output: z.object({
      records: z.array(z.object({ key, value: jsonValue, ttl: ttl.optional() })),
      next: z.string().nullable().describe('cursor of the next call; null after the last record'),
    }),
    rest: [{ method: 'GET', path: '/v1/data_stores/{id}/export' }],
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
