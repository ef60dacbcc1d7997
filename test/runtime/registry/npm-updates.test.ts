/** Components of an npm registry and what becomes of them: packages, other versions, versions taken back. The numbers are those of the clauses. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Result, Source } from '../../../src/protocol/catalogue.ts';
import { emitted, lockOf, npmWorld } from './npm-world.ts';

// Each npm is a program that starts, and most tests have several.
vi.setConfig({ testTimeout: 300_000 });
const world = npmWorld();

const words = (version: string, script: string): Record<string, string> => ({
  'package.json': JSON.stringify({
    name: 'flow-words',
    version,
    main: 'index.js',
    type: 'module',
    scripts: { preinstall: `touch ${script}`, postinstall: `touch ${script}` },
  }),
  'index.js': `export default 'words ${version}';`,
});

test('its packages are there and their scripts never run; newer, deprecated and unpublished versions are shown, taken, and given up (13, 15, 16, 26)', async () => {
  const script = world.canaryOf('flow-script');
  await world.publishFiles(words('1.0.0', script));
  const flow = {
    name: '@flow/orders',
    key: 'flow-new-order',
    dependencies: { 'flow-words': '^1.0.0' },
    emits: '{ word: dependency0 }',
  };
  await world.publish({ ...flow, version: '1.0.0' });
  const { runtime, folder } = await world.colleague();
  const outdated = () => runtime.weirJson<Result<'components.outdated'>['data']>('outdated');
  const source = await runtime.weirJson<Source>('deploy', 'flow-new-order', '--yes');
  expect(await emitted(runtime, source)).toEqual([{ word: 'words 1.0.0' }]);
  expect(existsSync(script)).toBe(false);

  await world.publishFiles(words('1.1.0', script));
  await world.publish({
    ...flow,
    version: '1.1.0',
    componentVersion: '0.2.0',
    host: 'eu',
    emits: '{ word: dependency0, says: "two" }',
    manifest: { license: 'Apache-2.0' },
  });
  expect(await outdated()).toMatchObject([
    { current: '0.1.0', newest: '0.2.0', package_version: '1.0.0', used_by: [{ id: source.id }] },
  ]);
  // Its package has a newer version, too; what is locked has its own.
  expect(await emitted(runtime, source)).toEqual([{ word: 'words 1.0.0' }]);
  const lock = await lockOf(folder);
  const declined = await runtime.weir('update', 'flow-new-order', '--to');
  expect(declined.code).toBe(1);
  for (const said of ['0.1.0 (@flow/orders 1.0.0)', 'MIT → Apache-2.0', 'eu.acme.test']) {
    expect(declined.stderr).toContain(said);
  }
  expect(await lockOf(folder)).toBe(lock);
  const updated = await runtime.weirJson<Result<'components.update'>>(
    'update',
    'flow-new-order',
    '--to',
    '--yes',
  );
  expect(updated).toMatchObject({ from: '0.1.0', to: '0.2.0', updated: [{ id: source.id }] });
  expect(await emitted(runtime, source)).toEqual([{ word: 'words 1.1.0', says: 'two' }]);
  expect(existsSync(script)).toBe(false);

  await world.npm(['deprecate', '@flow/orders@1.1.0', 'Loses orders: use 1.0.0']);
  expect(await outdated()).toMatchObject([
    {
      current: '0.2.0',
      is_outdated: false,
      unpublished: false,
      deprecated: 'Loses orders: use 1.0.0',
    },
  ]);
  // On a busy machine npm needs longer than a registry has for a search.
  const searched = () => runtime.weirJson<Result<'components.search'>>('search', 'flow');
  await expect
    .poll(async () => (await searched()).components, { timeout: 100_000 })
    .toMatchObject([{ deprecated: 'Loses orders: use 1.0.0' }]);
  expect(await emitted(runtime, source)).toMatchObject([{ says: 'two' }]);

  await world.unpublish('@flow/orders@1.1.0');
  expect(await outdated()).toMatchObject([{ unpublished: true, is_outdated: false }]);
  expect((await runtime.weir('outdated')).stdout).toContain('UNPUBLISHED');
  expect(await emitted(runtime, source)).toMatchObject([{ says: 'two' }]);

  const ejected = await runtime.weirJson<Result<'components.eject'>>('eject', 'flow-new-order');
  expect(ejected).toMatchObject({ license: 'Apache-2.0', updated: [{ id: source.id }] });
  expect(ejected.files).toEqual(expect.arrayContaining(['package.json', 'README.md']));
  expect(await emitted(runtime, source)).toMatchObject([{ says: 'two' }]);
  expect(existsSync(script)).toBe(false);
});

test('a tarball that was changed on the server is refused, and nothing of it runs (6)', async () => {
  await world.publish({ name: 'tampered', version: '1.0.0', key: 'tampered-a-thing' });
  const tarball = join(world.registry.storage, 'tampered', 'tampered-1.0.0.tgz');
  const bytes = await readFile(tarball);
  bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 0xff;
  await writeFile(tarball, bytes);
  const { runtime } = await world.colleague({ ownCache: true });
  const refused = await runtime.weir('add', 'npm:tampered#tampered-a-thing', '--yes', '--json');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/other bytes than it says itself\. Nothing of it was run/);
  expect(existsSync(world.canaryOf('tampered-a-thing'))).toBe(false);
});

test('packages of a component are the locked ones on another machine and without a network, whatever the npm lock leaves out (7)', async () => {
  const npmrc = 'omit-lockfile-registry-resolved=true\n';
  await world.publishFiles({
    'package.json': '{"name":"kept-words","version":"1.0.0","main":"index.js","type":"module"}',
    'index.js': `export default 'words 1';`,
  });
  await world.publish({
    name: 'kept-flow',
    version: '1.0.0',
    key: 'kept-a-flow',
    dependencies: { 'kept-words': '^1.0.0' },
    emits: 'dependency0',
  });
  const one = await world.colleague({ npmrc });
  await one.runtime.weirJson('add', 'npm:kept-flow', '--yes');
  const lock = await lockOf(one.folder);
  expect(lock).not.toContain('resolved');
  await world.publishFiles({
    'package.json': '{"name":"kept-words","version":"1.1.0","main":"index.js","type":"module"}',
    'index.js': `export default 'words 2';`,
  });
  const two = await world.colleague({ npmrc, lock, ownCache: true });
  const source = await two.runtime.weirJson<Source>('deploy', 'kept-a-flow', '--yes');
  expect(await emitted(two.runtime, source)).toEqual(['words 1']);
  await world.registry.kill();
  try {
    const offline = await one.runtime.weirJson<Source>('deploy', 'kept-a-flow');
    expect(await emitted(one.runtime, offline)).toEqual(['words 1']);
  } finally {
    await world.registry.start();
  }
});
