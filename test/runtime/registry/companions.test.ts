/** Definitions of apps that components of registries bring (P27.14), with a real provider. The clauses are those of docs/accounts.md. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { App, Result, Source, TrustQuestion } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository } from '../../support/git.ts';
import {
  acme,
  browse,
  clientId,
  clientSecret,
  startProvider,
  type TestProvider,
} from '../../support/oauth-provider.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { emitted, lockOf, npmWorld } from './npm-world.ts';

// Each npm is a program that starts, and most tests have several.
vi.setConfig({ testTimeout: 240_000 });
const world = npmWorld();

interface Parts {
  readonly name: string;
  readonly version?: string;
  readonly key?: string;
  /** Of the component. */
  readonly componentVersion?: string;
  readonly app?: string;
  readonly definition: object | string;
}

/** As `weir publish` writes a package of one source. */
function packageOf(parts: Parts): Record<string, string> {
  const { name, version = '1.0.0', componentVersion = '0.1.0', app = 'acme' } = parts;
  const { key = `${app}-new-order`, definition } = parts;
  const file = 'sources/new-order/new-order.mjs';
  const component = { file, type: 'source', version: componentVersion, name: 'New order' };
  return {
    'package.json': JSON.stringify({
      name,
      version,
      description: `weir components of ${app}`,
      license: 'MIT',
      keywords: ['weir-component', `weir-app-${app}`],
      weir: {
        schema: 1,
        components: { [key]: { ...component, apps: [app] } },
        apps: { [app]: `${app}.auth.json` },
      },
    }),
    'README.md': `# ${name}`,
    ...sourceOf(app, key, componentVersion, definition),
  };
}

function sourceOf(
  app: string,
  key: string,
  version: string,
  definition: object | string,
): Record<string, string> {
  return {
    [`${app}.app.mjs`]: `export default { type: 'app', app: '${app}', methods: { token() { return this.$auth.oauth_access_token; } } };`,
    [`${app}.auth.json`]: typeof definition === 'string' ? definition : JSON.stringify(definition),
    'sources/new-order/new-order.mjs': `import app from '../../${app}.app.mjs';
export default { key: '${key}', name: 'New order', version: '${version}', type: 'source',
  props: { app }, run() { this.$emit(this.app.token()); } };`,
  };
}

/** The question that stands in the way, after a no. */
async function questionOf(runtime: TestRuntime, reference: string): Promise<TrustQuestion> {
  const { body } = await runtime.rest('POST', '/v1/components/registry', { reference });
  const { code, details } = body as { code: string; details: TrustQuestion[] };
  expect(code).toBe('trust_needed');
  const [question] = details;
  if (question === undefined) throw new Error('Nothing is asked.');
  return question;
}

async function connect(runtime: TestRuntime): Promise<string> {
  await runtime.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const started = await runtime.restData<{ session: string; authorization_url: string }>(
    'POST',
    '/v1/accounts/connect',
    { app: 'acme' },
  );
  await fetch(await browse(started.authorization_url));
  const ended = await runtime.restData<{ account: string | null; error: string | null }>(
    'GET',
    `/v1/accounts/connect/${started.session}?wait=1`,
  );
  if (ended.account === null) throw new Error(ended.error ?? 'It was not connected.');
  return ended.account;
}

const hostOf = ({ url }: TestProvider): string => new URL(url).host;
const defined = (runtime: TestRuntime, app = 'acme'): Promise<App> =>
  runtime.restData<App>('GET', `/v1/apps/${app}`);
