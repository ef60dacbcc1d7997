/** Components of a real npm registry: found, asked about, locked, deployed. The numbers are those of the clauses. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import type { OfferedComponent, Result, Source } from '../../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import type { TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { emitted, lockOf, npmWorld } from './npm-world.ts';

const world = npmWorld();
const atEnd = atEndOfSuite();
/** Who needs no machine of their own. */
let reader: TestRuntime;

beforeAll(async () => {
  ({ runtime: reader } = await world.colleague({ atEnd }));
});

test('a package is found, its component deployed by key after a yes, and nothing of it runs before (1, 2, 12, 13)', async () => {
  await world.publish({
    name: '@acme/orders',
    version: '1.4.0',
    key: 'shop-new-order',
    scripts: { preinstall: `touch ${world.canaryOf('script')}` },
  });
  const { runtime, folder } = await world.colleague();
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
  expect(existsSync(world.canaryOf('shop-new-order'))).toBe(false);
  const source = await runtime.weirJson<Source>('deploy', 'shop-new-order', '--yes');
  expect(await emitted(runtime, source)).toEqual(['hello']);
  expect(existsSync(world.canaryOf('script'))).toBe(false);
  expect(JSON.parse(await lockOf(folder))).toMatchObject({
    components: [{ key: 'shop-new-order', package: '@acme/orders', packageVersion: '1.4.0' }],
  });
}, 180_000);

test('the lock wins over a newer version; other bytes under the locked version are refused, and nothing runs (5, 7)', async () => {
  await world.publish({
    name: 'locked-things',
    version: '1.0.0',
    key: 'lock-a-thing',
    says: 'first',
  });
  const one = await world.colleague();
  await one.runtime.weirJson('add', 'lock-a-thing', '--yes');
  const lock = await lockOf(one.folder);
  await world.publish({
    name: 'locked-things',
    version: '1.1.0',
    key: 'lock-a-thing',
    says: 'second',
    componentVersion: '0.2.0',
  });
  const two = await world.colleague({ lock });
  const source = await two.runtime.weirJson<Source>('deploy', 'lock-a-thing', '--yes');
  expect(await emitted(two.runtime, source)).toEqual(['first']);

  await world.unpublish('locked-things@1.0.0');
  await world.publish({
    name: 'locked-things',
    version: '1.0.0',
    key: 'lock-a-thing',
    says: 'other',
    tag: 'old',
  });
  await rm(world.canaryOf('lock-a-thing'));
  const three = await world.colleague({ lock, ownCache: true });
  const refused = await three.runtime.weir('deploy', 'lock-a-thing', '--yes', '--json');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('other bytes') });
  expect(existsSync(world.canaryOf('lock-a-thing'))).toBe(false);
}, 180_000);

test('offline what is in the cache is deployed, and what is not says so in one sentence (7)', async () => {
  await world.publish({ name: 'kept-things', version: '1.0.0', key: 'kept-a-thing' });
  const { runtime, folder } = await world.colleague();
  await runtime.weirJson('add', 'npm:kept-things#kept-a-thing', '--yes');
  const lock = await lockOf(folder);
  const other = await world.colleague({ lock, ownCache: true });
  await world.registry.kill();
  try {
    const source = await runtime.weirJson<Source>('deploy', 'kept-a-thing');
    expect(await emitted(runtime, source)).toEqual(['hello']);
    const without = await other.runtime.weir('deploy', 'kept-a-thing', '--yes');
    expect(without.code).toBe(1);
    expect(without.stderr).toMatch(/kept-a-thing 0\.1\.0 is locked, .*cannot be reached/);
  } finally {
    await world.registry.start();
  }
}, 180_000);

test('a key in two packages is an error that lists both, and the npm form picks one (8)', async () => {
  await world.publish({ name: 'twice-one', version: '1.0.0', key: 'twice-a-thing', says: 'one' });
  await world.publish({ name: 'twice-two', version: '1.0.0', key: 'twice-a-thing', says: 'two' });
  const refused = await reader.weir('deploy', 'twice-a-thing', '--yes');
  expect(refused.stderr).toContain('npm:twice-one@1.0.0#twice-a-thing');
  expect(refused.stderr).toContain('npm:twice-two@1.0.0#twice-a-thing');
  const source = await reader.weirJson<Source>('deploy', 'npm:twice-two#twice-a-thing', '--yes');
  expect(await emitted(reader, source)).toEqual(['two']);
}, 180_000);

test('a range takes the highest version of the component that the maps name (9)', async () => {
  const one = { name: 'ranged', key: 'ranged-a-thing' };
  await world.publish({ ...one, version: '1.0.0', componentVersion: '0.1.0', says: '0.1.0' });
  await world.publish({ ...one, version: '1.0.1', componentVersion: '0.1.4', says: '0.1.4' });
  await world.publish({ ...one, version: '2.0.0', componentVersion: '1.0.0', says: '1.0.0' });
  await world.publish({ ...one, version: '2.1.0', componentVersion: '1.1.0-beta.1', says: 'beta' });
  const older = await reader.weirJson<Source>('deploy', 'ranged-a-thing@~0.1', '--yes');
  expect(await emitted(reader, older)).toEqual(['0.1.4']);
  const gone = await reader.weir('deploy', 'ranged-a-thing@0.1.3', '--yes');
  expect(gone.stderr).toContain('the nearest version is 0.1.4');
  const beta = await reader.weirJson<Source>('deploy', 'ranged-a-thing@1.1.0-beta.1', '--yes');
  expect(await emitted(reader, beta)).toEqual(['beta']);
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
    await world.publish({ name, version: '1.0.0', key: `lies-about-${what}`, claim });
    const refused = await reader.weir('add', `npm:${name}#lies-about-${what}`, '--yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
    expect(existsSync(world.canaryOf(`lies-about-${what}`))).toBe(false);
  },
  120_000,
);
