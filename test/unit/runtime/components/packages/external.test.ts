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

  test.each(['a.js', 'a.mjs'])(
    'the default of one, bundled or not, is the whole of what it exports: %s',
    async (name) => {
      const { components, write } = await workbench();
      // As TypeScript and Babel compile modules.
      const compiled = `Object.defineProperty(exports, '__esModule', { value: true });
        exports.named = 'named'; exports.default = 'its default';`;
      const path = await write({
        [name]: `import whole, { named } from 'compiled';
          import * as all from 'compiled';
          import apart, { named as also } from 'apart';
          import plain from 'plain';
          import real, { other } from 'real';
          export default { run: () => [whole.named, whole.default, named, Object.keys(all).includes('named'),
            apart.named, also, plain(), real, other] };`,
        'node_modules/compiled/index.js': `module.exports = require('./compiled.js');`,
        'node_modules/compiled/compiled.js': compiled,
        'node_modules/apart/index.js': `require('fs').readFileSync(require('path').join(__dirname, 'data.txt'));\n${compiled}`,
        'node_modules/apart/data.txt': 'beside',
        'node_modules/plain/index.js': `module.exports = () => 'called';`,
        // A module by its text alone, which bundlers take for one.
        'node_modules/real/index.js': `export default 'of a module';\nexport const other = 5;`,
      });
      expect(await run(await components.build(path))).toEqual([
        'named',
        'its default',
        'named',
        true,
        'named',
        'named',
        'called',
        'of a module',
        5,
      ]);
    },
  );

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

  test('two of them that share a name', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'a.mjs': component('alias', './lib/b.mjs'),
      'lib/b.mjs': `export { default } from 'alias';`,
      ...aliasAt('node_modules/alias'),
      ...aliasAt('lib/node_modules/alias'),
    });
    expect(await run(await components.build(path))).toEqual(['found', 'found']);
  });

  test('a second one of the name that is imported later', async () => {
    const { components, write } = await workbench();
    const path = await write({ 'a.mjs': component('alias'), ...aliasAt('node_modules/alias') });
    expect(await run(await components.build(path))).toEqual(['found']);
    expect(await run(await components.build(path))).toEqual(['found']);
    await write({
      'a.mjs': component('alias', './lib/b.mjs'),
      'lib/b.mjs': `export { default } from 'alias';`,
      ...aliasAt('lib/node_modules/alias'),
    });
    expect(await run(await components.build(path))).toEqual(['found', 'found']);
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

  test('one that makes a require of its own path', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'a.mjs': component('maker'),
      'node_modules/maker/index.mjs': `import { createRequire } from 'node:module';
        const require = createRequire(import.meta.url);
        export default [require('./data.json'), require('needed')];`,
      'node_modules/maker/package.json': '{"exports": "./index.mjs"}',
      'node_modules/maker/data.json': '"its own"',
      'node_modules/maker/node_modules/needed/index.js': `module.exports = 'and what it needs';`,
    });
    expect(await run(await components.build(path))).toEqual([['its own', 'and what it needs']]);
  });

  describe('several versions of one: each importer gets its own', () => {
    /** A package that cannot be bundled, as CommonJS and as a module. */
    const versions = (name: string, at: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(at).flatMap(([folder, version]) => [
          [
            `${folder}/node_modules/${name}/package.json`,
            JSON.stringify({ version, gypfile: true }),
          ],
          [`${folder}/node_modules/${name}/index.js`, `module.exports = '${version}';`],
          [`${folder}/node_modules/${name}/sub.mjs`, `export default 'sub ${version}';`],
        ]),
      );

    test.for(['native', '@scope/native'])('%s', async (name) => {
      const { components, write } = await workbench();
      const path = await write({
        'a.mjs': component(name, './b/b.mjs', './c/c.cjs', './d/d.mjs', `${name}/sub.mjs`),
        'b/b.mjs': `export { default } from '${name}';`,
        'c/c.cjs': `module.exports = require('${name}');`,
        'd/d.mjs': `export { default } from '${name}/sub.mjs';`,
        ...versions(name, { '.': '1.0.0', b: '2.0.0', c: '2.0.0', d: '3.0.0' }),
      });
      const expected = ['1.0.0', '2.0.0', '2.0.0', 'sub 3.0.0', 'sub 1.0.0'];
      expect(await run(await components.build(path))).toEqual(expected);
    });

    test('the same code is the same deployment, whichever version is met first', async () => {
      const files = {
        'a.mjs': component('./b/b.mjs', 'native'),
        'b/b.mjs': `export { default } from 'native';`,
        ...versions('native', { '.': '1.0.0', b: '2.0.0' }),
      };
      const { components, write } = await workbench();
      const path = await write(files);
      const first = await components.build(path);
      expect(await run(first)).toEqual(['2.0.0', '1.0.0']);
      // Now it is known which packages are external: one round is enough.
      expect((await components.build(path)).hash).toBe(first.hash);
      const links = await readdir(join(first.folder, 'node_modules'));
      expect(links.sort()).toEqual(['native', 'native@2.0.0']);
    });

    test('a version that is no longer imported leaves the name to the other', async () => {
      const { components, write } = await workbench();
      const path = await write({
        'a.mjs': component('./b/b.mjs', 'native'),
        'b/b.mjs': `export { default } from 'native';`,
        ...versions('native', { '.': '1.0.0', b: '2.0.0' }),
      });
      await components.build(path);
      await write({ 'a.mjs': component('./b/b.mjs') });
      const later = await components.build(path);
      expect(await run(later)).toEqual(['2.0.0']);
      expect(await readdir(join(later.folder, 'node_modules'))).toEqual(['native']);
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
