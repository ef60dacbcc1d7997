/** Accounts that are kept for the user and shared by folders: two runtimes, one refresh token. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Account, Connection } from '../../src/protocol/catalogue.ts';
import { runCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import {
  acme,
  browse,
  clientId,
  clientSecret,
  startProvider,
  type TestProvider,
} from '../support/oauth-provider.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const action = `
export default {
  key: 'acme-show', name: 'Show', version: '0.0.1', type: 'action',
  props: { acme: { type: 'app', app: 'acme' } },
  run() { return this.acme.$auth.oauth_access_token; },
};`;

interface World {
  readonly folder: string;
  readonly provider: TestProvider;
  readonly one: TestRuntime;
  readonly other: TestRuntime;
}

/** Two folders of one user, who has the definition and the client. */
async function world(lifetime: number): Promise<World> {
  const provider = await startProvider();
  provider.lifetime = lifetime;
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'config', 'weir', 'apps'), { recursive: true });
  const definition = JSON.stringify(acme(provider));
  writeFileSync(join(folder, 'config', 'weir', 'apps', 'acme.json'), definition);
  const [one, other] = await Promise.all([
    startRuntime({ folder }),
    startRuntime({ folder, data: 'other' }),
  ]);
  await one.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: clientId,
    client_secret: clientSecret,
  });
  return { folder, provider, one, other };
}

async function connect({ one }: World, kept: object = { kept_for: 'user' }): Promise<string> {
  const started = await one.restData<Connection>('POST', '/v1/accounts/connect', {
    app: 'acme',
    ...kept,
  });
  await fetch(await browse(started.authorization_url ?? ''));
  const path = `/v1/accounts/connect/${started.session}?wait=1`;
  return (await one.restData<Connection>('GET', path)).account ?? '';
}

async function token(runtime: TestRuntime, folder: string): Promise<string> {
  const path = await sourceFile(folder, 'show.mjs', action);
  const run = await runtime.restData<{ return_value: string }>('POST', '/v1/actions/run', {
    component_path: path,
  });
  return run.return_value;
}

const account = (runtime: TestRuntime, id: string): Promise<Account> =>
  runtime.restData('GET', `/v1/accounts/${id}`);

test('two folders share an account, and ten runs in both at its expiry make one refresh', async () => {
  const here = await world(20);
  const { folder, provider, one, other } = here;
  const id = await connect(here);
  for (const runtime of [one, other])
    expect(await account(runtime, id)).toMatchObject({ kept_for: 'user', healthy: true });
  const before = await token(other, folder);
  expect(await token(one, folder)).toBe(before);
  provider.lifetime = 3600;
  const refreshes = () => provider.tokenRequests.filter((r) => r.grant === 'refresh_token');
  // Half of its life is left, or less.
  await until('it is due', async () => {
    const { expires_at: end } = await account(one, id);
    return Date.parse(end ?? '') - Date.now() < 10_000;
  });
  const tokens = await Promise.all(
    Array.from({ length: 10 }, (_, n) => token(n % 2 === 0 ? one : other, folder)),
  );
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).not.toBe(before);
  expect(refreshes()).toHaveLength(1);
  expect(refreshes()[0]?.status).toBe(200);
});

test('another runtime goes on after a kill -9 amid a refresh', async () => {
  const here = await world(20);
  const { folder, provider, one, other } = here;
  const id = await connect(here);
  const before = await token(other, folder);
  provider.lifetime = 3600;
  provider.rotates = false;
  const refreshes = () => provider.tokenRequests.filter((r) => r.grant === 'refresh_token');
  await until('it is due', async () => {
    const { expires_at: end } = await account(one, id);
    return Date.parse(end ?? '') - Date.now() < 10_000;
  });
  // It never gets its answer, and has the lock until it ends.
  provider.beforeAnswer = () => new Promise(() => undefined);
  void token(one, folder).catch(() => undefined);
  await until('the first one asks', () => refreshes().length === 1);
  provider.beforeAnswer = undefined;
  const waiting = token(other, folder);
  await one.kill();
  expect(await waiting).not.toBe(before);
  expect(refreshes()).toHaveLength(2);
});

test('what one folder changes the other one sees; the file has no secret', async () => {
  const here = await world(3600);
  const { folder, provider, one, other } = here;
  const id = await connect(here);
  const kept = join(folder, 'config', 'weir', 'accounts');
  const files = () => readdirSync(kept).filter((name) => name !== 'locks');
  expect(files()).toEqual([`${id}.json`]);
  const text = readFileSync(join(kept, `${id}.json`), 'utf8');
  expect(text).not.toContain(await token(one, folder));
  expect(JSON.parse(text)).toMatchObject({ id, app: 'acme', kept: 'user' });

  expect((await other.weir('accounts', 'update', id, '--name', 'Shared')).code).toBe(0);
  expect((await account(one, id)).name).toBe('Shared');
  expect((await one.weir('accounts', 'show', id)).stdout).toContain('your folders share it');
  // Connected again from the other folder, it stays where it is, with its name.
  const started = await other.restData<Connection>('POST', '/v1/accounts/connect', {
    app: 'acme',
    account: id,
  });
  await fetch(await browse(started.authorization_url ?? ''));
  await other.restData('GET', `/v1/accounts/connect/${started.session}?wait=1`);
  expect(await account(one, id)).toMatchObject({ name: 'Shared', kept_for: 'user' });
  expect(await token(one, folder)).toBe(await token(other, folder));

  await one.restData('DELETE', `/v1/accounts/${id}`);
  expect(provider.revocations).toHaveLength(1);
  expect((await other.rest('GET', `/v1/accounts/${id}`)).status).toBe(404);
  expect(files()).toEqual([]);
});

