import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOnce } from '../../../scripts/cache.mts';
import { temporaryFolder } from '../../support/folder.ts';

test('a folder that several make at once is whole, and made once', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'tool-1');
  let builds = 0;
  const build = async (building: string): Promise<void> => {
    builds += 1;
    await writeFile(join(building, 'first'), '1');
    expect(await readdir(parent)).not.toContain('tool-1');
    await Promise.resolve();
    await writeFile(join(building, 'second'), '2');
  };
  await makeOnce(folder, build);
  await Promise.all([makeOnce(folder, build), makeOnce(folder, build)]);
  expect(builds).toBe(1);

  const wanted = join(parent, 'tool-2');
  const twice = (building: string) => writeFile(join(building, 'file'), '1');
  await Promise.all([makeOnce(wanted, twice), makeOnce(wanted, twice), makeOnce(wanted, twice)]);
  expect((await readdir(parent)).sort()).toEqual(['tool-1', 'tool-2']);
  expect(await readdir(wanted)).toEqual(['file']);
});

test('a build that fails leaves nothing, and the next one works', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'tool');
  const failing = makeOnce(folder, async (building) => {
    await writeFile(join(building, 'half'), '1');
    throw new Error('No network.');
  });
  await expect(failing).rejects.toThrow('No network.');
  expect(await readdir(parent)).toEqual([]);
  await makeOnce(folder, (building) => writeFile(join(building, 'whole'), '1'));
  expect(await readdir(folder)).toEqual(['whole']);
});
