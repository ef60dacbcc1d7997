import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isCommonJs } from '../../../../../src/runtime/components/packages/node-modules.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const folder = temporaryFolder(afterAll);
for (const [file, json] of Object.entries({
  'plain/package.json': {},
  'module/package.json': { type: 'module' },
  'module/inner/package.json': { type: 'commonjs' },
})) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), JSON.stringify(json));
}

test.for([
  ['plain/index.js', true],
  ['plain/index.mjs', false],
  ['plain/addon.node', true],
  ['plain/data.json', true],
  ['module/index.js', false],
  ['module/lib/deep/index.js', false],
  ['module/index.cjs', true],
  ['module/inner/lib/index.js', true],
])('%s is CommonJS: %s', async ([file, expected]) => {
  expect(await isCommonJs(join(folder, String(file)))).toBe(expected);
});
