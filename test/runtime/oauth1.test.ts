/** Clause 29: accounts of OAuth 1.0a, from the connection to the signed request of a component. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Account, Connection } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { browse } from '../support/oauth-provider.ts';
import {
  accessToken,
  acme1,
  consumer,
  startProvider1,
  type TestProvider1,
} from '../support/oauth1-provider.ts';
import { registryScope } from '../support/registry-packages.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';

/** As the platform's components do it, through its own axios. */
const action = `
import { axios } from ${JSON.stringify(resolve(registryScope, 'platform/dist/index.js'))};
export default {
  key: 'acme-show', name: 'Show', version: '0.0.1', type: 'action',
  props: { acme: { type: 'app', app: 'acme' }, url: { type: 'string' }, form: { type: 'boolean', optional: true } },
  async run({ $ }) {
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
    process.env.NO_PROXY = process.env.no_proxy += ',' + new URL(this.url).host;
    const { $auth } = this.acme;
    const answer = await axios($, {
      method: this.form ? 'post' : 'get',
      url: this.url,
      params: { since: "c!'()* d" },
      ...(this.form && { data: new URLSearchParams({ name: 'A+B & C' }).toString() }),
    }, {
      token: { key: $auth.oauth_access_token, secret: $auth.oauth_refresh_token },
      oauthSignerUri: $auth.oauth_signer_uri,
    });
    return { keys: Object.keys($auth).sort(), answer, signer: $auth.oauth_signer_uri };
  },
};`;

interface World {
  readonly folder: string;
  readonly provider: TestProvider1;
  readonly runtime: TestRuntime;
}

async function world(args: readonly string[] = [], method = {}): Promise<World> {
  const provider = await startProvider1();
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'weir', 'apps'), { recursive: true });
  writeFileSync(join(folder, 'weir', 'apps', 'acme.json'), JSON.stringify(acme1(provider, method)));
  const runtime = await startRuntime({ folder, args });
  await runtime.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: consumer.key,
    client_secret: consumer.secret,
  });
  return { folder, provider, runtime };
}

async function connect({ runtime }: World): Promise<Connection> {
  const started = await runtime.restData<Connection>('POST', '/v1/accounts/connect', {
    app: 'acme',
  });
  expect(started.authorization_url).toContain('name=Weir');
  await fetch(await browse(started.authorization_url ?? ''));
  return runtime.restData('GET', `/v1/accounts/connect/${started.session}?wait=1`);
}

interface Shown {
  readonly keys: string[];
  readonly answer: { readonly data: object };
  readonly signer: string;
}

async function show({ runtime, folder, provider }: World, more = {}): Promise<Shown> {
  const path = await sourceFile(folder, 'show.mjs', action);
  const run = await runtime.restData<{ return_value: Shown; error?: object }>(
    'POST',
    '/v1/actions/run',
    {
      component_path: path,
      configured_props: { url: `${provider.url}/boards?fields=a%20b`, ...more },
    },
  );
  if (run.error !== undefined) throw new Error(JSON.stringify(run.error));
  return run.return_value;
}

test('clause 29: three legs connect, and requests are signed past a proxy and a redirect', async () => {
  const here = await world(['--redirect', '127.0.0.1=http://127.0.0.1:1']);
  const { account: id } = await connect(here);
  expect(await here.runtime.restData<Account>('GET', `/v1/accounts/${id}`)).toMatchObject({
    name: 'ann@acme.test',
    healthy: true,
    expires_at: null,
    renews: false,
  });
  expect(here.provider.signed).toEqual(['POST /request', 'POST /access', 'GET /me']);
  // The component's own requests are not spared the redirect.
  await expect(show(here)).rejects.toThrow('ECONNREFUSED');
  expect(here.provider.signed).toHaveLength(3);

  await here.runtime.stop();
  const again = { ...here, runtime: await startRuntime({ folder: here.folder }) };
  const shown = await show(again);
  expect(shown.keys).toEqual([
    'oauth_access_token',
    'oauth_client_id',
    'oauth_refresh_token',
    'oauth_signer_uri',
    'oauth_uid',
    'user_id',
  ]);
  expect((await show(again, { form: true })).answer.data).toEqual({ name: 'A+B & C' });
  expect(here.provider.signed.slice(3)).toEqual([
    expect.stringMatching(/^GET \/boards\?/),
    expect.stringMatching(/^POST \/boards\?/),
  ]);
  const checked = await again.runtime.restData<Account>('POST', `/v1/accounts/${id}/check`);
  expect(checked).toMatchObject({ healthy: true });
  here.provider.broken = 401;
  expect(await again.runtime.restData<Account>('POST', `/v1/accounts/${id}/check`)).toMatchObject({
    healthy: false,
    error: 'Acme answered the check with 401.',
  });
  // Every face says so until the app takes the token again.
  const failing = { healthy: false, dead: false, error: 'Acme answered the check with 401.' };
  expect(await again.runtime.restData<Account>('GET', `/v1/accounts/${id}`)).toMatchObject(failing);
  expect((await again.runtime.weir('accounts', 'list')).stdout).toMatch(/ failing/);
  here.provider.broken = undefined;
  const good = await again.runtime.restData<Account>('POST', `/v1/accounts/${id}/check`);
  expect(good).toMatchObject({ healthy: true, error: null });
});

