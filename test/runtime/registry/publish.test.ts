/** What leaves this machine, and what does not: `weir publish --to` a real npm registry. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { componentPackage } from '../../../src/protocol/schemas/component-package.ts';
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts';
import { type CliRun, runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { filesInTarball } from '../../support/npm-tarball.ts';
import { startRuntime } from '../../support/runtime.ts';
import { runNpm, startNpmRegistry, type TestRegistry } from '../../support/npm-registry.ts';

// Each npm is a program that starts, and most tests have several.
vi.setConfig({ testTimeout: 180_000 });
const atEnd = atEndOfSuite();
let registry: TestRegistry;
let author: Record<string, string>;
let stranger: Record<string, string>;
let token: string;

beforeAll(async () => {
  registry = await startNpmRegistry({ atEnd });
  token = await registry.addUser('ann');
  author = registry.environment(registry.npmrc(token));
  stranger = registry.environment(registry.npmrc());
});

const source = (more = '') => `import { hello } from '../../common/hello.mjs';
import acme from '../../acme.app.mjs';
export default {
  name: 'New Order', key: 'acme-new-order', version: '0.2.0', type: 'source',
  description: 'Emits each order',
  props: { acme, http: '$.interface.http' },
  run() { this.$emit(hello); fetch(\`https://api.acme.test/orders\`); ${more} },
};`;

const files = (name: string): Record<string, string> => ({
  'package.json': JSON.stringify({
    name,
    version: '1.0.0',
    license: 'MIT',
    keywords: ['orders'],
    scripts: { postinstall: 'exit 1' },
    devDependencies: { left: '1' },
  }),
  'README.md': '# Orders',
  LICENSE: 'MIT',
  'acme.app.mjs': `export default { type: 'app', app: 'acme' };`,
  'common/hello.mjs': `export const hello = 'hello';`,
  'sources/new-order/new-order.mjs': source(),
  'actions/greet/greet.mjs': `export default {
    name: 'Greet', key: 'acme-greet', version: '0.0.1', type: 'action', run() { return 'hi'; } };`,
  'test/greet.test.mjs': `throw new Error('not evaluated');`,
  'notes.txt': 'mine',
});

async function write(folder: string, all: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function packageFolder(name: string, more: Record<string, string> = {}): Promise<string> {
  const folder = temporaryFolder();
  await write(folder, { ...files(name), ...more });
  return folder;
}

function weir(folder: string, args: readonly string[], env = author): Promise<CliRun> {
  const configFolder = temporaryFolder();
  return runCli([...args], { configFolder, cwd: folder, env });
}

const publish = (folder: string, env = author, ...more: string[]): Promise<CliRun> =>
  weir(folder, ['publish', '.', '--to', registry.url, ...more], env);

/** Paths of what the registry has, as somebody without a login reads them. @param spec `name@version` */
async function publishedFiles(spec: string): Promise<string[]> {
  const { dist } = (await manifestOf(spec)) as { dist: { tarball: string } };
  const tarball = Buffer.from(await (await fetch(dist.tarball)).arrayBuffer());
  return (await filesInTarball(tarball)).toSorted();
}

/** What the registry says of a version to somebody without a login. @param spec `name@version` */
async function manifestOf(spec: string): Promise<Record<string, unknown>> {
  const [, name = '', version = ''] = /^(@?[^@]+)@(.+)$/.exec(spec) ?? [];
  const response = await fetch(new URL(`${name.replace('/', '%2f')}/${version}`, registry.url));
  return response.ok
    ? ((await response.json()) as Record<string, unknown>)
    : { status: response.status };
}

