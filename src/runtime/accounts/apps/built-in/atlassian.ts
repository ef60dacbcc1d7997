/** Atlassian Cloud: one way for all of its apps, which differ in their scopes. */
import type { WrittenDefinition } from '../schema.ts';
import { oauthApp } from './app.ts';

const jira = [
  'read:jira-user',
  'read:jira-work',
  'write:jira-work',
  'manage:jira-project',
  'manage:jira-configuration',
  'manage:jira-webhook',
];
const serviceDesk = [
  'read:servicedesk-request',
  'write:servicedesk-request',
  'manage:servicedesk-customer',
];
const confluence = [
  'read:confluence-content.all',
  'read:confluence-content.summary',
  'read:confluence-space.summary',
  'read:confluence-props',
  'read:confluence-user',
  'search:confluence',
  'write:confluence-content',
  'write:confluence-file',
  'write:confluence-props',
  'write:confluence-space',
];

const rows: readonly (readonly [app: string, name: string, scopes: readonly string[]])[] = [
  ['jira', 'Jira', jira],
  ['jira_service_desk', 'Jira Service Management', [...jira, ...serviceDesk]],
  ['confluence', 'Confluence', confluence],
];

const cloud = rows.map(([app, name, scopes]) =>
  oauthApp({
    app,
    name,
    setup: 'https://developer.atlassian.com/console/myapps/',
    sources: [
      'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
      'https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/',
    ],
    verified: true,
    note: 'Add the APIs of the scopes to the app under "Permissions", the User identity API among them.',
    authorization_url: 'https://auth.atlassian.com/authorize',
    token_url: 'https://auth.atlassian.com/oauth/token',
    scopes: ['offline_access', 'read:me', ...scopes],
    token_body: 'json',
    authorization_params: { audience: 'api.atlassian.com', prompt: 'consent' },
    identity: { url: 'https://api.atlassian.com/me', id: '/account_id', label: '/email' },
    check: 'https://api.atlassian.com/oauth/token/accessible-resources',
  }),
);

/** Bitbucket has a server of its own. */
const bitbucket = oauthApp({
  app: 'bitbucket',
  name: 'Bitbucket',
  setup: 'https://bitbucket.org/account/workspaces/',
  sources: ['https://developer.atlassian.com/cloud/bitbucket/oauth-2/'],
  note: 'What a token may do is chosen at the consumer, in the settings of the workspace.',
  authorization_url: 'https://bitbucket.org/site/oauth2/authorize',
  token_url: 'https://bitbucket.org/site/oauth2/access_token',
  scopes: [],
  client_auth: 'basic',
  identity: { url: 'https://api.bitbucket.org/2.0/user', id: '/uuid', label: '/username' },
  check: 'https://api.bitbucket.org/2.0/user',
});

export const atlassian: readonly WrittenDefinition[] = [...cloud, bitbucket];
