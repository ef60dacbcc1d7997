import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { runNpm, startNpmRegistry } from '../../support/npm-registry.ts';

async function packageFolder(name: string): Promise<string> {
  const folder = temporaryFolder();
  const manifest = { name, version: '1.0.0', description: 'Weir test', keywords: ['weir'] };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
}

test('what a user publishes to the registry is found, read and packed by npm, and outlives a kill -9', async () => {
  const registry = await startNpmRegistry();
  const author = registry.environment(registry.npmrc(await registry.addUser('ann')));
  const folder = await packageFolder('@acme/orders');

  const published = await runNpm(folder, ['publish', '--json'], author);
  expect(published).toMatchObject({ code: 0 });
  expect(existsSync(join(registry.storage, '@acme/orders/package.json'))).toBe(true);

  await registry.kill();
  await registry.start();
  const reader = registry.environment(registry.npmrc());
  const here = temporaryFolder();
  const found = await runNpm(here, ['search', 'orders', '--json'], reader);
  expect(JSON.parse(found.stdout)).toMatchObject([
    { name: '@acme/orders', 'dist-tags': { latest: '1.0.0' }, keywords: ['weir'] },
  ]);
  const packed = await runNpm(here, ['pack', '@acme/orders@1.0.0', '--json'], reader);
  expect(packed).toMatchObject({ code: 0 });
  expect((await readFile(join(here, 'acme-orders-1.0.0.tgz'))).length).toBeGreaterThan(100);
});

test('a stranger neither publishes nor sees what a private scope has', async () => {
  const registry = await startNpmRegistry();
  const author = registry.environment(registry.npmrc(await registry.addUser('ann')));
  const stranger = registry.environment(registry.npmrc());
  const folder = await packageFolder('@private/secret');

  const refused = await runNpm(folder, ['publish'], stranger);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('ENEEDAUTH');

  const published = await runNpm(folder, ['publish'], author);
  expect(published).toMatchObject({ code: 0 });
  const unseen = await runNpm(folder, ['view', '@private/secret', '--json'], stranger);
  expect(unseen.stdout).toContain('E401');
  const seen = await runNpm(folder, ['view', '@private/secret', '--json'], author);
  expect(JSON.parse(seen.stdout)).toMatchObject({ name: '@private/secret' });
});