test('a folder is published with a map of its components, made of what they evaluate to', async () => {
  const folder = await packageFolder('@acme/orders');
  const run = await publish(folder, author, '--json');
  expect(run).toMatchObject({ code: 0 });
  expect(run.json()).toMatchObject({
    package: '@acme/orders',
    version: '1.0.0',
    registry: registry.url,
    status: 'published',
    integrity: expect.stringMatching(/^sha512-/),
  });

  const manifest = await manifestOf('@acme/orders@1.0.0');
  expect(manifest).toMatchObject({
    license: 'MIT',
    keywords: ['orders', 'weir-component', 'weir-app-acme'],
  });
  // npm adds a script of its own to no package: those of the author are gone.
  expect(manifest['scripts'] ?? {}).toEqual({});
  const map = componentPackage.parse(manifest['weir']);
  expect(map).toEqual({
    schema: 1,
    components: {
      'acme-greet': {
        file: 'actions/greet/greet.mjs',
        type: 'action',
        version: '0.0.1',
        name: 'Greet',
        apps: [],
        hosts: [],
      },
      'acme-new-order': {
        file: 'sources/new-order/new-order.mjs',
        type: 'source',
        version: '0.2.0',
        name: 'New Order',
        description: 'Emits each order',
        apps: ['acme'],
        hosts: ['api.acme.test'],
      },
    },
  });
  // A runtime that was started for it has ended with it.
  expect(existsSync(join(folder, '.weir/runtime.json'))).toBe(false);
});

test('clause 4: the same code again is "unchanged", other code under the same version an error with both hashes', async () => {
  const folder = await packageFolder('@acme/again');
  const first = (await publish(folder, author, '--json')).json() as { integrity: string };
  const again = await publish(folder, author, '--json');
  expect(again).toMatchObject({ code: 0 });
  expect(again.json()).toMatchObject({ status: 'unchanged', integrity: first.integrity });

  await write(folder, { 'sources/new-order/new-order.mjs': source('return 1;') });
  const other = await publish(folder);
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining(first.integrity) });
  expect(other.stderr.match(/sha512-/g)).toHaveLength(2);
  expect(other.stderr).toContain('sources/new-order/new-order.mjs');
  expect(other.stderr).toContain('Raise "version"');
  expect((await manifestOf('@acme/again@1.0.0'))['dist']).toMatchObject({
    integrity: first.integrity,
  });
});

test('clause 3: a 401 becomes a sentence with the registry and "npm login"', async () => {
  const folder = await packageFolder('@private/orders');
  for (const env of [stranger, registry.environment(registry.npmrc('wrong-token'))]) {
    const run = await publish(folder, env);
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`npm login --registry=${registry.url} --scope=@private`),
    });
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
  }
  expect(await publish(folder)).toMatchObject({ code: 0 });
});

test('clause 21: what is secret stays here, and --dry-run prints what is published', async () => {
  const folder = await packageFolder('@acme/careful', {
    '.env': 'TOKEN=canary-of-env',
    '.npmrc': `registry=${registry.url}`,
    '.weir/canary': 'canary-of-data',
    'node_modules/left/index.js': 'x',
    'sources/.env.local': 'TOKEN=canary-of-env',
  });
  await writeFile(join(folder, '..', 'canary-outside.txt'), 'x');
  await symlink('/etc/hostname', join(folder, 'README.txt'));
  const dry = await publish(folder, author, '--dry-run', '--json');
  expect(dry).toMatchObject({ code: 0 });
  const { files: listed } = dry.json() as { files: { path: string; size: number }[] };
  const paths = listed.map(({ path }) => path).toSorted();
  expect(paths).toEqual([
    'LICENSE',
    'README.md',
    'acme.app.mjs',
    'actions/greet/greet.mjs',
    'common/hello.mjs',
    'package.json',
    'sources/new-order/new-order.mjs',
  ]);
  expect(existsSync(join(registry.storage, '@acme/careful'))).toBe(false);
  expect((await publish(folder, author, '--dry-run')).stdout).toContain('Nothing was published.');

  expect(await publish(folder)).toMatchObject({ code: 0 });
  expect(await publishedFiles('@acme/careful@1.0.0')).toEqual(paths);
});

