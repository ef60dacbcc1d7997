/** The definitions that ship: what must hold of all of them, and a connection of each over real HTTP. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { redirectFetch } from '../../../../../src/component/host/redirects/fetch.ts';
import { Accounts } from '../../../../../src/runtime/accounts/accounts.ts';
import { createSealer } from '../../../../../src/runtime/accounts/seal.ts';
import { builtIn } from '../../../../../src/runtime/accounts/apps/built-in/all.ts';
import { addressesOf, checkDefinition } from '../../../../../src/runtime/accounts/apps/read.ts';
import type {
  AppDefinition,
  OAuthMethod,
} from '../../../../../src/runtime/accounts/apps/schema.ts';
import { OAuthClients } from '../../../../../src/runtime/accounts/oauth/clients.ts';
import { filledText } from '../../../../../src/runtime/accounts/oauth/fields.ts';
import { AllowedCommands } from '../../../../../src/runtime/accounts/oauth/command.ts';
import { Connections } from '../../../../../src/runtime/accounts/oauth/connections.ts';
import { CopiedStore } from '../../../../../src/runtime/accounts/oauth/copied-store.ts';
import { AccountKeeper } from '../../../../../src/runtime/accounts/oauth/keeper.ts';
import { appsIn } from '../../../../support/apps.ts';
import { type AtEnd, atEndOfSuite } from '../../../../support/at-end.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import {
  clientKeys,
  filled,
  type ShapedProvider,
  startShapedProvider,
} from '../../../../support/shaped-provider.ts';
import { open } from '../../../../support/open-store.ts';

const all = builtIn.map((written) => checkDefinition(written, `built-in ${written.app}`));

const oauthOf = ({ methods }: AppDefinition): OAuthMethod | undefined =>
  methods.find((method) => method.type === 'oauth2');

const byOAuth = all.flatMap((definition) => {
  const method = oauthOf(definition);
  return method === undefined ? [] : [{ definition, method }];
});

const slugs = (definitions: readonly AppDefinition[]): string[] =>
  definitions.map(({ app }) => app);

test('every definition names its documentation, and each app stands once', () => {
  const isPage = (source: string) => source.startsWith('https://');
  const without = all.filter(({ sources }) => sources.length === 0 || !sources.every(isPage));
  expect(slugs(without)).toEqual([]);
  expect(new Set(slugs(all)).size).toBe(all.length);
});

test('every address of a definition is https', () => {
  const addresses = byOAuth.flatMap(({ definition: { check, setup }, method }) => [
    ...addressesOf(method),
    ...(check === undefined ? [] : [check.url]),
    setup,
  ]);
  expect(addresses.filter((address) => address?.startsWith('https://') !== true)).toEqual([]);
});

/** Whose tokens may do what was chosen elsewhere: at the app that one registers, or by the person. */
const withoutScopes = [
  'bitbucket',
  'box',
  'calendly_v2',
  'clickup',
  'clio',
  'clio_australia',
  'clio_canada',
  'clio_eu',
  'dropbox',
  'frontapp',
  'intercom',
  'mailchimp',
  'notion',
  'pipedrive',
  'procore',
  'procore_sandbox',
  'zoom',
  'zoom_admin',
];

test('scopes are asked for, each once, but of apps that have none', () => {
  const empty = byOAuth.filter(({ method }) => method.scopes.length === 0);
  expect(slugs(empty.map(({ definition }) => definition)).sort()).toEqual(withoutScopes);
  const twice = byOAuth.filter(({ method: { scopes } }) => new Set(scopes).size < scopes.length);
  expect(slugs(twice.map(({ definition }) => definition))).toEqual([]);
});

test('fields of keys that are secret are marked so', () => {
  const shown = all.flatMap(({ app, methods }) =>
    methods
      .flatMap((method) => (method.type === 'keys' ? method.fields : []))
      .filter(({ name, secret }) => /token|secret|password|key/i.test(name) && secret !== true)
      .map(({ name }) => `${app}: ${name}`),
  );
  expect(shown).toEqual([]);
});

/** What the placeholders of an app are in these tests. */
const givenFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  microsoft_dynamics_365_sales: { api_url: 'contoso.crm.dynamics.com' },
  shopify: { shop_id: 'my-shop' },
  zendesk: { subdomain: 'acme' },
};

function fieldsOf(definition: AppDefinition, method: OAuthMethod) {
  const usual = method.fields.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const given = Object.entries(givenFields[definition.app] ?? {});
  return Object.fromEntries([...usual, ...given]);
}

