import { readdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../../src/runtime/components/deployments/deployment.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { npmEnvironment, type Registry, startRegistry } from './support/npm-registry.ts';
import {
  run,
  type Workbench,
  workbench,
  type WorkbenchOptions,
} from '../unit/runtime/components/workbench.ts';

/** A component that returns the version of each package it imports. */
const component = (...specifiers: string[]): string =>
  specifiers.map((specifier, n) => `import p${n} from '${specifier}';\n`).join('') +
  `export default { run: () => [${specifiers.map((_, n) => `p${n}`).join(', ')}] };`;

/** Has `fruit` 1.0.0, 1.5.0 and 2.0.0, and more. */
const atEnd = atEndOfSuite();
let registry: Registry;

beforeAll(async () => {
  registry = await startRegistry(atEnd);
  for (const version of ['1.0.0', '1.5.0', '2.0.0']) {
    await registry.publish(
      { name: 'fruit', version },
      {
        'index.js': `module.exports = 'fruit ${version}';`,
        'sub/core.js': `module.exports = 'core ${version}';`,
      },
    );
  }
  await registry.publish(
    { name: '@pipedream/salad', version: '0.1.0' },
    { 'index.mjs': `export { default } from 'fruit';` },
  );
  await registry.publish(
    { name: 'scripted', version: '1.0.0', scripts: { postinstall: 'touch "$INIT_CWD/ran" ran' } },
    { 'index.js': `module.exports = 'scripted';` },
  );
});

/** A project whose `.npmrc` names the registry. */
async function shop(options: WorkbenchOptions = {}): Promise<Workbench> {
  registry.requests.length = 0;
  const bench = await workbench({ env: npmEnvironment, ...options });
  await bench.write({ '.npmrc': registry.npmrc(join(bench.data, 'cache')) });
  return bench;
}

/** Packages that Weir has installed, with their versions. */
async function installed(data: string): Promise<string[]> {
  const names = await readdir(join(data, 'packages'));
  return names.filter((name) => !name.startsWith('.')).sort();
}

async function messageOf(components: Components, path: string): Promise<string> {
  const outcome: unknown = await components.build(path).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: 'WeirError', code: 'bad_component' });
  return (outcome as Error).message;
}

describe('which version', () => {
  test('the latest, when nobody says', async () => {
    const { components, write } = await shop();
    const deployment = await components.build(await write({ 'a.mjs': component('fruit') }));
    expect(await run(deployment)).toEqual(['fruit 2.0.0']);
  });

  test('the nearest package.json that names it', async () => {
    const { components, write } = await shop();
    const path = await write({
      'apps/a/src/a.mjs': component('fruit'),
      'apps/a/package.json': '{"dependencies": {"other": "1"}}',
      'package.json': '{"devDependencies": {"fruit": "^1.0.0"}}',
    });
    expect(await run(await components.build(path))).toEqual(['fruit 1.5.0']);
  });

  test('a pin before package.json, several beside each other, with a path behind it', async () => {
    const { components, write, data } = await shop();
    const path = await write({
      'a.mjs': component('fruit@1.0.0', 'fruit@^1', 'fruit', 'fruit@~1.0/sub/core.js'),
      'package.json': '{"dependencies": {"fruit": "2.0.0"}}',
    });
    const versions = await run(await components.build(path));
    expect(versions).toEqual(['fruit 1.0.0', 'fruit 1.5.0', 'fruit 2.0.0', 'core 1.0.0']);
    expect(await installed(data)).toEqual(['fruit@1.0.0', 'fruit@1.5.0', 'fruit@2.0.0']);
  });

  test('each version once, however many ranges it is the newest of', async () => {
    const { components, write, data } = await shop();
    const versions = ['^1', '^1.0', '^1.2.3', '>=1 <2', '1', '1.x', '~1.5', '1.5.0'];
    const a = await write({ 'a.mjs': component(...versions.map((asked) => `fruit@${asked}`)) });
    const all = versions.map(() => 'fruit 1.5.0');
    expect(await run(await components.build(a))).toEqual(all);
    expect(await installed(data)).toEqual(['fruit@1.5.0']);

    // What a range stood for when it was first asked for is remembered: npm is not asked again.
    registry.requests.length = 0;
    const again = await workbench({
      folder: join(data, 'deployments'),
      packagesFolder: join(data, 'packages'),
    });
    expect(await run(await again.components.build(a))).toEqual(all);
    expect(registry.requests).toEqual([]);
  });

  test('a version that somebody has removed is installed again', async () => {
    const { components, write, data } = await shop();
    const path = await write({ 'a.mjs': component('fruit@^1') });
    await components.build(path);
    await rm(join(data, 'packages/fruit@1.5.0'), { recursive: true });
    expect(await run(await components.build(path))).toEqual(['fruit 1.5.0']);
    expect(await installed(data)).toEqual(['fruit@1.5.0']);
  });

  test('another package that package.json gives the name', async () => {
    const { components, write, data } = await shop();
    await registry.publish(
      { name: 'vegetable', version: '1.5.0' },
      { 'index.js': `module.exports = 'vegetable';` },
    );
    const path = await write({
      'a.mjs': component('fruit', './lib/b.mjs'),
      'package.json': '{"dependencies": {"fruit": "npm:vegetable@^1"}}',
      'lib/b.mjs': `export { default } from 'fruit';`,
      'lib/package.json': '{"dependencies": {"fruit": "^1"}}',
    });
    expect(await run(await components.build(path))).toEqual(['vegetable', 'fruit 1.5.0']);
    expect(await installed(data)).toEqual(['fruit@1.5.0', 'fruit@npm%3Avegetable%401.5.0']);
  });

  test('what node_modules has, without a download, when it is the version of the pin', async () => {
    const { components, write } = await shop();
    const path = await write({
      'a.mjs': component('fruit', 'fruit@3.0.0'),
      'node_modules/fruit/package.json': '{"version": "3.0.0"}',
      'node_modules/fruit/index.js': `module.exports = 'local';`,
    });
    expect(await run(await components.build(path))).toEqual(['local', 'local']);
    expect(registry.requests).toEqual([]);
  });

  test('not what node_modules has, when the pin wants another', async () => {
    const { components, write } = await shop();
    const path = await write({
      'a.mjs': component('fruit@2.0.0'),
      'node_modules/fruit/package.json': '{"version": "3.0.0"}',
      'node_modules/fruit/index.js': `module.exports = 'local';`,
    });
    expect(await run(await components.build(path))).toEqual(['fruit 2.0.0']);
  });
});