test('clause 21: tokens in files, and files outside of the package, are refused', async () => {
  const secret = `ghp_${'a1B2'.repeat(10)}`;
  const folder = await packageFolder('@acme/leak', {
    'common/hello.mjs': `\nexport const hello = '${secret}';`,
    'actions/greet/greet.mjs': `import '../../../outside.mjs'; export default {
      name: 'Greet', key: 'acme-greet', version: '0.0.1', type: 'action', run() {} };`,
  });
  const run = await publish(folder);
  expect(run).toMatchObject({ code: 1 });
  expect(run.stderr).toContain('common/hello.mjs:2 has a GitHub token in it');
  expect(run.stderr).toContain('outside.mjs');
  expect(run.stdout + run.stderr).not.toContain(secret);
  expect(existsSync(join(registry.storage, '@acme/leak'))).toBe(false);
});

test('clause 22: tokens of the .npmrc are in no output, in nothing that Weir keeps, and in no package', async () => {
  const folder = await packageFolder('@acme/quiet');
  const runs = [await publish(folder), await publish(folder, author, '--dry-run', '--json')];
  await registry.kill();
  runs.push(await publish(folder));
  await registry.start();
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 1]);
  expect(runs[2]?.stderr).toContain(`${registry.url} cannot be reached`);
  for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(token);
  const { stdout: found } = await runNpm(folder, ['exec', '--', 'grep', '-rl', token, '.'], author);
  expect(found).toBe('');
});

test('all that a package lacks is said at once, by file', async () => {
  const folder = await packageFolder('orders', {
    'package.json': JSON.stringify({ name: 'Orders!', private: true }),
    'actions/greet/greet.mjs': `import axios from 'axios'; export default {
      name: 'Greet', key: 'Greet', version: '1', type: 'action', run() { return axios; } };`,
    'node_modules/axios/package.json': '{"name":"axios","version":"1.0.0","main":"i.js"}',
    'node_modules/axios/i.js': 'module.exports = 1;',
  });
  await write(folder, { 'README.md': '' });
  const run = await publish(folder);
  expect(run).toMatchObject({ code: 1 });
  for (const said of [
    '"name"',
    '"version"',
    '"private": true',
    'actions/greet/greet.mjs: its key "Greet"',
    'its version "1"',
    'imports axios',
  ]) {
    expect(run.stderr).toContain(said);
  }
});

const definition = (more: object = {}): string =>
  JSON.stringify({
    app: 'acme',
    name: 'Acme',
    methods: [
      {
        type: 'oauth2',
        authorization_url: 'https://acme.test/authorize',
        token_url: 'https://acme.test/token',
      },
    ],
    ...more,
  });

test('a definition beside the file of an app goes out with it, named in the map, and counts where it is taken', async () => {
  const folder = await packageFolder('@acme/defined', {
    'acme.auth.json': definition(),
    'other.auth.json': 'beside no file of an app',
  });
  expect(await publish(folder)).toMatchObject({ code: 0 });
  const files = await publishedFiles('@acme/defined@1.0.0');
  expect(files).toContain('acme.auth.json');
  expect(files).not.toContain('other.auth.json');
  const { weir: map } = await manifestOf('@acme/defined@1.0.0');
  expect(componentPackage.parse(map).apps).toEqual({ acme: 'acme.auth.json' });

  const runtime = await startRuntime({ folder: temporaryFolder(), env: stranger });
  await runtime.weirJson('registry', 'add', `npm:${registry.url}`);
  await runtime.weirJson('add', 'npm:@acme/defined#acme-new-order', '--yes');
  expect(await runtime.weirJson('apps', 'acme')).toMatchObject({
    from: 'package',
    package: 'npm:@acme/defined@1.0.0',
  });
});

