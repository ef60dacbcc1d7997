import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundledPackages, thirdPartyNotices } from '../../../scripts/package/notices.mts';
import { temporaryFolder } from '../../support/folder.ts';

test('names each package of a bundle once, and none of our own files', async () => {
  const { metafile } = await build({
    stdin: {
      contents: `import 'ws'; import 'hono'; import './src/protocol/errors.ts';`,
      resolveDir: '.',
    },
    bundle: true,
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  expect(bundledPackages([metafile, metafile]).sort()).toEqual([
    'node_modules/hono',
    'node_modules/ws',
  ]);
});

test('a nested or scoped package is the innermost one', () => {
  const inputs = {
    'node_modules/@hono/node-server/dist/index.js': { bytes: 1, imports: [] },
    'node_modules/a/node_modules/b/lib/b.js': { bytes: 1, imports: [] },
  };
  expect(bundledPackages([{ inputs, outputs: {} }])).toEqual([
    'node_modules/@hono/node-server',
    'node_modules/a/node_modules/b',
  ]);
});

test('the notices have each license in full', async () => {
  const text = await thirdPartyNotices(['node_modules/ws', 'node_modules/hono']);
  expect(text).toMatch(/^hono [\d.]+ \(MIT\)$/m);
  expect(text).toMatch(/^ws [\d.]+ \(MIT\)$/m);
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(2);
});

test.each([
  ['no license', { name: 'a', version: '1.0.0' }, 'does not name a license'],
  ['no license text', { name: 'a', version: '1.0.0', license: 'MIT' }, 'has no license text'],
])('a package with %s is refused', async (_what, manifest, reason) => {
  const folder = temporaryFolder();
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await expect(thirdPartyNotices([folder])).rejects.toThrow(reason);
});

test('a license that stands in the README only is taken from there', async () => {
  const folder = temporaryFolder();
  const manifest = JSON.stringify({ name: 'a', version: '1.0.0', license: 'MIT' });
  await writeFile(path.join(folder, 'package.json'), manifest);
  await writeFile(path.join(folder, 'README.md'), '# a\n\n## License\n\nMay be used.\n\n## More\n');
  expect(await thirdPartyNotices([folder])).toMatch(/^a 1\.0\.0 \(MIT\)\n\nMay be used\.\n$/m);
});
