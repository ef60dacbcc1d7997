/** Connections and refreshes on a clock that passes when told to, at a real authorization server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Accounts } from '../../../../../src/runtime/accounts/accounts.ts';
import { createSealer } from '../../../../../src/runtime/accounts/seal.ts';
import { OAuthClients } from '../../../../../src/runtime/accounts/oauth/clients.ts';
import { AllowedCommands } from '../../../../../src/runtime/accounts/oauth/command.ts';
import { Connections } from '../../../../../src/runtime/accounts/oauth/connections.ts';
import { CopiedStore } from '../../../../../src/runtime/accounts/oauth/copied-store.ts';
import { AccountKeeper } from '../../../../../src/runtime/accounts/oauth/keeper.ts';
import { clientMethodOf } from '../../../../../src/runtime/accounts/oauth/methods.ts';
import { freePort } from '../../../../../scripts/editor/free-port.mts';
import type { AccountTable } from '../../../../../src/runtime/store/configuration/accounts.ts';
import { appsIn } from '../../../../support/apps.ts';
import { atEndOfTest } from '../../../../support/at-end.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import {
  acme,
  bareRedirect,
  browse,
  clientId,
  clientSecret,
  enterCode,
  startProvider,
} from '../../../../support/oauth-provider.ts';
import { newStore } from '../../../../support/store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** @param stored awaited before a change of an account counts as being on disk */
async function world(
  definition: object,
  { stored = () => Promise.resolve(), isShared = false } = {},
) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'user'));
  writeFileSync(join(folder, 'user', 'acme.json'), JSON.stringify(definition));
  const { store } = await newStore();
  const { apps } = appsIn(folder, store.settings);
  const clock = new FakeClock(Date.now());
  const { now } = clock;
  const sealer = createSealer({ bytes: Buffer.alloc(32, 1), origin: '/conf/key' });
  const table: AccountTable = {
    ...store.accounts,
    replace: async (record) => {
      await store.accounts.replace(record);
      await stored();
    },
  };
  const accounts = new Accounts({ sealer, now, table, newId: () => 'apn_1' });
  const clients = new OAuthClients({
    sealer,
    now,
    folder: join(folder, 'clients'),
    newId: () => 'oa_1',
  });
  const { definition: read } = apps.get('acme');
  clients.add(read, clientMethodOf(read), { id: clientId, secret: clientSecret });
  const parts = { accounts, apps, clients, allowedCommands: new AllowedCommands(store.settings) };
  const connections = new Connections({ ...parts, clock, connected: () => undefined });
  atEndOfTest(() => connections.close());
  const keeper = new AccountKeeper({
    unstorable: () => undefined,
    ...parts,
    isShared,
    copied: await CopiedStore.open(store.settings, folder, now),
    lock: () => Promise.resolve(() => Promise.resolve()),
    now,
    log: () => undefined,
    changed: () => undefined,
  });
  const ended = (session: string) => connections.wait(session, new AbortController().signal);
  const define = (other: object): void =>
    writeFileSync(join(folder, 'user', 'acme.json'), JSON.stringify(other));
  return { clock, accounts, connections, keeper, ended, define };
}

test('clause 2: a state has 256 random bits and is used once, and a connection is over after 10 minutes', async () => {
  const provider = await startProvider();
  const { connections, clock, ended } = await world(acme(provider));
  const started = await connections.start({ app: 'acme', grant: 'code' });
  const other = await connections.start({ app: 'acme', grant: 'code' });
  const stateOf = ({ authorizationUrl }: typeof started) =>
    new URL(authorizationUrl ?? '').searchParams.get('state') ?? '';
  expect(Buffer.from(stateOf(started), 'base64url')).toHaveLength(32);
  expect(stateOf(other)).not.toBe(stateOf(started));

  const back = await browse(started.authorizationUrl ?? '');
  const answers = [await fetch(back, { redirect: 'manual' }), await fetch(back)];
  expect(answers.map(({ status }) => status)).toEqual([303, 400]);
  expect(await ended(started.session)).toMatchObject({ status: 'connected' });
  expect(provider.tokenRequests).toHaveLength(1);

  clock.pass(10 * minute - 1);
  expect(connections.get(other.session).status).toBe('waiting');
  clock.pass(1);
  const why = 'Nobody finished within 10 minutes.';
  expect(await ended(other.session)).toMatchObject({ status: 'failed', error: why });
  await expect(fetch(other.redirectUri ?? '')).rejects.toThrow('fetch failed');
  clock.pass(10 * minute);
  expect(() => connections.get(other.session)).toThrow('not known any more');
});

test('what is in a database that several machines may have is not shared with folders of one', async () => {
  const provider = await startProvider();
  const { accounts, keeper } = await world(acme(provider), { isShared: true });
  const { id } = await accounts.create({ app: 'acme', credentials: { token: 'k' } });
  await expect(keeper.keepForUser(id)).rejects.toThrow('in a database that several machines may');
  expect(accounts.get(id).kept).toBeUndefined();
});