const past = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a package brings the definition of its app: asked about with its hosts, connected by, fresh after a restart, and asked about again when it is another', async () => {
  const provider = await startProvider();
  const name = '@acme/orders';
  await world.publishFiles(packageOf({ name, definition: acme(provider) }));
  const { runtime, folder } = await world.colleague();
  expect((await runtime.rest('GET', '/v1/apps/acme')).status).toBe(404);
  const asked = await questionOf(runtime, `npm:${name}`);
  expect(asked.defines).toEqual([
    { app: 'acme', file: 'acme.auth.json', hosts: [hostOf(provider)], defined_by: null },
  ]);
  const declined = await runtime.weir('add', 'acme-new-order');
  expect(declined.stderr).toContain(`acme (sign-in and tokens go to ${hostOf(provider)})`);
  expect((await runtime.rest('GET', '/v1/apps/acme')).status).toBe(404);

  await runtime.weirJson('add', 'acme-new-order', '--yes');
  expect(await defined(runtime)).toMatchObject({
    from: 'package',
    package: `npm:${name}@1.0.0`,
    file: expect.stringMatching(/package.acme\.auth\.json$/),
  });
  const shown = await runtime.weir('apps', 'acme');
  expect(shown.stdout).toMatch(/defined: +package, npm:@acme\/orders@1\.0\.0/);
  expect((await runtime.weir('apps', '--search', 'acme')).stdout).toMatch(/acme .*package/);

  provider.lifetime = 2;
  const id = await connect(runtime);
  const source = await runtime.weirJson<Source>('deploy', 'acme-new-order');
  expect((await runtime.weir('apps', '--used')).stdout).toMatch(/acme .*package/);
  await runtime.stop();
  // Nobody asks for the app from here on.
  const again = await startRuntime({
    folder,
    cwd: folder,
    env: { ...world.registry.environment(world.registry.npmrc()) },
    args: ['--set', 'registry.minimumAgeDays=0'],
  });
  await past(1100);
  provider.lifetime = 3600;
  expect(await emitted(again, source)).toEqual([expect.stringMatching(/\S{20,}/)]);
  expect(provider.tokenRequests.at(-1)).toMatchObject({ grant: 'refresh_token', status: 200 });

  const evil = await startProvider();
  const moved = acme(provider, {}, { token_url: `${evil.url}/token` });
  const two = { name, version: '1.1.0', componentVersion: '0.2.0', definition: moved };
  await world.publishFiles(packageOf(two));
  const compared = await again.restData<Result<'components.compare'>>(
    'GET',
    '/v1/components/compare?component=acme-new-order',
  );
  const hosts = [hostOf(provider), hostOf(evil)].sort().join(', ');
  expect(compared.changes).toContainEqual({
    of: 'definitions',
    message: `Another definition of the app acme: sign-in and tokens go to ${hostOf(provider)} → sign-in and tokens go to ${hosts}.`,
  });
  expect(compared.trust?.reasons).toContainEqual(
    `It defines how accounts of acme connect in another way than before: sign-in and tokens go to ${hosts}.`,
  );
  const lock = await lockOf(folder);
  const refused = await again.weir('update', 'acme-new-order', '--to');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(hostOf(evil)) });
  expect(await lockOf(folder)).toBe(lock);
  // Taken without an update of anything: its client can be entered again before what runs goes over.
  await again.weirJson('add', 'acme-new-order@0.2.0', '--yes');
  expect(await defined(again)).toMatchObject({ package: `npm:${name}@1.1.0` });
  await again.weirJson('update', 'acme-new-order@0.1.0', '--to', '--yes');
  expect(await defined(again)).toMatchObject({ package: `npm:${name}@1.1.0` });
  const account = { app: 'acme', account: id, grant: 'client_credentials' };
  expect((await again.rest('POST', '/v1/accounts/connect', account)).body).toMatchObject({
    code: 'conflict',
    error: expect.stringContaining('sends tokens to other addresses'),
  });
  expect(evil.tokenRequests).toEqual([]);
  expect(await emitted(again, source)).toEqual([expect.stringMatching(/\S{20,}/)]);
});

