import * as z from 'zod';
import { done } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const app = z.object({
  id: z.string().describe('the same as name_slug'),
  name_slug: z.string(),
  name: z.string(),
  description: z.string(),
  auth_type: z.enum(['oauth', 'keys']),
  grants: z.array(z.enum(['code', 'device', 'client_credentials'])),
  custom_fields_json: z.string().describe('JSON list of the fields that a person fills in'),
  scopes: z.array(z.string()),
  setup: z.string().nullable().describe('where one registers an OAuth client'),
  redirect_uri: z
    .string()
    .nullable()
    .describe('to be registered there; where the port stands for any, so does what follows'),
  sources: z.array(z.string()).describe("the vendor's documentation of it"),
  unverified: z.boolean().describe('nobody has checked it against that documentation'),
  note: z.string().nullable(),
  from: z.enum(['user', 'built in', 'workspace']).describe('who defines it'),
});

export const oauthClient = z.object({
  id: z.string().describe('oa_…'),
  app: z.string(),
  name: z.string(),
  client_id: z.string(),
  created_at: z.string().describe('ISO 8601'),
});

export const operations = {
  'apps.list': operation({
    scope: 'read',
    summary: 'List the apps that are known',
    input: z.object({ ...paging, q: z.string().optional().describe('part of its name or slug') }),
    output: pageOf(app),
    rest: [{ method: 'GET', path: '/v1/apps' }],
  }),
  'apps.get': operation({
    scope: 'read',
    summary: 'One app',
    input: z.object({ slug: z.string() }),
    output: app,
    rest: [{ method: 'GET', path: '/v1/apps/{slug}' }],
  }),
  'oauthClients.list': operation({
    scope: 'read',
    summary: 'List the OAuth clients of the user, without their secrets',
    input: z.object({ ...paging, app: z.string().optional() }),
    output: pageOf(oauthClient),
    rest: [{ method: 'GET', path: '/v1/oauth_clients' }],
  }),
  'oauthClients.create': operation({
    scope: 'admin',
    summary: 'Enter an OAuth client that was registered with an app; its secret does not come back',
    input: z.object({
      app: z.string(),
      name: z.string().trim().min(1).optional(),
      client_id: z.string(),
      client_secret: z.string().default('').describe('empty for a public client'),
    }),
    output: oauthClient,
    rest: [{ method: 'POST', path: '/v1/oauth_clients' }],
  }),
  'oauthClients.delete': operation({
    scope: 'admin',
    summary: 'Forget an OAuth client; accounts that use it have to be connected again',
    input: z.object({ id: z.string() }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/oauth_clients/{id}' }],
  }),
};
