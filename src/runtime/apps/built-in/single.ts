/** Apps that have a way of their own. */
import type { WrittenDefinition } from '../schema.ts';

/** For apps that compare the whole redirect URI with the one that is registered. */
const exactRedirect = { host: 'localhost', port: 18913, path: '/oauth/callback' } as const;

export const single: readonly WrittenDefinition[] = [
  {
    app: 'github',
    name: 'GitHub',
    setup: 'https://github.com/settings/developers',
    sources: [
      'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    ],
    unverified: true,
    note: 'Register the callback URL http://127.0.0.1/oauth/callback; GitHub lets the port and what follows differ. The device flow has to be enabled in the settings of the OAuth app.',
    methods: [
      {
        type: 'oauth2',
        grants: ['code', 'device'],
        authorization_url: 'https://github.com/login/oauth/authorize',
        token_url: 'https://github.com/login/oauth/access_token',
        device_url: 'https://github.com/login/device/code',
        scopes: ['repo', 'read:user', 'read:org', 'gist', 'admin:repo_hook'],
        response: { error_in_200: true, loose: true },
        identity: { url: 'https://api.github.com/user', id: '/id', label: '/login' },
      },
    ],
    check: { url: 'https://api.github.com/user' },
  },
  {
    app: 'hubspot',
    name: 'HubSpot',
    setup: 'https://developers.hubspot.com/',
    sources: [
      'https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/create-oauth-token',
      'https://developers.hubspot.com/changelog/2018-03-05-oauth2-redirect-uri-served-over-http-localhost',
    ],
    methods: [
      {
        type: 'oauth2',
        authorization_url: 'https://app.hubspot.com/oauth/authorize',
        token_url: 'https://api.hubapi.com/oauth/v1/token',
        scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write'],
        pkce: false,
        redirect: exactRedirect,
      },
    ],
    check: { url: 'https://api.hubapi.com/account-info/v3/details' },
  },
  {
    app: 'notion',
    name: 'Notion',
    setup: 'https://www.notion.so/my-integrations',
    sources: [
      'https://developers.notion.com/guides/get-started/authorization',
      'https://developers.notion.com/reference/create-a-token',
      'https://developers.notion.com/reference/refresh-a-token',
    ],
    methods: [
      {
        type: 'oauth2',
        authorization_url: 'https://api.notion.com/v1/oauth/authorize',
        token_url: 'https://api.notion.com/v1/oauth/token',
        pkce: false,
        client_auth: 'basic',
        token_body: 'json',
        authorization_params: { owner: 'user' },
        redirect: exactRedirect,
        response: { loose: true },
        keep: { token: ['workspace_id', 'bot_id'] },
        auth: { oauth_uid: '{token.bot_id}' },
      },
    ],
  },
  {
    app: 'slack',
    name: 'Slack',
    setup: 'https://api.slack.com/apps',
    sources: [
      'https://docs.slack.dev/reference/methods/oauth.v2.access',
      'https://docs.slack.dev/authentication/using-pkce',
    ],
    unverified: true,
    note: 'Slack takes a redirect to this machine from apps that have PKCE switched on, and then gives a token of the user.',
    methods: [
      {
        type: 'oauth2',
        authorization_url: 'https://slack.com/oauth/v2/authorize',
        token_url: 'https://slack.com/api/oauth.v2.access',
        scopes: ['channels:read', 'channels:history', 'chat:write', 'users:read'],
        scope_separator: ',',
        scope_param: 'user_scope',
        redirect: exactRedirect,
        response: {
          access_token: '/authed_user/access_token',
          refresh_token: '/authed_user/refresh_token',
          error_in_200: true,
          token_type: true,
          loose: true,
        },
        identity: { url: 'https://slack.com/api/auth.test', id: '/user_id', label: '/user' },
      },
    ],
  },
  {
    app: 'todoist',
    name: 'Todoist',
    setup: 'https://developer.todoist.com/appconsole.html',
    sources: ['https://developer.todoist.com/guides/#oauth'],
    unverified: true,
    methods: [
      {
        type: 'oauth2',
        authorization_url: 'https://todoist.com/oauth/authorize',
        token_url: 'https://todoist.com/oauth/access_token',
        scopes: ['data:read_write', 'data:delete', 'project:delete'],
        scope_separator: ',',
        pkce: false,
        redirect: exactRedirect,
      },
    ],
  },
  {
    app: 'asana',
    name: 'Asana',
    setup: 'https://app.asana.com/0/my-apps',
    sources: ['https://developers.asana.com/docs/oauth'],
    unverified: true,
    methods: [
      {
        type: 'oauth2',
        authorization_url: 'https://app.asana.com/-/oauth_authorize',
        token_url: 'https://app.asana.com/-/oauth_token',
        revocation_url: 'https://app.asana.com/-/oauth_revoke',
        scopes: ['default'],
        redirect: exactRedirect,
        identity: {
          url: 'https://app.asana.com/api/1.0/users/me',
          id: '/data/gid',
          label: '/data/email',
        },
      },
    ],
    check: { url: 'https://app.asana.com/api/1.0/users/me' },
  },
];
