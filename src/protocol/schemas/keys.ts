import * as z from 'zod';
import { scopes } from '../scopes.ts';
import { done } from './fields.ts';
import { operation } from './operation.ts';

const scope = z.enum(scopes);

export const key = z.object({
  name: z.string(),
  scope: scope.describe('each with all that stands before it: read, deploy, admin'),
  created_at: z.string().describe('ISO 8601'),
});

/** Only the answer to a creation shows the key, once. */
export const createdKey = key.extend({
  key: z.string().describe('weir_…, shown this once'),
});

export const operations = {
  'keys.list': operation({
    scope: 'admin',
    summary: 'List the named keys, without the keys themselves',
    input: z.object({}),
    output: z.object({ data: z.array(key) }),
    rest: [{ method: 'GET', path: '/v1/keys' }],
  }),
  'keys.add': operation({
    scope: 'admin',
    summary: 'Make a key for a person or a program; only its hash is kept',
    input: z.object({ name: z.string(), scope }),
    output: createdKey,
    rest: [{ method: 'POST', path: '/v1/keys' }],
  }),
  'keys.remove': operation({
    scope: 'admin',
    summary: 'Remove a key; connections and streams that were opened with it end',
    input: z.object({ name: z.string() }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/keys/{name}' }],
  }),
};