test('clause 30: what a definition may not say, and one that is not where it counts, is told before anything goes out', async () => {
  const folder = await packageFolder('@acme/undefined', {
    'package.json': JSON.stringify({
      name: '@acme/undefined',
      version: '1.0.0',
      license: 'MIT',
      weir: { apps: { shop: 'definitions/shop.json' } },
    }),
    'definitions/shop.json': definition({ app: 'shop' }),
    'acme.auth.json': definition({ methods: [{ type: 'command', run: ['gh'] }] }),
    'common/hello.mjs': `import '../my-app.app.mjs'; import './acme.app.mjs'; export const hello = 'hello';`,
    'common/acme.app.mjs': `export default { type: 'app', app: 'acme' };`,
    'common/acme.auth.json': definition(),
    'my-app.app.mjs': `export default { type: 'app', app: 'my-app' };`,
    'my-app.auth.json': definition({ app: 'my-app' }),
  });
  const refused = await publish(folder);
  expect(refused.code).toBe(1);
  for (const said of [
    'acme.auth.json: methods.0 has the type "command"',
    '"weir.apps" of package.json names definitions/shop.json as the definition of shop, which has to be shop.auth.json beside shop.app.mjs',
    'my-app.auth.json: a slug of an app has "_" instead of "-": name the app my_app',
  ]) {
    expect(refused.stderr).toContain(said);
  }
  await write(folder, { 'acme.auth.json': definition({ name: 'Other' }) });
  expect((await publish(folder)).stderr).toContain(
    'acme.auth.json and common/acme.auth.json define acme in different ways',
  );
  expect(existsSync(join(registry.storage, '@acme/undefined'))).toBe(false);
});

test('clause 26: a version that is deprecated or unpublished is so for whoever looks', async () => {
  const folder = await packageFolder('@acme/old');
  await publish(folder);
  const remove = (...more: string[]): Promise<CliRun> =>
    weir(folder, ['unpublish', 'package', '@acme/old@1.0.0', '--from', registry.url, ...more]);
  const deprecated = await remove('--deprecate', 'Use @acme/new');
  expect(deprecated).toMatchObject({ code: 0 });
  expect(await manifestOf('@acme/old@1.0.0')).toMatchObject({ deprecated: 'Use @acme/new' });

  const last = await remove();
  expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('--last') });
  const removed = await remove('--last');
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining(registry.url) });
  expect(await manifestOf('@acme/old@1.0.0')).toEqual({ status: 404 });
  const again = await remove();
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has no @acme/old') });
});

test('in CI npm signs where a package comes from, when it is public and the job may', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const ci = {
    ...author,
    GITHUB_ACTIONS: 'true',
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/identity?v=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
  };
  const folder = await packageFolder('signed-orders');
  const refused = await publish(folder, ci);
  expect(refused.code).toBe(1);
  expect(asked.some((url) => url.includes('audience=sigstore'))).toBe(true);
  expect(existsSync(join(registry.storage, 'signed-orders'))).toBe(false);

  asked.length = 0;
  expect(await publish(folder, ci, '--no-provenance')).toMatchObject({ code: 0 });
  const unsigned = { ...ci, ACTIONS_ID_TOKEN_REQUEST_URL: '' };
  const other = await packageFolder('unsigned-orders');
  expect(await publish(other, unsigned)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('id-token: write'),
  });
  // npm asks for one to log in with, too.
  expect(asked.filter((url) => url.includes('audience=sigstore'))).toEqual([]);
});

test('a package that was published needs nothing but its package.json to be understood', async () => {
  const folder = await packageFolder('@acme/plain');
  await publish(folder);
  const here = temporaryFolder();
  await write(here, { 'package.json': '{"private":true}' });
  expect(await runNpm(here, ['install', '@acme/plain'], stranger)).toMatchObject({ code: 0 });
  const installed = join(here, 'node_modules/@acme/plain');
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    weir: { components: Record<string, { file: string }> };
    dependencies?: unknown;
  };
  expect(manifest.dependencies).toBeUndefined();
  for (const { file } of Object.values(manifest.weir.components)) {
    expect(existsSync(join(installed, file))).toBe(true);
  }
});
