import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  Components,
  Deployment,
} from '../../../../../src/runtime/components/deployments/deployment.ts';
import { withRecentBuilds } from '../../../../../src/runtime/components/deployments/recent-builds.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test('a file is built again when it, an import or its bundle changed, and after a minute', async () => {
  const folder = temporaryFolder();
  const [path, imported, bundle] = ['a.mjs', 'b.mjs', 'bundle.mjs'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  for (const file of [path, imported, bundle]) await writeFile(file, '1');
  let builds = 0;
  let time = Date.now() + 60_000;
  const components = withRecentBuilds(
    {
      build: () => {
        builds += 1;
        const deployment: Deployment = {
          hash: String(builds),
          folder,
          bundle,
          path,
          inputs: [path, imported],
        };
        return Promise.resolve(deployment);
      },
    } as unknown as Components,
    () => time,
  );
  const build = async () => (await components.build(path)).hash;
  expect([await build(), await build()]).toEqual(['1', '1']);
  await writeFile(imported, 'changed');
  expect([await build(), await build()]).toEqual(['2', '2']);
  await rm(bundle);
  expect(await build()).toBe('3');
  await writeFile(bundle, '1');
  expect([await build(), await build()]).toEqual(['4', '4']);
  // npm has changed a package that was there before.
  await mkdir(join(folder, 'node_modules'));
  expect([await build(), await build()]).toEqual(['5', '5']);
  await writeFile(join(folder, 'node_modules', '.package-lock.json'), '{}');
  expect([await build(), await build()]).toEqual(['6', '6']);
  await writeFile(join(folder, 'node_modules', '.package-lock.json'), '{"n":1}');
  expect([await build(), await build()]).toEqual(['7', '7']);
  time += 60_000;
  expect(await build()).toBe('8');
});