test('at an address that its app wants as it is, a new connection takes the place of one that waits', async () => {
  const provider = await startProvider();
  const definition = acme(provider);
  const port = await freePort();
  const [method] = definition.methods.map((one) => ({
    ...one,
    redirect: { port, path: '/oauth/callback' },
  }));
  const { connections, ended } = await world({ ...definition, methods: [method] });
  const blocker = createServer().listen(port, '127.0.0.1');
  await expect(connections.start({ app: 'acme', grant: 'code' })).rejects.toThrow(
    'end what uses it, such as a connection that another window waits for',
  );
  // Who pastes the address that the browser ends at needs no port.
  const pasted = await connections.start({ app: 'acme', grant: 'code', isPasted: true });
  const end = await browse(pasted.authorizationUrl ?? '');
  expect(new URL(end).port).toBe(String(port));
  expect(await connections.paste(pasted.session, end)).toMatchObject({ status: 'connected' });
  await new Promise((resolve) => blocker.close(resolve));
  const left = await connections.start({ app: 'acme', grant: 'code' });
  const again = await connections.start({ app: 'acme', grant: 'code', account: 'apn_1' });
  expect(new URL(again.redirectUri ?? '').port).toBe(String(port));
  expect(await ended(left.session)).toMatchObject({
    status: 'cancelled',
    error: 'Another connection was begun, and the browser comes back to that one.',
  });
  await fetch(await browse(again.authorizationUrl ?? ''));
  expect(await ended(again.session)).toMatchObject({ status: 'connected' });
});

/** A token endpoint whose ID token says what the test wants it to say. */
async function startIssuer() {
  const state = { claims: {} as Record<string, unknown> };
  const server = createServer((request, response) => {
    request.resume();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const idToken = `${part({ alg: 'RS256' })}.${part(state.claims)}.${part({})}`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: 'at', token_type: 'bearer', id_token: idToken }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state };
}

const lies: readonly (readonly [what: string, wrong: Record<string, unknown>])[] = [
  ['another nonce', { nonce: 'of-another-connection' }],
  ['no nonce', { nonce: undefined }],
  ['another audience', { aud: 'another-client' }],
  ['another issuer', { iss: 'https://evil.test' }],
  ['no subject', { sub: undefined }],
  ['a time that is over', { exp: 1 }],
];

test.each([['the truth', undefined] as const, ...lies])(
  'clause 3: with openid, an ID token with %s',
  async (_what, wrong) => {
    const issuer = await startIssuer();
    const { url } = issuer;
    const method = {
      type: 'oauth2',
      issuer: url,
      authorization_url: `${url}/auth`,
      token_url: `${url}/token`,
      scopes: ['openid'],
    };
    const { connections, ended } = await world({ app: 'acme', name: 'Acme', methods: [method] });
    const started = await connections.start({ app: 'acme', grant: 'code' });
    const asked = new URL(started.authorizationUrl ?? '').searchParams;
    const seconds = Math.floor(Date.now() / 1000);
    issuer.state.claims = {
      iss: url,
      aud: clientId,
      sub: 'ann',
      nonce: asked.get('nonce'),
      iat: seconds,
      exp: seconds + 60,
      ...wrong,
    };
    const back = new URL(started.redirectUri ?? '');
    const state = asked.get('state') ?? '';
    back.search = new URLSearchParams({ code: 'c', state, iss: url }).toString();
    await fetch(back);
    const { status, account } = await ended(started.session);
    expect({ status, account }).toEqual(
      wrong === undefined
        ? { status: 'connected', account: 'apn_1' }
        : { status: 'failed', account: null },
    );
  },
);

test.each([true, false])('clause 5: with pkce: %s, a client with a secret', async (pkce) => {
  const provider = await startProvider();
  const { connections, ended } = await world(acme(provider, {}, { pkce }));
  const started = await connections.start({ app: 'acme', grant: 'code' });
  const asked = new URL(started.authorizationUrl ?? '').searchParams;
  expect(asked.get('code_challenge_method')).toBe(pkce ? 'S256' : null);
  expect(asked.has('code_challenge')).toBe(pkce);
  await fetch(await browse(started.authorizationUrl ?? ''));
  expect(await ended(started.session)).toMatchObject({ status: 'connected', error: null });
  const sent = new URLSearchParams(provider.tokenRequests[0]?.body);
  expect(sent.has('code_verifier')).toBe(pkce);
});

