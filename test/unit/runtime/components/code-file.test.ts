import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { codeExtension, writeCodeFile } from '../../../../src/runtime/components/code-file.ts';
import { temporaryFolder } from '../../../support/folder.ts';

test.each([
  ['an ES module', `import x from 'x'; export default { run() { return x } }`, '.mjs'],
  ['an ES module that imports a file', `import x from './x'; export default { x }`, '.mjs'],
  ['CommonJS', `const x = require('x'); module.exports = { run() { return x } }`, '.cjs'],
  [
    'CommonJS of compiled TypeScript',
    `Object.defineProperty(exports, '__esModule', {}); exports.default = {}`,
    '.cjs',
  ],
  [
    'TypeScript',
    `export default { run(event: { n: number }) { return event.n as unknown } }`,
    '.ts',
  ],
  ['TypeScript with CommonJS', `const n: number = 1; module.exports = { n }`, '.ts'],
  ['JavaScript that TypeScript reads otherwise', `export default { x: f(a < b, c > (d)) }`, '.mjs'],
  ['neither', `console.log('hi')`, '.mjs'],
  ['what does not parse', `export default {`, '.ts'],
])('%s is written as %s', async (_what, code, extension) => {
  expect(await codeExtension(code)).toBe(extension);
});

test('the same text is the same file, which only its owner reads', async () => {
  const folder = temporaryFolder();
  const file = await writeCodeFile(folder, 'export default {}');
  expect(await writeCodeFile(folder, 'export default {}')).toBe(file);
  expect(basename(file)).toMatch(/^[0-9a-f]{16}\.mjs$/);
  expect(await readFile(file, 'utf8')).toBe('export default {}');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
