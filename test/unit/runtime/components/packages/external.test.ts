import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, workbench } from '../workbench.ts';

/** A component that returns what each package it imports exports. */
const component = (...specifiers: string[]): string =>
  specifiers.map((specifier, n) => `import p${n} from '${specifier}';\n`).join('') +
  `export default { run: () => [${specifiers.map((_, n) => `p${n}`).join(', ')}] };`;

describe('packages that cannot be bundled stay where they are', () => {
  test('one that reads a file beside itself', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'a.mjs': component('reader'),
      'node_modules/reader/lib/index.js': `const fs = require('fs'), path = require('path');
        const helper = require('helper');
        module.exports = fs.readFileSync(path.join(__dirname, 'data.txt'), 'utf8') + helper;`,
      'node_modules/reader/lib/data.txt': 'beside',
      'node_modules/reader/package.json': '{"main": "lib/index.js"}',
      'node_modules/helper/index.js': `module.exports = ' and its own';`,
    });
    expect(await run(await components.build(path))).toEqual(['beside and its own']);
  });

  test('one that requires a file by a path it computes', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'a.mjs': component('computes'),
      'node_modules/computes/index.js': `module.exports = require(__dirname + '/words.js');`,
      'node_modules/computes/words.js': `module.exports = 'beside';`,
    });
    expect(await run(await components.build(path))).toEqual(['beside']);
  });

  test('a native addon', async () => {
    const { components, write, project } = await workbench();
    const path = await write({
      'a.mjs': `import { addon } from '@scope/native';\nexport default { run: () => typeof addon };`,
      'node_modules/@scope/native/index.js': `exports.addon = require('./addon.node').transform;`,
    });
    await symlink(await someAddon(), join(project, 'node_modules/@scope/native/addon.node'));
    const deployment = await components.build(path);
    expect(await run(deployment)).toBe('function');
    expect(await components.get(deployment.hash)).toEqual(deployment);
  });

  /** Finds its words as `moment` finds its locales. */
  const alias = {
    'index.js': `let found = 'none'; try { const load = require; found = load('./wor' + 'ds'); } catch {}
      module.exports = found;`,
    'words.js': `module.exports = 'found';`,
  };
  const aliasAt = (folder: string): Record<string, string> =>
    Object.fromEntries(Object.entries(alias).map(([name, text]) => [`${folder}/${name}`, text]));

  test('one that requires its files by another name of require', async () => {
    const { components, write } = await workbench();
    const path = await write({ 'a.mjs': component('alias'), ...aliasAt('node_modules/alias') });
    expect(await run(await components.build(path))).toEqual(['found']);
  });

  test('but not two of that name: a bundle holds both', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'a.mjs': component('alias', './lib/b.mjs'),
      'lib/b.mjs': `export { default } from 'alias';`,
      ...aliasAt('node_modules/alias'),
      ...aliasAt('lib/node_modules/alias'),
    });
    expect(await run(await components.build(path))).toEqual(['none', 'none']);
  });

  test('a second version that is imported later is bundled with the first', async () => {
    const { components, write } = await workbench();
    const path = await write({ 'a.mjs': component('alias'), ...aliasAt('node_modules/alias') });
    expect(await run(await components.build(path))).toEqual(['found']);
    expect(await run(await components.build(path))).toEqual(['found']);
    await write({
      'a.mjs': component('alias', './lib/b.mjs'),
      'lib/b.mjs': `export { default } from 'alias';`,
      ...aliasAt('lib/node_modules/alias'),
    });
    expect(await run(await components.build(path))).toEqual(['none', 'none']);
  });

  test('one of many megabytes, most of which nobody asks for', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'a.mjs': `import { name } from 'huge';\nimport small from 'small';\nexport default { run: () => [name, small] };`,
      'node_modules/huge/index.js': `exports.name = 'huge';
        Object.defineProperty(exports, 'service', { get: () => require('./service') });`,
      'node_modules/huge/service.js': `module.exports = '${'x'.repeat(9 * 1024 * 1024)}';`,
      'node_modules/small/index.js': `module.exports = 'small';`,
    });
    const deployment = await components.build(path);
    expect((await readFile(deployment.bundle)).length).toBeLessThan(64 * 1024);
    expect(await run(deployment)).toEqual(['huge', 'small']);
  });

  test('two of one name cannot both stay', async () => {
    const { components, write } = await workbench();
    const native = { 'package.json': '{"gypfile": true}', 'index.js': 'module.exports = 1;' };
    const files = Object.entries(native);
    const path = await write({
      'a.mjs': component('native', './lib/b.mjs'),
      'lib/b.mjs': `export { default } from 'native';`,
      ...Object.fromEntries(files.map(([name, text]) => [`node_modules/native/${name}`, text])),
      ...Object.fromEntries(files.map(([name, text]) => [`lib/node_modules/native/${name}`, text])),
    });
    await expect(components.build(path)).rejects.toMatchObject({
      code: 'bad_component',
      message: expect.stringContaining('Two versions of native are used'),
    });
  });

  /** The addon of a package this project has anyway, whatever the platform. */
  async function someAddon(): Promise<string> {
    const names = await readdir('node_modules');
    const name = names.find((each) => each.startsWith('lightningcss-'))!;
    const files = await readdir(join('node_modules', name));
    return join(
      process.cwd(),
      'node_modules',
      name,
      files.find((file) => file.endsWith('.node'))!,
    );
  }
});

test('what a killed runtime left half done is removed', async () => {
  const { components, write, data } = await workbench();
  for (const folder of ['packages', 'deployments']) {
    await mkdir(join(data, folder, '.new-1'), { recursive: true });
    await writeFile(join(data, folder, '.new-1/half'), '');
  }
  const { hash } = await components.build(await write({ 'a.mjs': 'export default {};' }));
  expect(await readdir(join(data, 'packages'))).toEqual([]);
  expect(await readdir(join(data, 'deployments'))).toEqual([hash]);
});

test('removeAllBut keeps what is named', async () => {
  const { components, write, data } = await workbench();
  const kept = await components.build(await write({ 'a.mjs': 'export default 1;' }));
  await components.build(await write({ 'b.mjs': 'export default 2;' }));
  await components.removeAllBut(new Set([kept.hash]));
  expect(await readdir(join(data, 'deployments'))).toEqual([kept.hash]);
});
