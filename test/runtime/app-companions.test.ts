/** Accounts of apps that are defined beside their file, from outside. The clauses are those of docs/accounts.md. */
import { once } from 'node:events';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Account, App, Source } from '../../src/protocol/catalogue.ts';
import { gather, runCli, spawnCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
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

const appFile = `export default {
  type: 'app', app: 'acme', methods: { token() { return this.$auth.oauth_access_token; } } };`;
const source = `
import acme from '../acme/acme.app.mjs';
export default {
  key: 'acme-echo', name: 'Echo', version: '0.0.1', type: 'source',
  props: { acme, http: { type: '$.interface.http', customResponse: true } },
  run() { this.http.respond({ status: 200, body: this.acme.token() }); },
};`;
const action = `
import acme from '../acme/acme.app.mjs';
export default {
  key: 'acme-show', name: 'Show', version: '0.0.1', type: 'action', props: { acme },
  run({ $ }) { $.respond?.({ status: 200, body: this.acme.token() }); return this.acme.token(); },
};`;

interface World {
  readonly folder: string;
  readonly provider: TestProvider;
  readonly write: (path: string, text: string) => Promise<string>;
  readonly define: (more?: object, method?: object) => Promise<string>;
}

async function world(): Promise<World> {
  const provider = await startProvider();
  const folder = await realpath(temporaryFolder());
  const write = async (path: string, text: string): Promise<string> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const define = (more: object = {}, method: object = {}) =>
    write('acme/acme.auth.json', JSON.stringify(acme(provider, { ...more }, method)));
  await write('acme/acme.app.mjs', appFile);
  await write('sources/echo.mjs', source);
  await write('actions/show.mjs', action);
  await define();
  return { folder, provider, write, define };
}

const addClient = (runtime: TestRuntime): Promise<unknown> =>
  runtime.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: clientId,
    client_secret: clientSecret,
  });

/** Through the browser, to the end. */
async function connect(runtime: TestRuntime): Promise<string> {
  const started = await runtime.restData<{ session: string; authorization_url: string }>(
    'POST',
    '/v1/accounts/connect',
    { app: 'acme' },
  );
  await fetch(await browse(started.authorization_url));
  const { account, error } = await runtime.restData<{ account: string; error: string }>(
    'GET',
    `/v1/accounts/connect/${started.session}?wait=1`,
  );
  if (error) throw new Error(error);
  return account;
}

const endpointOf = (runtime: TestRuntime, path: string): Promise<string> =>
  runtime
    .restData<Source>('POST', '/v1/sources', { component_path: path })
    .then(({ endpoint_url: url }) => url ?? '');

test('an app is known by the file beside its own before anything was looked at, and connects on the command line', async () => {
  const { folder, write } = await world();
  const runtime = await startRuntime({ folder });
  const file = join(folder, 'acme', 'acme.auth.json');
  expect((await runtime.weir('apps', '--search', 'acme')).stdout).toMatch(/acme .*code.*companion/);
  const shown = await runtime.weir('apps', 'acme');
  expect(shown.stdout).toMatch(/defined: +companion/);
  expect(shown.stdout).toContain(file);
  const [listed] = await runtime.restData<App[]>('GET', '/v1/apps?q=acme');
  expect(listed).toMatchObject({ name_slug: 'acme', from: 'companion', file, package: null });
  expect((await runtime.weir('apps', '--used')).stdout).not.toContain('acme');

  const cli = { configFolder: join(folder, 'config') };
  const data = ['--data', join(folder, 'data')];
  const added = await runCli(['oauth-clients', 'add', 'acme', '--id', clientId, ...data], {
    ...cli,
    stdin: `${clientSecret}\n`,
  });
  expect(added.code).toBe(0);
  const child = spawnCli(['accounts', 'connect', 'acme', '--json', ...data], cli);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const url = await until('the address', () => /http:\S+\/auth\?\S+/.exec(stderr())?.[0]);
  await fetch(await browse(url));
  await once(child, 'exit');
  expect(JSON.parse(stdout())).toMatchObject({ name: 'ann@acme.test', healthy: true });

  const run = await runtime.restData<{ return_value: string }>('POST', '/v1/actions/run', {
    component_path: join(folder, 'actions', 'show.mjs'),
  });
  expect(run.return_value).toMatch(/\S{20,}/);
  expect((await runtime.weir('apps', '--used')).stdout).toMatch(/acme .*companion/);

  // A step of a workflow has it, too.
  await write(
    'orders/workflow.yaml',
    JSON.stringify({
      schema: 'workflow/2022.04',
      name: 'Orders',
      triggers: [{ uses: '$.interface.http', props: { response: 'workflow' } }],
      steps: [{ namespace: 'show', uses: '../actions/show.mjs' }],
    }),
  );
  const { triggers } = await runtime.weirJson<{ triggers: { endpoint_url: string }[] }>(
    'deploy',
    join(folder, 'orders'),
  );
  const answer = await fetch(triggers[0]?.endpoint_url ?? '');
  expect(await answer.text()).toBe(run.return_value);
});