test('clause 10: the device grant, whole: pending until its person has entered the code', async () => {
  const provider = await startProvider();
  const { connections, clock, ended, accounts } = await world(acme(provider));
  const { session, userCode, verificationUri } = await connections.start({
    app: 'acme',
    grant: 'device',
  });
  /** The next poll. */
  const poll = async () => {
    const before = provider.tokenRequests.length;
    await expect.poll(() => clock.waits.some((ms) => ms < minute)).toBe(true);
    clock.pass(5000);
    await expect.poll(() => provider.tokenRequests.length).toBe(before + 1);
  };
  await poll();
  expect(connections.get(session).status).toBe('waiting');
  await enterCode(verificationUri ?? '', userCode ?? '');
  await poll();
  expect(await ended(session)).toMatchObject({ status: 'connected', error: null });
  expect(provider.tokenRequests.map(({ status }) => status)).toEqual([400, 200]);
  const { oauth_access_token: token } = accounts.credentials('apn_1') ?? {};
  const me = await fetch(`${provider.url}/me`, {
    headers: { authorization: `Bearer ${String(token)}` },
  });
  expect(await me.json()).toMatchObject({ sub: 'ann' });
});

test.each([
  ['the clock is set on by an hour', hour],
  ['the clock is set back by an hour', -hour],
  ['the machine wakes after a night', 9 * hour],
])('clause 20: %s: ten runs make one refresh, the next ones none', async (_what, jump) => {
  const provider = await startProvider();
  const { connections, clock, keeper, accounts, ended } = await world(acme(provider));
  const started = await connections.start({ app: 'acme', grant: 'code' });
  await fetch(await browse(started.authorizationUrl ?? ''));
  await ended(started.session);
  const tokenNow = () => accounts.credentials('apn_1')?.['oauth_access_token'];
  const before = tokenNow();
  const refreshes = () => provider.tokenRequests.filter((r) => r.grant === 'refresh_token').length;
  const run = async () => {
    await keeper.refreshExpiring(['apn_1'], minute);
    return tokenNow();
  };
  expect(await run()).toBe(before);
  clock.jump(jump);
  const seen = new Set(await Promise.all(Array.from({ length: 10 }, run)));
  expect(seen.size).toBe(1);
  expect(seen.has(before)).toBe(false);
  expect(refreshes()).toBe(1);
  clock.pass(minute);
  for (let turn = 0; turn < 10; turn += 1) await run();
  expect(refreshes()).toBe(1);
  expect(accounts.health('apn_1')?.status).toBe('healthy');

  // Set right again, after an hour ahead: nobody knows how long the token lives, so it is replaced once more.
  clock.jump(-jump);
  await Promise.all(Array.from({ length: 10 }, run));
  await run();
  expect(refreshes()).toBeLessThanOrEqual(2);
});

test('clause 16: a run that begins before a new token is on disk waits until it is', async () => {
  const provider = await startProvider();
  let toDisk: (() => void) | undefined;
  const stored = () => new Promise<void>((resolve) => (toDisk = resolve));
  const { connections, clock, keeper, accounts, ended } = await world(acme(provider), { stored });
  const started = await connections.start({ app: 'acme', grant: 'code' });
  await fetch(await browse(started.authorizationUrl ?? ''));
  await ended(started.session);
  const before = accounts.credentials('apn_1')?.['oauth_access_token'];
  clock.jump(hour);
  const begun: string[] = [];
  const run = (name: string) =>
    Promise.resolve(keeper.refreshExpiring(['apn_1'], minute)).then(() => begun.push(name));
  const first = run('first');
  await expect.poll(() => toDisk).toBeDefined();
  // In memory it is there.
  expect(accounts.credentials('apn_1')?.['oauth_access_token']).not.toBe(before);
  const second = run('second');
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual([]);
  toDisk?.();
  await Promise.all([first, second]);
  expect(begun).toEqual(['first', 'second']);
  expect(provider.tokenRequests).toHaveLength(2);
});

test('clause 12: an own address goes to the provider as it was registered, to the letter', async () => {
  const provider = await startProvider();
  const { connections } = await world(acme(provider));
  const request = { app: 'acme', grant: 'code', redirectUri: bareRedirect } as const;
  const { session, authorizationUrl, redirectUri } = await connections.start(request);
  expect(redirectUri).toBe(bareRedirect);
  const back = await browse(authorizationUrl ?? '');
  expect(new URL(back).pathname).toBe('/');
  expect(await connections.paste(session, back)).toMatchObject({ status: 'connected' });
  const spaced = { ...request, redirectUri: `${bareRedirect}/\nback` };
  await expect(connections.start(spaced)).rejects.toThrow('must be an https address');
});

test('clause 28: a token is shown to no other address that a definition checks it at', async () => {
  const provider = await startProvider();
  const { connections, keeper, ended, define } = await world(acme(provider));
  const { session } = await connections.start({ app: 'acme', grant: 'client_credentials' });
  const { account } = await ended(session);
  const proof = () => keeper.proofOf(account ?? '');
  expect(proof()).toEqual({ accessToken: expect.stringMatching(/\S{20,}/) });
  const elsewhere = /sends tokens to other addresses than when the OAuth client oa_1 was entered/;
  define(acme(provider, { check: { url: 'https://evil.test/me' } }));
  expect(proof).toThrow(elsewhere);
  define(acme(provider, {}, { token_url: 'https://evil.test/token' }));
  expect(proof).toThrow(elsewhere);
  define(acme(provider, { name: 'Another name' }));
  expect(proof()).toBeDefined();
});
