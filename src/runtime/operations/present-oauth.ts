/** Apps, OAuth clients and connections as every face shows them (pure). */
import type {
  App,
  Connection as Shown,
  OAuthClient as ShownClient,
} from '../../protocol/catalogue.ts';
import type { KnownApp } from '../apps/apps.ts';
import type { OAuthClient } from '../oauth/clients.ts';
import type { Connection } from '../oauth/connections.ts';

export function presentConnection(connection: Connection): Shown {
  const { session, app, status, authorizationUrl, redirectUri, account, error } = connection;
  return {
    session,
    app,
    status,
    authorization_url: authorizationUrl,
    redirect_uri: redirectUri,
    user_code: connection.userCode,
    verification_uri: connection.verificationUri,
    account,
    error,
  };
}

export function presentClient(client: OAuthClient): ShownClient {
  const { id, app, name, clientId, createdAt } = client;
  return { id, app, name, client_id: clientId, created_at: new Date(createdAt).toISOString() };
}

export function presentApp({ definition, from }: KnownApp): App {
  const { app, name, description, setup, sources, unverified, note, methods } = definition;
  const oauth = methods.find((method) => method.type === 'oauth2');
  const fields = methods[0]?.fields ?? [];
  return {
    id: app,
    name_slug: app,
    name,
    description: description ?? '',
    auth_type: oauth === undefined ? 'keys' : 'oauth',
    grants: oauth === undefined ? [] : [...oauth.grants],
    custom_fields_json: JSON.stringify(
      fields.map((field) => ({
        name: field.name,
        label: field.label ?? field.name,
        description: field.description ?? '',
        default: field.default ?? '',
        optional: field.optional === true,
        type: field.secret === true ? 'password' : 'string',
      })),
    ),
    scopes: oauth === undefined ? [] : [...oauth.scopes],
    setup: setup ?? null,
    redirect_uri: oauth?.authorization_url === undefined ? null : redirectOf(oauth.redirect),
    sources: [...sources],
    unverified,
    note: note ?? null,
    from,
  };
}

function redirectOf(redirect: {
  readonly host: string;
  readonly port: 'any' | number;
  readonly path?: string | undefined;
}): string {
  const { host, port, path = '/oauth/callback' } = redirect;
  return `http://${host}${port === 'any' ? '' : `:${port}`}${path}`;
}
