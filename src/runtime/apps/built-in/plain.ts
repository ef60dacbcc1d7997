/** Apps whose way is the usual one but for a detail or two; their addresses were compared with the list of another project. */
import type { OAuthMethod, WrittenDefinition } from '../schema.ts';

interface Plain {
  readonly app: string;
  readonly name: string;
  readonly authorize: string;
  readonly token: string;
  readonly scopes: readonly string[];
  readonly source: string;
  readonly setup: string;
  /** Off for apps that are not known to take a challenge. */
  readonly pkce?: boolean;
  readonly basic?: boolean;
  readonly params?: Readonly<Record<string, string>>;
  readonly identity?: OAuthMethod['identity'];
  readonly keep?: { readonly callback?: string[]; readonly token?: string[] };
  readonly auth?: Readonly<Record<string, string>>;
}

function definitionOf(plain: Plain): WrittenDefinition {
  const { app, name, authorize, token, scopes, source, setup, identity } = plain;
  const { pkce = false, basic = false, params = {}, keep = {}, auth = {} } = plain;
  return {
    app,
    name,
    setup,
    sources: [source],
    unverified: true,
    methods: [
      {
        type: 'oauth2',
        authorization_url: authorize,
        token_url: token,
        scopes: [...scopes],
        pkce,
        client_auth: basic ? 'basic' : 'post',
        authorization_params: { ...params },
        redirect: { host: 'localhost', port: 18913, path: '/oauth/callback' },
        response: { loose: true },
        keep: { ...keep },
        auth: { ...auth },
        ...(identity !== undefined && { identity }),
      },
    ],
  };
}

export const plain: readonly WrittenDefinition[] = [
  {
    app: 'quickbooks',
    name: 'QuickBooks',
    authorize: 'https://appcenter.intuit.com/connect/oauth2',
    token: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    scopes: ['com.intuit.quickbooks.accounting'],
    source:
      'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0',
    setup: 'https://developer.intuit.com/app/developer/dashboard',
    basic: true,
    keep: { callback: ['realmId'] },
    auth: { company_id: '{callback.realmId}' },
  },
  {
    app: 'salesforce_rest_api',
    name: 'Salesforce',
    authorize: 'https://login.salesforce.com/services/oauth2/authorize',
    token: 'https://login.salesforce.com/services/oauth2/token',
    scopes: ['api', 'refresh_token'],
    source:
      'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_web_server_flow.htm',
    setup: 'https://login.salesforce.com/',
    pkce: true,
    keep: { token: ['instance_url'] },
  },
  {
    app: 'zoom',
    name: 'Zoom',
    authorize: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    scopes: [],
    source: 'https://developers.zoom.us/docs/integrations/oauth/',
    setup: 'https://marketplace.zoom.us/develop/create',
    pkce: true,
    basic: true,
    identity: { url: 'https://api.zoom.us/v2/users/me', id: '/id', label: '/email' },
  },
  {
    app: 'dropbox',
    name: 'Dropbox',
    authorize: 'https://www.dropbox.com/oauth2/authorize',
    token: 'https://api.dropboxapi.com/oauth2/token',
    scopes: [],
    source: 'https://developers.dropbox.com/oauth-guide',
    setup: 'https://www.dropbox.com/developers/apps',
    pkce: true,
    params: { token_access_type: 'offline' },
  },
  {
    app: 'gitlab',
    name: 'GitLab',
    authorize: 'https://gitlab.com/oauth/authorize',
    token: 'https://gitlab.com/oauth/token',
    scopes: ['api'],
    source: 'https://docs.gitlab.com/api/oauth2/',
    setup: 'https://gitlab.com/-/user_settings/applications',
    pkce: true,
    identity: { url: 'https://gitlab.com/api/v4/user', id: '/id', label: '/username' },
  },
  {
    app: 'discord',
    name: 'Discord',
    authorize: 'https://discord.com/api/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    scopes: ['identify', 'guilds'],
    source: 'https://discord.com/developers/docs/topics/oauth2',
    setup: 'https://discord.com/developers/applications',
    pkce: true,
    identity: { url: 'https://discord.com/api/users/@me', id: '/id', label: '/username' },
  },
  {
    app: 'spotify',
    name: 'Spotify',
    authorize: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    scopes: ['user-library-read', 'playlist-modify-private', 'playlist-modify-public'],
    source: 'https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow',
    setup: 'https://developer.spotify.com/dashboard',
    pkce: true,
    basic: true,
    identity: { url: 'https://api.spotify.com/v1/me', id: '/id', label: '/email' },
  },
  {
    app: 'linkedin',
    name: 'LinkedIn',
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    scopes: ['openid', 'profile', 'email', 'w_member_social'],
    source:
      'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow',
    setup: 'https://www.linkedin.com/developers/apps',
    identity: { url: 'https://api.linkedin.com/v2/userinfo', id: '/sub', label: '/email' },
  },
  {
    app: 'typeform',
    name: 'Typeform',
    authorize: 'https://api.typeform.com/oauth/authorize',
    token: 'https://api.typeform.com/oauth/token',
    scopes: [
      'offline',
      'accounts:read',
      'forms:read',
      'forms:write',
      'responses:read',
      'webhooks:write',
    ],
    source: 'https://www.typeform.com/developers/get-started/applications/',
    setup: 'https://admin.typeform.com/',
    identity: { url: 'https://api.typeform.com/me', id: '/user_id', label: '/email' },
  },
  {
    app: 'box',
    name: 'Box',
    authorize: 'https://api.box.com/oauth2/authorize',
    token: 'https://api.box.com/oauth2/token',
    scopes: [],
    source: 'https://developer.box.com/guides/authentication/oauth2/',
    setup: 'https://app.box.com/developers/console',
    identity: { url: 'https://api.box.com/2.0/users/me', id: '/id', label: '/login' },
  },
].map(definitionOf);
