import * as z from 'zod';
import { done, flag, grantKind } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const appWebhook = z.object({
  register: z.string().describe('where one enters the address, in one sentence'),
  secret_name: z.string().describe('what the app calls the secret that it signs with'),
  one_address: z
    .boolean()
    .describe('the app takes one address only: that of the account, for all of its sources'),
});

export const app = z.object({
  id: z.string().describe('the same as name_slug'),
  name_slug: z.string(),
  name: z.string(),
  description: z.string(),
  auth_type: z
    .enum(['oauth', 'keys', 'none'])
    .describe('none: nobody defines it, and the components that use it read no credentials'),
  grants: z.array(grantKind).describe('ways to connect beside keys; the first one is the usual'),
  command: z
    .object({ run: z.array(z.string()), allowed: z.boolean() })
    .nullable()
    .describe('a program whose output is a token, and whether somebody has allowed it here'),
  editor: z
    .object({ provider: z.string(), scopes: z.array(z.string()) })
    .nullable()
    .describe('an authentication provider of VS Code whose sessions connect an account'),
  custom_fields_json: z.string().describe('JSON list of the fields that a person fills in'),
  key_forms: z
    .array(
      z.object({
        name: z.string().nullable().describe('such as "Personal access token"'),
        fields: z.array(
          z.object({
            name: z.string().describe('as components read it, in $auth'),
            label: z.string(),
            description: z.string(),
            default: z.string(),
            optional: z.boolean(),
            secret: z.boolean(),
          }),
        ),
      }),
    )
    .describe(
      'what a person enters for an account of keys; without a definition, what components read',
    ),
  scopes: z.array(z.string()),
  setup: z.string().nullable().describe('where one registers an OAuth client'),
  redirect_uri: z
    .string()
    .nullable()
    .describe('to be registered there; where the port stands for any, so does what follows'),
  sources: z.array(z.string()).describe("the vendor's documentation of it"),
  unverified: z.boolean().describe('nobody has checked it against that documentation'),
  note: z.string().nullable(),
  from: z
    .enum(['user', 'built in', 'workspace', 'companion', 'package', 'components'])
    .describe(
      'who defines it; companion: a file beside that of the app; package: one that came with it; components: nobody does, but they use it',
    ),
  file: z.string().nullable().describe('absolute path of the file that defines it'),
  package: z.string().nullable().describe('npm package, repository or folder that it came with'),
  webhook: appWebhook
    .nullable()
    .describe(
      'how it sends events to sources with $.interface.apphook; null: they are fed by hand',
    ),
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
    summary: 'List the apps that are defined and the apps that components use',
    input: z.object({
      ...paging,
      q: z.string().optional().describe('part of its name or slug'),
      has_components: flag.optional().describe('only apps that a component here uses'),
      has_triggers: flag.optional().describe('only apps that a source here uses'),
      has_actions: flag.optional().describe('only apps that an action here uses'),
    }),
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
