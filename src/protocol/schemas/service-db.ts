import * as z from 'zod';
import { done, expectedValue, id, jsonValue } from './fields.ts';
import { operation } from './operation.ts';
import { keyPaging, pageOf } from './page.ts';

export const dbEntry = z.object({ key: z.string(), value: jsonValue });

const prop = z
  .string()
  .optional()
  .describe('name of the $.service.db prop; may be left out when there is one');
const key = z.string();

export const operations = {
  'service_db.list': operation({
    scope: 'read',
    summary: 'What a source keeps in its db, as its last run has left it, in the order of the keys',
    input: z.object({ id, prop, ...keyPaging }),
    output: pageOf(dbEntry),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/db' }],
  }),
  'service_db.get': operation({
    scope: 'read',
    summary: 'One key of the db of a source',
    input: z.object({ id, prop, key }),
    output: dbEntry,
    rest: [{ method: 'GET', path: '/v1/sources/{id}/db/{key}' }],
  }),
  'service_db.set': operation({
    scope: 'deploy',
    summary: 'Write a key of the db of a source, between two of its runs',
    input: z.object({ id, prop, key, value: jsonValue, expected: expectedValue }),
    output: dbEntry,
    rest: [{ method: 'PUT', path: '/v1/sources/{id}/db/{key}' }],
  }),
  'service_db.delete': operation({
    scope: 'deploy',
    summary: 'Delete a key of the db of a source, between two of its runs',
    input: z.object({ id, prop, key }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/sources/{id}/db/{key}' }],
  }),
  'service_db.clear': operation({
    scope: 'deploy',
    summary: 'Delete all keys of the db of a source, between two of its runs',
    input: z.object({ id, prop }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/sources/{id}/db' }],
  }),
};