describe('installing', () => {
  test('once: a second build downloads nothing, and another component shares it', async () => {
    const { components, write } = await shop();
    await components.build(await write({ 'a.mjs': component('fruit') }));
    registry.requests.length = 0;
    const other = await components.build(await write({ 'b.mjs': component('fruit', 'fruit') }));
    expect(await run(other)).toEqual(['fruit 2.0.0', 'fruit 2.0.0']);
    expect(registry.requests).toEqual([]);
  });

  test('two builds at once install once', async () => {
    const { components, write } = await shop();
    const a = await write({ 'a.mjs': component('fruit') });
    const b = await write({ 'b.mjs': component('fruit@latest') });
    await Promise.all([components.build(a), components.build(b)]);
    expect(registry.requests.filter((path) => path.endsWith('.tgz'))).toHaveLength(1);
  });

  test('a dependency a package forgot to declare is installed too', async () => {
    const { components, write } = await shop();
    const path = await write({ 'a.mjs': component('@pipedream/salad/index.mjs') });
    expect(await run(await components.build(path))).toEqual(['fruit 2.0.0']);
  });

  test('no install script runs, and the .npmrc with its token does not stay', async () => {
    const { components, write, data } = await shop();
    const path = await write({ 'a.mjs': component('scripted') });
    expect(await run(await components.build(path))).toEqual(['scripted']);
    const folder = join(data, 'packages/scripted@1.0.0');
    expect((await readdir(folder)).sort()).toEqual([
      'node_modules',
      'package-lock.json',
      'package.json',
    ]);
    expect(await readdir(join(folder, 'node_modules/scripted'))).not.toContain('ran');
  });

  test('progress tells of it', async () => {
    const { components, write } = await shop();
    const steps: string[] = [];
    const path = await write({ 'a.mjs': component('fruit@^1') });
    await components.build(path, { progress: (step) => steps.push(step) });
    expect(steps).toEqual(['Bundling a.mjs', 'Installing fruit@^1']);
  });

  test('a client is told to ask first, and nothing is downloaded before a yes', async () => {
    const { components, write, data } = await shop({ installPolicy: 'ask' });
    const path = await write({ 'a.mjs': component('fruit', 'fruit@1.0.0') });
    await expect(components.build(path)).rejects.toMatchObject({
      code: 'packages_needed',
      details: [{ package: 'fruit@latest' }, { package: 'fruit@1.0.0' }],
    });
    expect(registry.requests).toEqual([]);
    await components.build(path, { install: true });
    expect(await installed(data)).toEqual(['fruit@1.0.0', 'fruit@2.0.0']);
    // They are there: nobody is asked again.
    await components.build(path);
  });

  test('a caller that may not install is told what is lacking', async () => {
    const { components, write } = await shop();
    const path = await write({ 'a.mjs': component('fruit') });
    await expect(components.build(path, { install: false })).rejects.toMatchObject({
      code: 'packages_needed',
    });
    expect(registry.requests).toEqual([]);
  });

  test('never is never', async () => {
    const { components, write } = await shop({ installPolicy: 'never' });
    const path = await write({ 'a.mjs': component('fruit') });
    await expect(components.build(path, { install: true })).rejects.toMatchObject({
      code: 'bad_component',
    });
    expect(registry.requests).toEqual([]);
  });

  test('an abort ends npm and leaves nothing behind', async () => {
    const { components, write, data } = await shop();
    const abort = new AbortController();
    const path = await write({ 'a.mjs': component('fruit') });
    const progress = (step: string) => step.startsWith('Installing') && abort.abort();
    await expect(components.build(path, { signal: abort.signal, progress })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(await readdir(join(data, 'packages'))).toEqual([]);
  });

  test('code that does not compile downloads nothing', async () => {
    const { components, write } = await shop();
    const path = await write({ 'a.mjs': `import 'fruit';\nimport './b.mjs';`, 'b.mjs': 'const =' });
    expect(await messageOf(components, path)).toMatch(/^b\.mjs, line 1: Expected identifier/);
    expect(registry.requests).toEqual([]);
  });

  test('a package some package only tries to require is not needed', async () => {
    const { components, write } = await shop();
    const path = await write({
      'a.mjs': component('careful'),
      'node_modules/careful/index.js': `try { require('fruit') } catch { module.exports = 'without' }`,
    });
    expect(await run(await components.build(path))).toEqual(['without']);
    expect(registry.requests).toEqual([]);
  });
});

describe('what keeps a package away', () => {
  test('there is none of that name', async () => {
    const { components, write } = await shop();
    const path = await write({ 'a.mjs': component('fruti') });
    expect(await messageOf(components, path)).toBe(
      `${path} imports fruti@latest, but there is no npm package "fruti".`,
    );
  });

  test('a package imports it that forgot to say so', async () => {
    const { components, write } = await shop();
    await registry.publish(
      { name: 'forgetful', version: '1.0.0' },
      { 'index.js': `module.exports = require('fruti');` },
    );
    const path = await write({ 'a.mjs': component('forgetful') });
    expect(await messageOf(components, path)).toBe(
      'The package forgetful imports fruti@latest, but there is no npm package "fruti".',
    );
  });

  test('there is no such version', async () => {
    const { components, write } = await shop();
    const path = await write({ 'a.mjs': component('fruit@9') });
    expect(await messageOf(components, path)).toBe(
      `${path} imports fruit@9, but "fruit" has no version 9.`,
    );
  });

  test.for([
    ['a version', { fruit: '9' }, 'fruit@9'],
    ['a package', { '@orchard/tree': '1' }, '@orchard/tree'],
  ] as const)('%s that it needs itself', async ([what, dependencies, lacking]) => {
    const { components, write } = await shop();
    const name = `needs-${what.replace(' ', '-')}`;
    await registry.publish({ name, version: '1.0.0', dependencies }, { 'index.js': '' });
    const path = await write({ 'a.mjs': component(name) });
    expect(await messageOf(components, path)).toBe(
      `${path} imports ${name}@latest, but that needs ${lacking}, which the npm registry does not have.`,
    );
  });

  test('the registry is away', async () => {
    const { components, write } = await shop();
    const path = await write({
      'a.mjs': component('fruit'),
      '.npmrc': 'registry=http://127.0.0.1:1',
    });
    expect(await messageOf(components, path)).toBe(
      `${path} imports fruit@latest, but the npm registry cannot be reached; try again online, or install it beside the component.`,
    );
  });

  test('only the project itself can install it', async () => {
    const { components, write } = await shop();
    const path = await write({
      'a.mjs': component('fruit'),
      'package.json': '{"dependencies": {"fruit": "workspace:*"}}',
    });
    expect(await messageOf(components, path)).toBe(
      `${path} imports fruit, which its package.json takes from "workspace:*"; install it there with your package manager.`,
    );
  });

  test('it has no such file', async () => {
    const { components, write } = await shop();
    const path = await write({ 'a.mjs': component('fruit@1.0.0/nope.js') });
    expect(await messageOf(components, path)).toMatch(
      /^a\.mjs, line 1: "fruit\/nope\.js" cannot be resolved/,
    );
  });

  test('npm is not on the PATH', async () => {
    const { components, write } = await shop({ env: { PATH: `/nowhere${delimiter}` } });
    expect(await messageOf(components, await write({ 'a.mjs': component('fruit') }))).toBe(
      'npm was not found on the PATH; install Node.js, or name npm in the setting weir.npm.path.',
    );
  });

  test('the setting names no npm', async () => {
    const { components, write } = await shop({ npmPath: '/nowhere/npm' });
    expect(await messageOf(components, await write({ 'a.mjs': component('fruit') }))).toBe(
      'The setting weir.npm.path names /nowhere/npm, which does not exist.',
    );
  });
});
