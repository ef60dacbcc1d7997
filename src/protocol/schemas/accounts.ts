import * as z from 'zod';
import { done, flag, idOrName } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const account = z.object({
  id: z.string().describe('apn_…'),
  name: z.string(),
  app: z.object({ id: z.string(), name: z.string() }),
  healthy: z.boolean(),
  created_at: z.string().describe('ISO 8601'),
  updated_at: z.string(),
  fields: z
    .array(z.string())
    .optional()
    .describe('with include_fields: the names of its credentials'),
  credentials: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('only with include_credentials'),
});

export const operations = {
  'accounts.list': operation({
    scope: 'read',
    summary: 'List connected accounts',
    input: z.object({ ...paging, app: z.string().optional() }),
    output: pageOf(account),
    rest: [{ method: 'GET', path: '/v1/accounts' }],
  }),
  'accounts.get': operation({
    scope: ({ include_credentials }) => (include_credentials === true ? 'admin' : 'read'),
    summary: 'One account',
    input: z.object({
      id: idOrName,
      include_credentials: flag.optional().describe('needs the scope admin'),
      include_fields: flag.optional(),
    }),
    output: account,
    rest: [{ method: 'GET', path: '/v1/accounts/{id}' }],
  }),
  'accounts.create': operation({
    scope: 'admin',
    summary: 'Connect an account with keys; they are stored encrypted and do not come back',
    input: z.object({
      app: z.string().min(1),
      name: z.string().optional(),
      credentials: z.record(z.string(), z.unknown()),
    }),
    output: account,
    rest: [{ method: 'POST', path: '/v1/accounts' }],
  }),
  'accounts.update': operation({
    scope: 'admin',
    summary:
      'Rename an account, or change its keys; runs that begin from then on read the new ones',
    input: z.object({
      id: idOrName,
      name: z.string().trim().min(1).optional(),
      credentials: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('laid over those that are there; null takes a field away'),
    }),
    output: account,
    rest: [{ method: 'PUT', path: '/v1/accounts/{id}' }],
  }),
  'accounts.delete': operation({
    scope: 'admin',
    summary: 'Delete an account',
    input: z.object({ id: idOrName }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/accounts/{id}' }],
  }),
};