test('clause 29: who signs needs the address and the token, and a host of the app', async () => {
  const here = await world([], { hosts: ['api.acme.test', '*.files.acme.test'] });
  await connect(here);
  const { signer } = await show(here);
  const sign = async (
    url: string,
    token: object = accessToken,
    at = signer,
    headers: Record<string, string> = {},
  ): Promise<readonly [number, string]> => {
    const response = await fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ requestData: { method: 'get', url }, token }),
    });
    return [response.status, await response.text()];
  };
  const own = `${here.provider.url}/me`;
  expect(await sign(own)).toEqual([200, expect.stringMatching(/^OAuth oauth_consumer_key="/)]);
  expect((await sign('https://api.acme.test/1'))[0]).toBe(200);
  expect((await sign('https://eu.files.acme.test/1'))[0]).toBe(200);
  for (const foreign of [
    'https://evil.test/',
    'http://api.acme.test/1',
    'https://api.acme.test.evil.test/',
    'https://api.acme.test@evil.test/',
    'https://files.acme.test.evil.test/',
  ]) {
    expect(await sign(foreign)).toEqual([403, expect.stringContaining('are not signed')]);
  }
  expect((await sign(own, { ...accessToken, secret: 'other' }))[0]).toBe(403);
  expect((await sign(own, { key: 'other', secret: accessToken.secret }))[0]).toBe(403);
  expect((await sign(own, {}))[0]).toBe(400);
  expect((await sign(own, accessToken, signer.slice(0, -1)))[0]).toBe(404);
  expect((await sign(own, accessToken, signer.replace(/apn_\w+/, 'apn_other')))[0]).toBe(404);
  expect((await sign(own, accessToken, signer, { origin: 'https://evil.test' }))[0]).toBe(403);
  expect((await sign(own, accessToken, signer, { 'x-forwarded-for': '1.2.3.4' }))[0]).toBe(403);
  expect((await fetch(signer)).status).toBe(405);
});

test('clause 9: who says no in the browser ends the connection with that reason', async () => {
  const here = await world();
  here.provider.denies = true;
  expect(await connect(here)).toMatchObject({
    status: 'failed',
    error: 'Access was denied in the browser.',
  });
});

test('clauses 2 and 4: a callback with another token is refused, and the connection stays open', async () => {
  const here = await world();
  const started = await here.runtime.restData<Connection>('POST', '/v1/accounts/connect', {
    app: 'acme',
  });
  const wrong = new URL(started.redirect_uri ?? '');
  wrong.search = 'oauth_token=other&oauth_verifier=marker-verifier';
  expect((await fetch(wrong)).status).toBe(400);
  await fetch(await browse(started.authorization_url ?? ''));
  const ended = await here.runtime.restData<Connection>(
    'GET',
    `/v1/accounts/connect/${started.session}?wait=1`,
  );
  expect(ended.status).toBe('connected');
});

test('clause 26: no secret of OAuth 1.0a, and no address of a signer, stands in a file or in the log', async () => {
  const here = await world();
  await connect(here);
  const { signer } = await show(here);
  await fetch(`${signer}x`, { method: 'POST', body: '{}' });
  await here.runtime.stop();
  const secrets = [consumer.secret, accessToken.key, accessToken.secret, new URL(signer).pathname];
  const texts = files(here.folder).map((file) => readFileSync(file, 'latin1'));
  for (const secret of secrets) {
    expect(here.runtime.output()).not.toContain(secret);
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
});

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