test('keys are kept for the user with --user', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const cli = { configFolder: join(folder, 'config') };
  const added = await runCli(
    'accounts add acme --user --field api_key=marker --json --data'
      .split(' ')
      .concat(join(folder, 'data')),
    cli,
  );
  const { id } = added.json() as Account;
  expect(await account(runtime, id)).toMatchObject({ kept_for: 'user' });
  const other = await startRuntime({ folder, data: 'other' });
  expect(await account(other, id)).toMatchObject({ name: 'acme' });
});

test('one of a folder is shared from then on: a refresh under way is waited for, and nothing else changes', async () => {
  const here = await world(20);
  const { folder, provider, one, other } = here;
  const id = await connect(here, {});
  expect((await other.rest('GET', `/v1/accounts/${id}`)).status).toBe(404);
  await until('it is due', async () => {
    const { expires_at: end } = await account(one, id);
    return Date.parse(end ?? '') - Date.now() < 10_000;
  });
  const refreshes = () => provider.tokenRequests.filter((r) => r.grant === 'refresh_token');
  let answer = (): void => undefined;
  provider.lifetime = 3600;
  provider.beforeAnswer = () => new Promise((resolve) => (answer = resolve));
  const run = token(one, folder);
  await until('it asks', () => refreshes().length === 1);
  const sharing = one.weir('accounts', 'update', id, '--user', '--name', 'Shared');
  // What waits is not there yet.
  expect((await other.rest('GET', `/v1/accounts/${id}`)).status).toBe(404);
  provider.beforeAnswer = undefined;
  answer();
  const fresh = await run;
  expect(await sharing).toMatchObject({ code: 0 });
  for (const runtime of [one, other]) {
    expect(await account(runtime, id)).toMatchObject({
      id,
      name: 'Shared',
      kept_for: 'user',
      healthy: true,
    });
    expect(await token(runtime, folder)).toBe(fresh);
  }
  expect(refreshes()).toHaveLength(1);
  // Once more is no error.
  expect((await one.weir('accounts', 'update', id, '--user')).code).toBe(0);
  const { data } = (await one.rest('GET', '/v1/accounts')).body as { data: Account[] };
  expect(data).toHaveLength(1);
});

test.each([
  ['before', undefined],
  ['after', 'user'],
])('a kill -9 just %s it is written leaves it in one place', async (when, kept) => {
  const folder = temporaryFolder();
  const killer = join(folder, 'killer.cjs');
  writeFileSync(
    killer,
    `const fs = require('node:fs');
     const rename = fs.renameSync;
     fs.renameSync = (from, to) => {
       if (!/accounts.apn_[^.]+.json$/.test(to)) return rename(from, to);
       if ('${when}' === 'after') rename(from, to);
       process.kill(process.pid, 'SIGKILL');
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     };
     require('node:module').syncBuiltinESMExports();`,
  );
  const mortal = await startRuntime({ folder, preload: killer });
  const keys = { app: 'acme', name: 'Keys', credentials: { oauth_access_token: 'marker' } };
  const { id } = await mortal.restData<Account>('POST', '/v1/accounts', keys);
  const put = mortal.rest('PUT', `/v1/accounts/${id}`, { kept_for: 'user' });
  await expect(put).rejects.toThrow('fetch failed');
  await mortal.kill();
  const [again, other] = await Promise.all([
    startRuntime({ folder }),
    startRuntime({ folder, data: 'other' }),
  ]);
  const { data } = (await again.rest('GET', '/v1/accounts')).body as { data: Account[] };
  expect(data.map((one) => [one.id, one.name, one.kept_for])).toEqual([[id, 'Keys', kept]]);
  expect(await token(again, folder)).toBe('marker');
  const there = await other.rest('GET', `/v1/accounts/${id}`);
  expect(there.status).toBe(kept === 'user' ? 200 : 404);
  // What is in the folder alone can go on its way again; what has arrived is deleted for all.
  await again.restData('PUT', `/v1/accounts/${id}`, { kept_for: 'user' });
  expect(await account(other, id)).toMatchObject({ kept_for: 'user' });
  await again.restData('DELETE', `/v1/accounts/${id}`);
  expect((await again.rest('GET', `/v1/accounts/${id}`)).status).toBe(404);
  await again.stop();
  const last = await startRuntime({ folder });
  expect((await last.rest('GET', `/v1/accounts/${id}`)).status).toBe(404);
});
