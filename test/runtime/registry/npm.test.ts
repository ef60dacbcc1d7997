/** Components of a real npm registry: found, asked about, locked, deployed. The numbers are those of the clauses. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { OfferedComponent, Result, Source } from '../../../src/protocol/catalogue.ts';
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runNpm, startNpmRegistry, type TestRegistry } from '../../support/npm-registry.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

const atEnd = atEndOfSuite();
let registry: TestRegistry;
let author: Record<string, string>;
let canaries: string;

beforeAll(async () => {
  registry = await startNpmRegistry({ atEnd });
  author = registry.environment(registry.npmrc(await registry.addUser('ann')));
  canaries = temporaryFolder(atEnd);
}, 120_000);

interface Published {
  readonly name: string;
  readonly version: string;
  readonly key: string;
  readonly componentVersion?: string;
  readonly says?: string;
  readonly dependencies?: Record<string, string>;
  readonly scripts?: Record<string, string>;
  /** Put over the component of the map. */
  readonly claim?: Record<string, unknown>;
  readonly manifest?: Record<string, unknown>;
  readonly host?: string;
  /** Instead of `latest`. */
  readonly tag?: string;
}

const canaryOf = (key: string): string => join(canaries, key);

/** As `weir publish` writes it, and with whatever a stranger may write instead. */
async function publish(one: Published): Promise<void> {
  const { name, version, key, componentVersion = '0.1.0', says = 'hello', host = 'api' } = one;
  const [app = '', rest = ''] = key.split(/-(.*)/s);
  const file = `sources/${rest}/${rest}.mjs`;
  const imports = Object.keys(one.dependencies ?? {}).map((of) => `import '${of}';\n`);
  const code = `${imports.join('')}import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(canaryOf(key))}, 'ran');
export default { key: '${key}', name: 'New thing', version: '${componentVersion}', type: 'source',
  run() { this.$emit('${says}'); return 'https://${host}.acme.test/'; } };`;
  const component = { file, type: 'source', version: componentVersion, name: 'New thing' };
  const files = {
    'package.json': JSON.stringify({
      name,
      version,
      description: `weir components of ${app}`,
      license: 'MIT',
      keywords: ['weir-component', `weir-app-${app}`],
      weir: { schema: 1, components: { [key]: { ...component, ...one.claim } } },
      ...(one.dependencies && { dependencies: one.dependencies }),
      ...(one.scripts && { scripts: one.scripts }),
      ...one.manifest,
    }),
    'README.md': `# ${name}`,
    [file]: code,
  };
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const run = await runNpm(
    folder,
    ['publish', '--ignore-scripts', '--tag', one.tag ?? 'latest'],
    author,
  );
  if (run.code !== 0) throw new Error(run.stderr);
}

async function unpublish(spec: string): Promise<void> {
  const run = await runNpm(temporaryFolder(), ['unpublish', spec, '--force'], author);
  if (run.code !== 0) throw new Error(run.stderr);
}

interface Colleague {
  readonly runtime: TestRuntime;
  readonly folder: string;
}

/** Somebody else's machine: a user, a workspace and an npm cache of their own. */
async function colleague(more: readonly string[] = [], lock?: string): Promise<Colleague> {
  const folder = temporaryFolder();
  if (lock !== undefined) await writeFile(join(folder, 'weir.lock.json'), lock);
  const env = registry.environment(registry.npmrc());
  const args = ['--set', 'registry.minimumAgeDays=0', ...more];
  const runtime = await startRuntime({ folder, env, args, atEnd: atEndOfTest });
  await runtime.weirJson('registry', 'add', `npm:${registry.url}`, '--name', 'acme');
  return { runtime, folder };
}

async function emitted(runtime: TestRuntime, { id }: Source): Promise<unknown[]> {
  await runtime.restData('POST', `/v1/sources/${id}/invocations`);
  return until('an event', async () => {
    const { body } = await runtime.rest('GET', `/v1/sources/${id}/event_summaries?expand=event`);
    const { data } = body as { data: { event: unknown }[] };
    return data.length > 0 && data.map(({ event }) => event);
  });
}

const lockOf = (folder: string): Promise<string> =>
  readFile(join(folder, 'weir.lock.json'), 'utf8');

test('a package is found, its component deployed by key after a yes, and nothing of it runs before (1, 2, 12, 13)', async () => {
  await publish({
    name: 'orders-dependency',
    version: '1.0.0',
    key: 'dep-a-thing',
    scripts: { preinstall: `touch ${canaryOf('dep-script')}` },
    manifest: { main: 'index.js', keywords: [] },
  });
  await publish({
    name: '@acme/orders',
    version: '1.4.0',
    key: 'shop-new-order',
    scripts: { preinstall: `touch ${canaryOf('script')}` },
  });
  const { runtime, folder } = await colleague();
  const found = await until(
    'the component among what is found',
    async () => {
      const answer = await runtime.weir('search', 'shop', '--json');
      const rows = answer.json() as { sources: string[]; components: OfferedComponent[] };
      return rows.sources.length > 0 && rows;
    },
    // On a busy machine npm needs longer than a registry has for a search.
    100_000,
  );
  expect(found).toMatchObject({ sources: ['shop-new-order'], problems: [] });
  expect(found.components).toMatchObject([
    { reference: 'npm:@acme/orders@1.4.0#shop-new-order', license: 'MIT', registry: 'acme' },
  ]);
  const info = await runtime.weirJson<Result<'components.registry'>>('info', 'shop-new-order');
  expect(info.trust).toMatchObject({ install_scripts: ['preinstall'], hosts: ['api.acme.test'] });
  const refused = await runtime.weir('deploy', 'shop-new-order');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('@acme/orders 1.4.0') });
  expect(existsSync(canaryOf('shop-new-order'))).toBe(false);
  const source = await runtime.weirJson<Source>('deploy', 'shop-new-order', '--yes');
  expect(await emitted(runtime, source)).toEqual(['hello']);
  expect(existsSync(canaryOf('script'))).toBe(false);
  expect(JSON.parse(await lockOf(folder))).toMatchObject({
    components: [{ key: 'shop-new-order', package: '@acme/orders', packageVersion: '1.4.0' }],
  });
}, 180_000);