describe('connects, over real HTTP', () => {
  const atEnd = atEndOfSuite();
  let here: Awaited<ReturnType<typeof world>>;
  let provider: ShapedProvider;

  beforeAll(async () => {
    here = await world(atEnd);
    provider = await startShapedProvider(atEnd);
    const isHere = (host: string) => ['127.0.0.1', 'localhost', '::1'].includes(host);
    redirectFetch((host) => (isHere(host) ? undefined : provider.url));
  });

  test.each(byOAuth)('$definition.app', async ({ definition, method }) => {
    const { app } = definition;
    const fields = fieldsOf(definition, method);
    const { issuer } = method;
    provider.shape = { method, fields, ...(issuer !== undefined && { issuer }) };
    provider.refused.length = 0;
    here.clients.add(here.apps.get(app).definition, method, clientKeys);
    const given = givenFields[app] ?? {};
    const { session, authorizationUrl, redirectUri } = await here.connections.start({
      app,
      grant: 'code',
      fields: given,
    });

    const url = new URL(authorizationUrl ?? '');
    const wanted = filled(method.authorization_url ?? '', fields);
    expect(`${url.origin}${url.pathname}`).toBe(`${wanted.origin}${wanted.pathname}`);
    const { searchParams: asked } = url;
    const scope = filledText(method.scopes.join(method.scope_separator), fields);
    expect(asked.get(method.scope_param) ?? '').toBe(scope);
    expect(Object.fromEntries(asked)).toMatchObject({
      ...method.authorization_params,
      response_type: 'code',
      client_id: clientKeys.id,
      redirect_uri: redirectUri,
    });
    expect(asked.get('code_challenge_method')).toBe(method.pkce ? 'S256' : null);
    provider.authorized = asked;

    const back = new URL(redirectUri ?? '');
    back.search = new URLSearchParams({
      code: 'the-code',
      state: asked.get('state') ?? '',
      ...(issuer !== undefined && { iss: issuer }),
      ...Object.fromEntries(method.keep.callback.map((name) => [name, `the-${name}`])),
    }).toString();
    expect((await fetch(back, { redirect: 'manual' })).status).toBe(303);
    const ended = await here.connections.wait(session, new AbortController().signal);
    expect(provider.refused).toEqual([]);
    expect(ended).toMatchObject({ status: 'connected', error: null });
    const account = ended.account ?? '';

    const auth = here.accounts.credentials(account);
    expect(auth).toEqual({
      ...fields,
      ...Object.fromEntries(method.keep.callback.map((name) => [name, `the-${name}`])),
      ...Object.fromEntries(method.keep.token.map((name) => [name, `the-${name}`])),
      ...Object.fromEntries(
        Object.keys(method.identity?.keep ?? {}).map((name) => [name, `the-${name}`]),
      ),
      ...(method.identity !== undefined && { oauth_uid: 'the-user' }),
      ...Object.fromEntries(Object.keys(method.auth).map((name) => [name, expect.any(String)])),
      ...known[app],
      oauth_client_id: clientKeys.id,
      oauth_access_token: 'the-token',
    });
    const lifetime = method.response.default_expires_in ?? 3600;
    const fresh = { status: 'healthy', expiresAt: here.clock.now() + lifetime * 1000 };
    expect(here.accounts.health(account)).toMatchObject(fresh);
    expect((await here.keeper.refresh(account)).error).toBeNull();
    expect(provider.refused).toEqual([]);
    expect(here.accounts.credentials(account)).toEqual(auth);
    expect(here.accounts.health(account)).toMatchObject(fresh);
  });
});

/** A definition of the user has any port: somebody else on this machine may use the one that the app wants. */
async function world(atEnd: AtEnd) {
  const folder = temporaryFolder(atEnd);
  const userFolder = join(folder, 'user');
  mkdirSync(userFolder);
  for (const written of builtIn) {
    const methods = written.methods.map((method) =>
      method.type === 'oauth2'
        ? { ...method, redirect: { ...method.redirect, port: 'any' } }
        : method,
    );
    const text = JSON.stringify({ ...written, methods });
    writeFileSync(join(userFolder, `${written.app}.json`), text);
  }
  const store = await open(join(folder, 'weir.db'));
  const { apps } = appsIn(folder, store.settings);
  const clock = new FakeClock(Date.now());
  const sealer = createSealer({ bytes: Buffer.alloc(32, 1), origin: '/conf/key' });
  const common = { sealer, now: clock.now };
  let made = 0;
  const newId = (prefix: string) => () => `${prefix}${++made}`;
  const accounts = new Accounts({ ...common, table: store.accounts, newId: newId('apn_') });
  const clients = new OAuthClients({ ...common, folder: join(folder, 'oa'), newId: newId('oa_') });
  const allowedCommands = new AllowedCommands(store.settings);
  const copied = await CopiedStore.open(store.settings, folder, clock.now);
  const parts = { accounts, apps, clients, allowedCommands };
  const connections = new Connections({ ...parts, clock, connected: () => undefined });
  atEnd(async () => {
    connections.close();
    await store.close();
  });
  const keeper = new AccountKeeper({
    unstorable: () => undefined,
    ...parts,
    isShared: false,
    copied,
    lock: () => Promise.resolve(() => Promise.resolve()),
    now: clock.now,
    log: () => undefined,
    changed: () => undefined,
  });
  return { apps, accounts, clients, connections, keeper, clock };
}

/** What components of these apps read beside the token, and where it comes from. */
const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hubspot: { oauth_uid: 'the-user' },
  quickbooks: { company_id: 'the-realmId' },
  quickbooks_sandbox: { company_id: 'the-realmId' },
  salesforce_rest_api: { instance_url: 'the-instance_url' },
  mailchimp: { dc: 'the-dc' },
  shopify: { shop_id: 'my-shop' },
  slack: { oauth_uid: 'the-user' },
  gitlab: { base_api_url: 'gitlab.com' },
  microsoft_dynamics_365_sales: { api_url: 'contoso.crm.dynamics.com', oauth_uid: 'the-user' },
  pipedrive: { api_domain: 'the-api_domain' },
  notion: { oauth_uid: 'the-bot_id' },
  zoho_crm: { api_domain: 'the-api_domain', base_api_uri: 'zoho.com' },
  zoho_books: { base_api_uri: 'zoho.com' },
  zoho_sign: { base_api_uri: 'sign.zoho.com' },
  zoho_assist: { base_api_url: 'zoho.com' },
  zoho_creator: { oauth_uid: 'the-user' },
};
