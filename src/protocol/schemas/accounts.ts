import * as z from 'zod';
import { appWebhook } from './apps.ts';
import { done, flag, grantKind, idOrName } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const accountWebhook = appWebhook.extend({
  url: z.string().describe('feeds every source that has the account'),
  has_secret: z.boolean().describe('false: requests to it are answered 503 until it is entered'),
});

/** Null takes it away. */
const signingSecret = z
  .string()
  .nullable()
  .optional()
  .describe('what the app signs its events with; it is stored encrypted and does not come back');

export const account = z.object({
  id: z.string().describe('apn_…'),
  name: z.string(),
  app: z.object({ id: z.string(), name: z.string() }),
  kept_for: z
    .enum(['user'])
    .optional()
    .describe(
      "in the user's configuration folder, where folders share it; left out of a folder's own",
    ),
  healthy: z.boolean().describe('false when its last refresh failed'),
  dead: z.boolean().optional().describe('of an account by OAuth: one has to connect it again'),
  error: z.string().nullable().optional().describe('why it is not healthy'),
  grant: grantKind.optional().describe('how it was connected; left out of keys'),
  expires_at: z
    .string()
    .nullable()
    .optional()
    .describe('when its access token runs out; null: never, as far as is known'),
  renews: z
    .boolean()
    .optional()
    .describe('of an account by OAuth: Weir can refresh it; else its user has to connect it again'),
  last_refreshed_at: z.string().nullable().optional(),
  authorized_scopes: z.array(z.string()).optional(),
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
  webhook: accountWebhook
    .optional()
    .describe('where its app sends events, when a definition says how it does'),
  used_by: z
    .array(
      z.object({
        type: z.enum(['source', 'workflow']),
        id: z.string(),
        name: z.string(),
        path: z.string().nullable().describe('file or folder it was deployed from'),
      }),
    )
    .optional()
    .describe('with include_used_by'),
});

/** Where a new account is kept. */
const keptFor = z
  .enum(['user'])
  .optional()
  .describe("kept in the user's configuration folder, where folders share it; else in this folder");

export const connection = z.object({
  session: z.string().describe('names it in the calls that follow'),
  app: z.string(),
  status: z.enum(['waiting', 'connected', 'failed', 'cancelled']),
  authorization_url: z.string().nullable().describe('to be opened in a browser'),
  redirect_uri: z.string().nullable().describe('where the browser comes back to'),
  user_code: z.string().nullable().describe('of the device grant: to be entered there'),
  verification_uri: z.string().nullable(),
  account: z.string().nullable().describe('apn_… once it is connected'),
  error: z.string().nullable(),
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
      include_used_by: flag.optional().describe('the sources and workflows that use it'),
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
      kept_for: keptFor,
      signing_secret: signingSecret,
    }),
    output: account,
    rest: [{ method: 'POST', path: '/v1/accounts' }],
  }),
  'accounts.update': operation({
    scope: 'admin',
    summary:
      'Rename an account, change its keys, or keep it for the user; runs that begin from then on read the new ones',
    input: z.object({
      id: idOrName,
      name: z.string().trim().min(1).optional(),
      credentials: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('merged into the existing fields; null removes a field'),
      kept_for: z
        .enum(['user'])
        .optional()
        .describe(
          "from now on in the user's configuration folder, where folders share it: its id stays, and there is no way back",
        ),
      signing_secret: signingSecret,
    }),
    output: account,
    rest: [{ method: 'PUT', path: '/v1/accounts/{id}' }],
  }),
  'accounts.connect': operation({
    scope: 'admin',
    summary:
      'Connect an account by OAuth, or one that is there again: a person goes on in a browser',
    input: z.object({
      app: z.string().min(1),
      grant: grantKind.optional().describe("the first one of the app's definition when left out"),
      account: idOrName.optional().describe('one that is there: it keeps its id'),
      name: z.string().trim().min(1).optional(),
      kept_for: keptFor.describe('of a new one; one that is there stays where it is'),
      client: z.string().optional().describe('oa_…; the newest of the app when left out'),
      scopes: z.array(z.string()).optional().describe("the definition's when left out"),
      fields: z.record(z.string(), z.string()).optional().describe('such as a subdomain'),
      take_over: flag.optional().describe('the account may become that of another person'),
      pasted: flag
        .optional()
        .describe('the address that the browser ends at is pasted: nothing has to listen there'),
      redirect_uri: z
        .string()
        .optional()
        .describe(
          'an https address that the app knows, where it takes none of this machine; the address that the browser ends at is pasted',
        ),
      allow_command: z
        .array(z.string())
        .optional()
        .describe("the command of the app's definition, which somebody has seen and allows here"),
      editor_session: z
        .object({
          access_token: z.string().min(1),
          account: z.object({ id: z.string(), label: z.string() }),
        })
        .optional()
        .describe('of the grant "editor": what VS Code has got'),
    }),
    output: connection,
    rest: [{ method: 'POST', path: '/v1/accounts/connect' }],
  }),
  'accounts.connection': operation({
    scope: 'admin',
    summary: 'How a connection stands',
    input: z.object({
      session: z.string(),
      wait: flag.optional().describe('answer when it has ended'),
    }),
    output: connection,
    rest: [{ method: 'GET', path: '/v1/accounts/connect/{session}' }],
  }),
  'accounts.finishConnection': operation({
    scope: 'admin',
    summary: 'Finish a connection with the address that the browser ended at',
    input: z.object({ session: z.string(), url: z.string().min(1) }),
    output: connection,
    rest: [{ method: 'POST', path: '/v1/accounts/connect/{session}' }],
  }),
  'accounts.cancelConnection': operation({
    scope: 'admin',
    summary: 'Give up a connection',
    input: z.object({ session: z.string() }),
    output: connection,
    rest: [{ method: 'DELETE', path: '/v1/accounts/connect/{session}' }],
  }),
  'accounts.check': operation({
    scope: 'deploy',
    summary: 'Refresh an account that is due, and ask its app whether the token is good',
    input: z.object({ id: idOrName }),
    output: account,
    rest: [{ method: 'POST', path: '/v1/accounts/{id}/check' }],
  }),
  'accounts.keepFresh': operation({
    scope: 'admin',
    summary: 'Say that a data folder that was copied is the one that refreshes its accounts',
    input: z.object({}),
    output: done,
    rest: [{ method: 'POST', path: '/v1/accounts/keep_fresh' }],
  }),
  'accounts.delete': operation({
    scope: 'admin',
    summary: 'Delete an account; its app is told where it has an address for that',
    input: z.object({ id: idOrName }),
    output: z.object({
      note: z.string().optional().describe('why the app could not be told'),
    }),
    rest: [{ method: 'DELETE', path: '/v1/accounts/{id}' }],
  }),
};
