import * as z from 'zod';
import { done } from './fields.ts';
import { operation } from './operation.ts';

export const variable = z.object({
  name: z.string(),
  from: z.enum(['weir env', '.env']).describe('what sets it; values are never shown'),
});

const name = z.string().min(1);

export const operations = {
  'environment.list': operation({
    scope: 'read',
    summary: 'Names of the environment variables that the steps of workflows see',
    input: z.object({}),
    output: z.object({ data: z.array(variable) }),
    rest: [{ method: 'GET', path: '/v1/environment' }],
  }),
  'environment.set': operation({
    scope: 'admin',
    summary: 'Set an environment variable; its value is sealed and never shown',
    input: z.object({ name, value: z.string() }),
    output: done,
    rest: [{ method: 'PUT', path: '/v1/environment/{name}' }],
  }),
  'environment.delete': operation({
    scope: 'admin',
    summary: 'Delete an environment variable',
    input: z.object({ name }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/environment/{name}' }],
  }),
};
