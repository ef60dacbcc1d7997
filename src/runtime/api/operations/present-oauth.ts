/** Apps, OAuth clients and connections as every face shows them (pure). */
import type {
  App,
  Connection as Shown,
  OAuthClient as ShownClient,
} from '../../../protocol/catalogue.ts';
import { formOfKeys, type KeyField, type KeyForm } from '../../../protocol/key-forms.ts';
import type { KnownApp } from '../../accounts/apps/apps.ts';
import type { UsedApp } from '../../accounts/apps/used-apps.ts';
import type { AppDefinition } from '../../accounts/apps/schema.ts';
import { presentAppWebhook } from './app-webhooks.ts';
import type { OAuthClient } from '../../accounts/oauth/clients.ts';
import { isClientMethod, waysOf } from '../../accounts/oauth/methods.ts';
import type { Connection } from '../../accounts/oauth/session.ts';

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

/**
 * @param keys what components read of its accounts
 * @param isAllowed whether a person has allowed a command in this workspace
 */
export function presentApp(
  { definition, from, file, package: of }: KnownApp,
  keys: readonly string[],
  isAllowed: (run: readonly string[]) => boolean,
): App {
  const { app, name, description, setup, sources, unverified, note, methods } = definition;
  const client = methods.find(isClientMethod);
  const command = methods.find((method) => method.type === 'command');
  const editor = methods.find((method) => method.type === 'editor');
  const fields = methods.flatMap((method) => ('fields' in method ? [method.fields] : []))[0] ?? [];
  return {
    id: app,
    name_slug: app,
    name,
    description: description ?? '',
    auth_type: client === undefined ? 'keys' : 'oauth',
    grants: waysOf(definition).map(({ kind }) => kind),
    command:
      command === undefined ? null : { run: [...command.run], allowed: isAllowed(command.run) },
    editor: editor === undefined ? null : { provider: editor.provider, scopes: [...editor.scopes] },
    custom_fields_json: customFields(fields.map(shownField)),
    key_forms: keyForms(definition, keys),
    scopes: client?.type === 'oauth2' ? [...client.scopes] : [],
    setup: setup ?? null,
    redirect_uri: client?.authorization_url === undefined ? null : redirectOf(client.redirect),
    sources: [...sources],
    unverified,
    note: note ?? null,
    from,
    file: file ?? null,
    package: of ?? null,
    webhook: definition.webhook === undefined ? null : presentAppWebhook(definition.webhook),
  };
}

/** An app that nobody defines, but components use. */
export function presentUsedApp(slug: string, { keys, needsNoAccount }: UsedApp): App {
  const form = formOfKeys(keys);
  return {
    id: slug,
    name_slug: slug,
    name: slug,
    description: '',
    auth_type: needsNoAccount ? 'none' : 'keys',
    grants: [],
    command: null,
    editor: null,
    custom_fields_json: customFields(form?.fields ?? []),
    key_forms: form === undefined ? [] : [shownForm(form)],
    scopes: [],
    setup: null,
    redirect_uri: null,
    sources: [],
    unverified: true,
    note: null,
    from: 'components',
    file: null,
    package: null,
    webhook: null,
  };
}

function keyForms({ methods }: AppDefinition, keys: readonly string[]): App['key_forms'] {
  const own = methods.flatMap((method) => (method.type === 'keys' ? [method] : []));
  const read = formOfKeys(keys);
  if (own.length === 0) return read === undefined ? [] : [shownForm(read)];
  return own.map(({ name, fields }) =>
    shownForm({ name: name ?? null, fields: fields.map(shownField) }),
  );
}

function shownForm({ name, fields }: KeyForm): App['key_forms'][number] {
  return { name, fields: [...fields] };
}

type Field = Extract<AppDefinition['methods'][number], { type: 'keys' }>['fields'][number];

function shownField({
  name,
  label = name,
  description = '',
  default: usual = '',
  optional,
  secret,
}: Field): KeyField {
  return {
    name,
    label,
    description,
    default: usual,
    optional: optional === true,
    secret: secret === true,
  };
}

/** As the platform's API lists them. */
function customFields(fields: readonly KeyField[]): string {
  return JSON.stringify(
    fields.map(({ secret, ...field }) => ({ ...field, type: secret ? 'password' : 'string' })),
  );
}

function redirectOf(redirect: {
  readonly host: string;
  readonly port: 'any' | number;
  readonly path?: string | undefined;
}): string {
  const { host, port, path = '/oauth/callback' } = redirect;
  return `http://${host}${port === 'any' ? '' : `:${port}`}${path}`;
}
