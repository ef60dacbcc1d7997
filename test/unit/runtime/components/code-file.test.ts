import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  codeExtension,
  removeUnusedCodeFiles,
  writeCodeFile,
} from '../../../../src/runtime/components/code-file.ts';
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

test('a file that is there is left alone, unless it holds something else', async () => {
  const folder = temporaryFolder();
  const write = () => writeCodeFile(folder, 'export default {}');
  const file = await write();
  await utimes(file, 1, 1);
  await write();
  expect((await stat(file)).mtimeMs).toBe(1000);
  await writeFile(file, 'export def');
  await write();
  expect(await readFile(file, 'utf8')).toBe('export default {}');
});

test('a file that several write at once is never seen in part', async () => {
  const folder = temporaryFolder();
  const code = `export default {} // ${'long '.repeat(400_000)}`;
  const state = { isWriting: true };
  const writing = Promise.all([1, 2, 3].map(() => writeCodeFile(folder, code)));
  const written = writing.finally(() => (state.isWriting = false));
  const seen = new Set<number>();
  while (state.isWriting) {
    for (const name of await readdir(folder)) {
      if (name.endsWith('.mjs')) seen.add((await stat(join(folder, name))).size);
    }
  }
  const [file = ''] = await written;
  expect([...seen, (await stat(file)).size].filter((size) => size !== code.length)).toEqual([]);
  expect(await readdir(folder)).toEqual([basename(file)]);
});

test('what no saved component was made of is removed, wherever the data folder was before', async () => {
  const folder = temporaryFolder();
  const [kept] = [
    await writeCodeFile(folder, 'export default { kept: 1 }'),
    await writeCodeFile(folder, 'export default { unused: 1 }'),
  ];
  await writeFile(join(folder, '.new-left-by-a-crash'), 'export');
  await removeUnusedCodeFiles(folder, [null, '/x.mjs', join('/elsewhere/code', basename(kept))]);
  expect(await readdir(folder)).toEqual([basename(kept)]);
  await removeUnusedCodeFiles(join(folder, 'none'), []);
});