test('the lock wins over a newer version; other bytes under the locked version are refused, and nothing runs (5, 7)', async () => {
  await publish({ name: 'locked-things', version: '1.0.0', key: 'lock-a-thing', says: 'first' });
  const one = await colleague();
  await one.runtime.weirJson('add', 'lock-a-thing', '--yes');
  const lock = await lockOf(one.folder);
  await publish({
    name: 'locked-things',
    version: '1.1.0',
    key: 'lock-a-thing',
    says: 'second',
    componentVersion: '0.2.0',
  });
  const two = await colleague([], lock);
  const source = await two.runtime.weirJson<Source>('deploy', 'lock-a-thing', '--yes');
  expect(await emitted(two.runtime, source)).toEqual(['first']);

  await unpublish('locked-things@1.0.0');
  await publish({
    name: 'locked-things',
    version: '1.0.0',
    key: 'lock-a-thing',
    says: 'other',
    tag: 'old',
  });
  await rm(canaryOf('lock-a-thing'));
  const three = await colleague([], lock);
  const refused = await three.runtime.weir('deploy', 'lock-a-thing', '--yes', '--json');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('other bytes') });
  expect(existsSync(canaryOf('lock-a-thing'))).toBe(false);
}, 180_000);

test('offline what is in the cache is deployed, and what is not says so in one sentence (7)', async () => {
  await publish({
    name: 'kept-dependency',
    version: '1.0.0',
    key: 'dep-kept',
    manifest: { main: 'index.js', keywords: [] },
  });
  await publish({ name: 'kept-things', version: '1.0.0', key: 'kept-a-thing' });
  const { runtime, folder } = await colleague();
  await runtime.weirJson('add', 'npm:kept-things#kept-a-thing', '--yes');
  const lock = await lockOf(folder);
  const other = await colleague([], lock);
  await registry.kill();
  try {
    const source = await runtime.weirJson<Source>('deploy', 'kept-a-thing');
    expect(await emitted(runtime, source)).toEqual(['hello']);
    const without = await other.runtime.weir('deploy', 'kept-a-thing', '--yes');
    expect(without.code).toBe(1);
    expect(without.stderr).toMatch(/kept-a-thing 0\.1\.0 is locked, .*cannot be reached/);
  } finally {
    await registry.start();
  }
}, 180_000);

test('a key in two packages is an error that lists both, and the npm form picks one (8)', async () => {
  await publish({ name: 'twice-one', version: '1.0.0', key: 'twice-a-thing', says: 'one' });
  await publish({ name: 'twice-two', version: '1.0.0', key: 'twice-a-thing', says: 'two' });
  const { runtime } = await colleague();
  const refused = await runtime.weir('deploy', 'twice-a-thing', '--yes');
  expect(refused.stderr).toContain('npm:twice-one@1.0.0#twice-a-thing');
  expect(refused.stderr).toContain('npm:twice-two@1.0.0#twice-a-thing');
  const source = await runtime.weirJson<Source>('deploy', 'npm:twice-two#twice-a-thing', '--yes');
  expect(await emitted(runtime, source)).toEqual(['two']);
}, 180_000);

test('a range takes the highest version of the component that the maps name (9)', async () => {
  const one = { name: 'ranged', key: 'ranged-a-thing' };
  await publish({ ...one, version: '1.0.0', componentVersion: '0.1.0', says: '0.1.0' });
  await publish({ ...one, version: '1.0.1', componentVersion: '0.1.4', says: '0.1.4' });
  await publish({ ...one, version: '2.0.0', componentVersion: '1.0.0', says: '1.0.0' });
  await publish({ ...one, version: '2.1.0', componentVersion: '1.1.0-beta.1', says: 'beta' });
  const { runtime } = await colleague();
  const older = await runtime.weirJson<Source>('deploy', 'ranged-a-thing@~0.1', '--yes');
  expect(await emitted(runtime, older)).toEqual(['0.1.4']);
  const gone = await runtime.weir('deploy', 'ranged-a-thing@0.1.3', '--yes');
  expect(gone.stderr).toContain('the nearest version is 0.1.4');
  const beta = await runtime.weirJson<Source>('deploy', 'ranged-a-thing@1.1.0-beta.1', '--yes');
  expect(await emitted(runtime, beta)).toEqual(['beta']);
}, 180_000);

test.each<[string, Record<string, unknown>, string]>([
  ['version', { version: '9.9.9' }, 'the version "9.9.9"'],
  ['type', { type: 'action' }, 'the type "action"'],
  ['file', { file: 'sources/none.mjs' }, 'sources/none.mjs'],
  ['place', { file: '../../other.mjs' }, 'leaves the package'],
])(
  'a map that lies about the %s is refused (11)',
  async (what, claim, said) => {
    const name = `lies-${what}`;
    await publish({ name, version: '1.0.0', key: `lies-about-${what}`, claim });
    const { runtime } = await colleague();
    const refused = await runtime.weir('add', `npm:${name}#lies-about-${what}`, '--yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
    expect(existsSync(canaryOf(`lies-about-${what}`))).toBe(false);
  },
  120_000,
);
