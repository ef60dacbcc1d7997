/** What is said of locked components while their registry does not answer, though something of it is left here. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Result } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository } from '../../support/git.ts';
import { lockOf, npmWorld } from './npm-world.ts';

// Each npm is a program that starts.
vi.setConfig({ testTimeout: 240_000 });
const world = npmWorld();

test('P27.10 an npm registry that is gone, and one with other bytes than the lock: nobody calls that up to date', async () => {
  await world.publish({ name: 'gone-flow', version: '1.0.0', key: 'gone-a-flow', says: 'here' });
  const { runtime, folder } = await world.colleague();
  await runtime.weirJson('add', 'npm:gone-flow', '--yes');
  const outdated = () => runtime.weirJson<Result<'components.outdated'>['data']>('outdated');
  expect(await outdated()).toMatchObject([{ problem: null, unpublished: false }]);
  await world.registry.kill();
  try {
    expect(await outdated()).toMatchObject([
      { problem: expect.stringContaining('cannot be reached') as string },
    ]);
    expect((await runtime.weir('outdated')).stdout).toContain('cannot tell');
    // What is locked is in the cache.
    const info = await runtime.weirJson<Result<'components.registry'>>('info', 'gone-a-flow');
    expect(info).toMatchObject({ key: 'gone-a-flow', package_version: '1.0.0' });
    expect(info.versions).toMatchObject([{ package_version: '1.0.0' }]);
    expect(info.code).toContain('here');
  } finally {
    await world.registry.start();
  }
  const lock = JSON.parse(await lockOf(folder)) as { components: { integrity: string }[] };
  const [entry] = lock.components;
  if (entry === undefined) throw new Error('It is not locked.');
  entry.integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
  await writeFile(join(folder, 'weir.lock.json'), JSON.stringify(lock));
  expect(await outdated()).toMatchObject([
    { problem: expect.stringContaining('other bytes for gone-flow@1.0.0') as string },
  ]);
});

test('P27.10 the same of a repository that is gone, of which a clone is left', async () => {
  const repository = await gitRepository(temporaryFolder(), 'components');
  await repository.commit({
    'components/gone/package.json': '{"name":"@gone/gone","version":"1.0.0","license":"MIT"}',
    'components/gone/actions/one/one.mjs': `export default {
      key: 'gone-one', name: 'One', version: '0.0.1', type: 'action', run() { return 'one'; } };`,
  });
  const { runtime } = await world.colleague();
  await runtime.weirJson('registry', 'add', repository.url);
  await runtime.weirJson('add', 'gone-one', '--yes');
  const outdated = async () =>
    (await runtime.weirJson<Result<'components.outdated'>['data']>('outdated'))[0]?.problem;
  expect(await outdated()).toBeNull();
  await rename(repository.bare, `${repository.bare}.away`);
  expect(await outdated()).toEqual(expect.stringContaining(repository.bare));
  const info = await runtime.weirJson<Result<'components.registry'>>('info', 'gone-one');
  expect(info).toMatchObject({ key: 'gone-one', version: '0.0.1' });
});