test('an account stays fresh after a restart, follows the file, and goes to no other address without its client', async () => {
  const { folder, provider, define } = await world();
  const first = await startRuntime({ folder });
  await addClient(first);
  provider.lifetime = 2;
  const id = await connect(first);
  const url = await endpointOf(first, join(folder, 'sources', 'echo.mjs'));
  await first.stop();

  const runtime = await startRuntime({ folder });
  const { pathname } = new URL(url);
  const token = async (): Promise<string> => (await fetch(new URL(pathname, runtime.url))).text();
  const refreshes = () => provider.tokenRequests.filter((one) => one.grant === 'refresh_token');
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await token()).toMatch(/\S{20,}/);
  expect(refreshes()).toMatchObject([{ status: 200 }]);

  await define({ name: 'Acme Two' });
  expect(await runtime.restData<App>('GET', '/v1/apps/acme')).toMatchObject({ name: 'Acme Two' });
  const evil = await startProvider();
  await define({}, { token_url: `${evil.url}/token` });
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await token();
  const account = await runtime.restData<Account>('GET', `/v1/accounts/${id}`);
  expect(account.error).toContain('sends tokens to other addresses');
  expect(evil.tokenRequests).toEqual([]);

  await rm(join(folder, 'acme', 'acme.auth.json'));
  expect((await runtime.rest('POST', '/v1/accounts/connect', { app: 'acme' })).body).toMatchObject({
    code: 'not_found',
    error: expect.stringContaining('acme.auth.json beside'),
  });
});

test('clause 28: what is built in stays as it is, and two that differ count neither and name each other', async () => {
  const { folder, provider, write } = await world();
  const evil = { ...acme(provider), app: 'github', name: 'Evil' };
  await write('acme/github.app.mjs', appFile.replace(`'acme'`, `'github'`));
  await write('acme/github.auth.json', JSON.stringify(evil));
  await write('copy/acme.app.mjs', appFile);
  const copy = await write('copy/acme.auth.json', JSON.stringify(acme(provider)));
  const runtime = await startRuntime({ folder });
  expect(await runtime.restData<App>('GET', '/v1/apps/github')).toMatchObject({
    from: 'built in',
    file: null,
    name: 'GitHub',
  });
  expect(await runtime.restData<App>('GET', '/v1/apps/acme')).toMatchObject({ name: 'Acme' });
  await write('copy/acme.auth.json', JSON.stringify(acme(provider, { name: 'Other' })));
  const refused = await runtime.weir('apps', 'acme');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(copy);
  expect(refused.stderr).toContain('copy the one that is right to weir/apps/acme.json');
  await write('weir/apps/acme.json', await readFile(copy, 'utf8'));
  expect(await runtime.restData<App>('GET', '/v1/apps/acme')).toMatchObject({
    from: 'workspace',
    name: 'Other',
    file: join(folder, 'weir', 'apps', 'acme.json'),
  });
});

test('a component outside of the workspace brings the definition of its app once it was looked at, over a restart', async () => {
  const { folder, provider } = await world();
  const elsewhere = temporaryFolder();
  const first = await startRuntime({ folder: elsewhere });
  expect((await first.rest('GET', '/v1/apps/acme')).status).toBe(404);
  const client = await first.connect();
  await client.call('components.inspect', { component_path: join(folder, 'actions', 'show.mjs') });
  await addClient(first);
  provider.lifetime = 2;
  const id = await connect(first);
  await first.stop();
  const runtime = await startRuntime({ folder: elsewhere });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await runtime.restData('POST', `/v1/accounts/${id}/check`);
  expect(provider.tokenRequests.at(-1)).toMatchObject({ grant: 'refresh_token', status: 200 });
  expect(await runtime.restData<App>('GET', '/v1/apps/acme')).toMatchObject({
    from: 'companion',
    file: join(folder, 'acme', 'acme.auth.json'),
  });
});
