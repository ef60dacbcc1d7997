/** Accounts connected from a terminal whose browser is elsewhere, or without one. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { App } from '../../src/protocol/catalogue.ts';
import { type CliRun, gather, runCli, spawnCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { acme, browse, clientId, clientSecret, startProvider } from '../support/oauth-provider.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const overSsh = { SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' };

interface World {
  readonly folder: string;
  readonly runtime: TestRuntime;
  readonly weir: (args: readonly string[], stdin?: string) => Promise<CliRun>;
}

async function world(grants: readonly string[]): Promise<World> {
  const provider = await startProvider();
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'weir', 'apps'), { recursive: true });
  const definition = acme(provider, {}, { grants });
  const token = { name: 'oauth_access_token', label: 'Personal token', secret: true };
  const methods = [...definition.methods, { type: 'keys', fields: [token] }];
  writeFileSync(
    join(folder, 'weir', 'apps', 'acme.json'),
    JSON.stringify({ ...definition, methods }),
  );
  const runtime = await startRuntime({ folder });
  await runtime.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const options = { configFolder: join(folder, 'config') };
  const weir = (args: readonly string[], stdin = ''): Promise<CliRun> =>
    runCli([...args, '--data', join(folder, 'data')], { ...options, stdin });
  return { folder, runtime, weir };
}

const connecting = ({ folder }: World) =>
  spawnCli(['accounts', 'connect', 'acme', '--json', '--data', join(folder, 'data')], {
    configFolder: join(folder, 'config'),
    env: overSsh,
  });

test('over SSH the address that the browser ends at is asked for', async () => {
  const here = await world(['code']);
  const child = connecting(here);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const url = await until('the address', () => /http:\S+\/auth\?\S+/.exec(stderr())?.[0]);
  expect(stderr()).toContain('paste the address that it ends at');
  child.stdin?.end(`${await browse(url)}\n`);
  await once(child, 'exit');
  expect(JSON.parse(stdout())).toMatchObject({ name: 'ann@acme.test', healthy: true });
});

test('over SSH an app that has codes for devices gets one, and Ctrl-C gives up in one word', async () => {
  const child = connecting(await world(['code', 'device']));
  const stderr = gather(child.stderr);
  await until('the code', () => /enter the code \S{4,}/.exec(stderr())?.[0]);
  expect(stderr()).toContain('You are connected over SSH: enter a code in your browser');
  await until('the wait', () => /Ctrl-C gives up/.test(stderr()));
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(1);
  expect(stderr()).toContain('{"error":"Cancelled.","code":"cancelled"}');
});

test('flags that do not go together, and a field that the app does not have, are refused', async () => {
  const { weir } = await world(['code', 'device']);
  const connect = ['accounts', 'connect', 'acme'];
  expect(await weir([...connect, '--paste', '--device'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give --paste and --redirect-uri without --device') as string,
  });
  const own = ['--redirect-uri', 'https://acme.test/back'];
  expect(await weir([...connect, ...own, '--client-credentials'])).toMatchObject({ code: 2 });
  expect(await weir([...connect, ...own, '--token'])).toMatchObject({ code: 2 });
  expect(await weir([...connect, '--token', '--device'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give --token alone') as string,
  });
  const unknown = await weir([...connect, '--field', 'subdomain=x']);
  expect(unknown.stderr).toContain('There is no field subdomain; this app has none.');
});

test('a personal token comes from stdin, is used, replaced, and never printed', async () => {
  const here = await world(['code']);
  const { weir, runtime, folder } = here;
  const [first, second] = ['acme-marker-one', 'acme-marker-two'];
  const added = await weir(
    ['accounts', 'connect', 'acme', '--token', '--name', 'Mine'],
    `${first}\n`,
  );
  expect(added.code).toBe(0);
  expect(added.stdout).toMatch(/^name: +Mine$/m);
  const id = /^id: +(\S+)$/m.exec(added.stdout)?.[1] ?? '';
  const path = await sourceFile(
    folder,
    'length.mjs',
    `export default { key: 'acme-length', name: 'Length', version: '0.0.1', type: 'action',
      props: { acme: { type: 'app', app: 'acme' } },
      run() { return this.acme.$auth.oauth_access_token.slice(-3); } };`,
  );
  const ends = async (): Promise<unknown> =>
    (
      await runtime.restData<{ return_value: unknown }>('POST', '/v1/actions/run', {
        component_path: path,
      })
    ).return_value;
  expect(await ends()).toBe('one');
  const replaced = await weir(['accounts', 'reconnect', id, '--token'], `${second}\n`);
  expect(replaced.code).toBe(0);
  expect(await ends()).toBe('two');
  expect(await weir(['accounts', 'connect', 'acme', '--token'])).toMatchObject({
    code: 2,
    stderr: 'weir: Personal token is empty.\n',
  });
  const said = [added, replaced].map(({ stdout, stderr }) => stdout + stderr).join('');
  expect(said).not.toContain('acme-marker');
});

test('apps whose keys are known ask for them by the names that components read', async () => {
  const { runtime } = await world(['code']);
  const names = async (slug: string): Promise<readonly string[]> => {
    const { key_forms: forms } = await runtime.restData<App>('GET', `/v1/apps/${slug}`);
    return forms.flatMap(({ fields }) => fields.map(({ name }) => name));
  };
  expect(await names('stripe')).toEqual(['api_key']);
  expect(await names('telegram_bot_api')).toEqual(['token']);
  expect(await names('aws')).toEqual(['accessKeyId', 'secretAccessKey']);
});