test('clause 28: a package that would replace github is told that it does not; one of the workspace counts before that of a package', async () => {
  const provider = await startProvider();
  const github = { ...acme(provider), app: 'github', name: 'Evil' };
  await world.publishFiles(packageOf({ name: '@evil/github', app: 'github', definition: github }));
  const { runtime, folder } = await world.colleague();
  const asked = await questionOf(runtime, 'npm:@evil/github');
  expect(asked.defines).toMatchObject([{ app: 'github', defined_by: 'built in' }]);
  const added = await runtime.weir('add', 'npm:@evil/github', '--yes');
  expect(added).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('github (without effect: what is built in counts)'),
  });
  expect(await defined(runtime, 'github')).toMatchObject({
    from: 'built in',
    name: 'GitHub',
    file: null,
  });

  await mkdir(join(folder, 'mine'));
  await writeFile(join(folder, 'mine', 'acme.app.mjs'), 'export default {};');
  await writeFile(
    join(folder, 'mine', 'acme.auth.json'),
    JSON.stringify(acme(provider, { name: 'Mine' })),
  );
  const theirs = acme(provider, { name: 'Theirs' });
  await world.publishFiles(packageOf({ name: '@their/orders', definition: theirs }));
  expect((await questionOf(runtime, 'npm:@their/orders')).defines).toMatchObject([
    { app: 'acme', defined_by: 'companion' },
  ]);
  await runtime.weirJson('add', 'npm:@their/orders', '--yes');
  expect(await defined(runtime)).toMatchObject({ from: 'companion', name: 'Mine' });
  await rm(join(folder, 'mine'), { recursive: true });
  expect(await defined(runtime)).toMatchObject({ from: 'package', name: 'Theirs' });

  const others = acme(provider, { name: 'Others' });
  await world.publishFiles(
    packageOf({ name: '@other/orders', key: 'acme-other-order', definition: others }),
  );
  await runtime.weirJson('add', 'npm:@other/orders', '--yes');
  const both = await runtime.weir('apps', 'acme');
  expect(both.code).toBe(1);
  expect(both.stderr).toMatch(
    /\(npm:@their\/orders@1\.0\.0\) and .*\(npm:@other\/orders@1\.0\.0\) define acme in different ways.*weir\/apps\/acme\.json/,
  );
});

test.each<[string, object, string]>([
  ['command', { methods: [{ type: 'command', run: ['gh', 'auth', 'token'] }] }, 'runs no program'],
  [
    'clear',
    {
      methods: [{ type: 'oauth2', grants: ['client_credentials'], token_url: 'http://acme.test/' }],
    },
    'must be an https address',
  ],
  ['name', { app: 'other' }, 'rename the file to other.auth.json'],
])('clause 30: a package with another definition is not taken (%s)', async (what, more, said) => {
  const name = `@wrong/${what}`;
  const plain = { methods: [{ type: 'keys', fields: [{ name: 'key' }] }] };
  const definition = { app: 'acme', name: 'Acme', ...plain, ...more };
  await world.publishFiles(packageOf({ name, definition }));
  const { runtime } = await world.colleague();
  const refused = await runtime.weir('add', `npm:${name}`, '--yes');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
  expect(refused.stderr).toContain('acme.auth.json');
  expect((await runtime.rest('GET', '/v1/apps/acme')).status).toBe(404);
});

test('repositories and folders bring it as well, and an own copy of a component keeps it', async () => {
  const provider = await startProvider();
  const files = (key: string) =>
    Object.fromEntries(
      Object.entries(sourceOf('acme', key, '0.1.0', acme(provider))).map(
        ([path, text]) => [`acme/${path}`, text] as const,
      ),
    );
  const repository = await gitRepository(temporaryFolder(), 'components');
  await repository.commit(files('acme-new-order'));
  const fromGit = await startRuntime({ folder: temporaryFolder() });
  await fromGit.weirJson('registry', 'add', repository.url);
  expect((await questionOf(fromGit, 'acme-new-order')).defines).toMatchObject([
    { app: 'acme', file: 'acme/acme.auth.json' },
  ]);
  await fromGit.weirJson('add', 'acme-new-order', '--yes');
  expect(await defined(fromGit)).toMatchObject({
    from: 'package',
    package: expect.stringContaining(repository.url),
  });
  await connect(fromGit);
  const source = await fromGit.weirJson<Source>('deploy', 'acme-new-order');
  expect(await emitted(fromGit, source)).toEqual([expect.stringMatching(/\S{20,}/)]);

  const place = temporaryFolder();
  for (const [path, text] of Object.entries(files('acme-new-order'))) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
  const fromFolder = await startRuntime({ folder: temporaryFolder() });
  await fromFolder.weirJson('registry', 'add', place);
  await fromFolder.weirJson('add', 'acme-new-order', '--yes');
  expect(await defined(fromFolder)).toMatchObject({ from: 'package', package: place });
  const ejected = await fromFolder.weirJson<Result<'components.eject'>>('eject', 'acme-new-order');
  expect(ejected.files).toContain('acme.auth.json');
  expect(existsSync(join(ejected.folder, 'acme.auth.json'))).toBe(true);
  expect(await defined(fromFolder)).toMatchObject({
    from: 'companion',
    file: expect.stringContaining(ejected.folder),
  });
});
