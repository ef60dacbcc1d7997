import { readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Deployment } from '../../../../../src/runtime/components/deployments/deployment.ts';
import { run, workbench } from '../workbench.ts';

/** A component that returns 42, in every dialect that published components have. */
const dialects: Record<string, Record<string, string>> = {
  ESM: { 'a.mjs': 'export default { run() { return 42; } };' },
  'ESM in .js': { 'a.js': 'export default { run() { return 42; } };' },
  'CommonJS in .js': { 'a.js': 'module.exports = { run() { return 42; } };' },
  'CommonJS in .cjs that requires a builtin': {
    'a.cjs': `const { format } = require('util');
      module.exports = { run: () => Number(format('%d', 42)) };`,
  },
  'import and require in one file': {
    'a.js': `import { format } from 'util';
      const path = require('path');
      export default { run: () => Number(format('%d', path.basename('/x/42'))) };`,
  },
  'a require computed at run time': {
    'a.js': `const name = 'ut' + 'il';
      module.exports = { run: () => Number(require(name).format('%d', 42)) };`,
  },
  '__filename and __dirname': {
    'a.js': `const path = require('path');
      module.exports = { run: () => path.dirname(__filename) === __dirname ? 42 : __dirname };`,
  },
  'a require and a __dirname of its own': {
    'a.mjs': `import { createRequire } from 'node:module';
      import path from 'node:path';
      import { fileURLToPath } from 'node:url';
      const require = createRequire(import.meta.url);
      const __filename = fileURLToPath(import.meta.url);
      const __dirname = path.dirname(__filename);
      export default { run: () => require('path').dirname(__filename) === __dirname ? 42 : 0 };`,
  },
  'TypeScript with an interface imported as a value': {
    'a.ts': `import { Answer, answer } from './types';
      export default { run(): Answer { return answer; } };`,
    'types.ts':
      'export type Answer = number;\nexport interface Other {}\nexport const answer: Answer = 42;',
  },
  'a tsconfig that would keep such an import': {
    'a.ts': `import { Answer } from './types';
      export default { run(): Answer { return 42; } };`,
    'types.ts': 'export type Answer = number;',
    'tsconfig.json': '{"compilerOptions": {"verbatimModuleSyntax": true, "target": "es5"}}',
  },
  'a tsconfig that extends what is not there': {
    'a.ts': 'export default { run: (): number => 42 };',
    'tsconfig.json': '{"extends": "@company/tsconfig", // broken',
  },
  'an enum': {
    'a.mts': 'enum Answer { Everything = 42 }\nexport default { run: () => Answer.Everything };',
  },
  'imports without an extension': {
    'a.mjs': `import app from './shop.app';
      import b from './common/b';
      export default { run: () => app.n + b.n };`,
    'shop.app.mjs': 'export default { n: 40 };',
    'common/b.ts': 'export default { n: 2 as number };',
  },
  'a .js import of a .ts file': {
    'a.ts': `import { n } from './b.js';\nexport default { run: () => n };`,
    'b.ts': 'export const n: number = 42;',
  },
  JSON: {
    'a.mjs': `import sample from './sample.json';
      import { n } from './sample.json';
      export default { run: () => sample.n === n ? n : 0 };`,
    'sample.json': '{"n": 42}',
  },
  'JSON with an import attribute': {
    'a.mjs': `import sample from './sample.json' with { type: 'json' };
      export default { run: () => sample.n };`,
    'sample.json': '{"n": 42}',
  },
  'a dynamic import': {
    'a.mjs': `export default { run: async () => (await import('./b.mjs')).n };`,
    'b.mjs': 'export const n = 42;',
  },
  'top-level await': {
    'a.mjs': 'const n = await Promise.resolve(42);\nexport default { run: () => n };',
  },
  'a byte order mark and CRLF': {
    'a.ts': '\uFEFFconst n: number = 42;\r\nexport default {\r\n  run: () => n,\r\n};\r\n',
  },
  'a CommonJS package that requires a builtin': {
    'a.mjs': `import client from 'client';\nexport default { run: () => client.n() };`,
    'node_modules/client/index.js': `const util = require('util');
      exports.n = () => util.isDeepStrictEqual({}, {}) ? 42 : 0;`,
  },
  'a package whose exports name a file': {
    'a.mjs': `import n from 'answers/deep';\nexport default { run: () => n };`,
    'node_modules/answers/package.json': `{"exports": {"./deep": {"import": "./lib/deep.mjs"}}}`,
    'node_modules/answers/lib/deep.mjs': 'export default 42;',
  },
  'a package of a folder above': {
    'deep/er/a.mjs': `import n from 'answer';\nexport default { run: () => n };`,
    'node_modules/answer/index.js': 'module.exports = 42;',
  },
  'the identity functions of weir/component': {
    'a.ts': `import { defineSource } from 'weir/component';
      export default defineSource({ name: 'a', run() { return 42; } });`,
  },
  'weir/component by require': {
    'a.js': `const { defineAction } = require('weir/component');
      module.exports = defineAction({ run: () => 42 });`,
  },
  'the platform package by its former name': {
    'a.js': `const { axios } = require('@pipedreamhq/platform');
      module.exports = { run: () => axios() };`,
    'node_modules/@pipedream/platform/index.js': 'exports.axios = () => 42;',
  },
  'the types package that nobody installed': {
    'a.ts': `import { defineAction } from '@pipedream/types';
      export default defineAction({ name: 'a', run: () => 42 });`,
  },
};

describe('build', () => {
  test.each(Object.entries(dialects))('bundles %s', async (_dialect, files) => {
    const { components, write } = await workbench();
    const deployment = await components.build(await write(files));
    expect(await run(deployment)).toBe(42);
  });

  test('what runs does not change when the files do', async () => {
    const { components, write, project } = await workbench();
    const path = await write({
      'a.mjs': `import n from 'n';\nexport default { run: () => n };`,
      'node_modules/n/index.js': 'module.exports = 42;',
    });
    const deployment = await components.build(path);
    await rm(join(project, 'node_modules'), { recursive: true });
    await writeFile(path, 'broken(');
    expect(await run(deployment)).toBe(42);
  });

  test('the same code is the same deployment, other code another one', async () => {
    const { components, write, data } = await workbench();
    const path = await write({ 'a.mjs': 'export default { run: () => 1 };' });
    const [first, again] = await Promise.all([components.build(path), components.build(path)]);
    expect(again).toEqual(first);
    await write({ 'a.mjs': 'export default { run: () => 2 };' });
    const other = await components.build(path);
    expect(other.hash).not.toBe(first.hash);
    expect((await readdir(join(data, 'deployments'))).sort()).toEqual(
      [first.hash, other.hash].sort(),
    );
    expect([await run(first), await run(other)]).toEqual([1, 2]);
  });

  test('a moved line is another deployment, because breakpoints go by the source map', async () => {
    const { components, write } = await workbench();
    const before = await components.build(await write({ 'a.mjs': 'export default {};' }));
    const after = await components.build(
      await write({ 'a.mjs': '// a comment\nexport default {};' }),
    );
    expect(after.hash).not.toBe(before.hash);
  });

  test('the source map names the files relative to the folder', async () => {
    const { components, write, project } = await workbench();
    const path = await write({
      'a.ts': `import './lib/b.ts';\nexport default {};`,
      'lib/b.ts': 'globalThis.b = 1;',
    });
    const { bundle } = await components.build(path);
    expect(await readFile(bundle, 'utf8')).toMatch(
      /\/\/# sourceMappingURL=component\.mjs\.map\s*$/,
    );
    const map = JSON.parse(await readFile(`${bundle}.map`, 'utf8'));
    const files = map.sources.map((source: string) =>
      resolve(dirname(bundle), decodeURIComponent(source)),
    );
    expect(files.sort()).toEqual([join(project, 'a.ts'), join(project, 'lib/b.ts')]);
    expect(map.sourcesContent).toContain('globalThis.b = 1;');
  });

  test('a data folder behind a link: the source map is right from the real place', async () => {
    const { components, write, project, data } = await workbench();
    const path = await write({ 'a.ts': 'export default {};', 'elsewhere/deep/keep': '' });
    await symlink(join(project, 'elsewhere/deep'), data);
    const { bundle } = await components.build(path);
    expect(relative(join(project, 'elsewhere/deep'), bundle)).toMatch(/^deployments/);
    const map = JSON.parse(await readFile(`${bundle}.map`, 'utf8'));
    expect(resolve(dirname(bundle), decodeURIComponent(map.sources[0]))).toBe(path);
  });

  test('a component behind a link imports from where it really lies', async () => {
    const { components, write, project } = await workbench();
    const real = await write({
      'real/a.mjs': `import n from './n.mjs';\nexport default { run: () => n };`,
      'real/n.mjs': 'export default 42;',
    });
    const link = join(project, 'link.mjs');
    await symlink(real, link);
    const deployment = await components.build(link);
    expect(deployment.path).toBe(link);
    expect(deployment.inputs).toContain(real);
    expect(await run(deployment)).toBe(42);
  });

  test('inputs are the local files, packages and platform modules left out', async () => {
    const { components, write, project } = await workbench();
    const path = await write({
      'src/a.ts': `import { defineSource } from 'weir/component';
        import n from 'n';
        import sample from '../sample.json';
        import { unused } from './unused.ts';
        export default defineSource({ name: 'a', run: () => [n, sample] });`,
      'src/unused.ts': 'export const unused = 1;',
      'sample.json': '{}',
      'node_modules/n/index.js': 'module.exports = 42;',
    });
    const { inputs } = await components.build(path);
    expect([...inputs].sort()).toEqual([join(project, 'sample.json'), path]);
  });
});

describe('get and remove', () => {
  async function built() {
    const bench = await workbench();
    const deployment = await bench.components.build(
      await bench.write({ 'a.mjs': 'export default {};' }),
    );
    return { ...bench, deployment };
  }

  test('get returns what build returned', async () => {
    const { components, deployment } = await built();
    expect(await components.get(deployment.hash)).toEqual(deployment);
  });

  test('a removed deployment is gone, and can be built again', async () => {
    const { components, deployment } = await built();
    await components.remove([deployment.hash]);
    expect(await components.get(deployment.hash)).toBeUndefined();
    expect(await components.build(deployment.path!)).toEqual(deployment);
  });

  test.each(['..', '', '../..', 'A'.repeat(32)])('%j names nothing', async (hash) => {
    const { components, data } = await built();
    expect(await components.get(hash)).toBeUndefined();
    await components.remove([hash]);
    expect(await readdir(join(data, 'deployments'))).toHaveLength(1);
  });

  test.each(['deployment.json', 'component.mjs'])(
    'a folder without %s is built again',
    async (name) => {
      const { components, deployment } = await built();
      await rm(join(deployment.folder, name));
      expect(await components.get(deployment.hash)).toBeUndefined();
      const again: Deployment = await components.build(deployment.path!);
      expect(await components.get(again.hash)).toEqual(deployment);
    },
  );
});

test('an aborted build rejects and leaves nothing behind', async () => {
  const { components, write, data } = await workbench();
  const path = await write({ 'a.mjs': 'export default {};' });
  const abort = new AbortController();
  const building = components.build(path, { signal: abort.signal });
  abort.abort();
  await expect(building).rejects.toMatchObject({ name: 'WeirError', code: 'cancelled' });
  expect(await readdir(join(data, 'deployments')).catch(() => [])).toEqual([]);
});

test('progress names the file', async () => {
  const { components, write } = await workbench();
  const steps: string[] = [];
  await components.build(await write({ 'my tick.mjs': 'export default {};' }), {
    progress: (step) => steps.push(step),
  });
  expect(steps).toEqual(['Bundling my tick.mjs']);
});

test('open starts a host of the bundle', async () => {
  const started: unknown[] = [];
  const { components, write } = await workbench({
    hosts: {
      start: (options) => {
        started.push(options);
        return Promise.reject(new Error('started'));
      },
    },
  });
  const deployment = await components.build(await write({ 'a.mjs': 'export default {};' }));
  const limits = { memoryMb: 256, timeoutMs: 1000, outputMb: 64 };
  const { signal } = new AbortController();
  await expect(
    components.open(deployment, { sourceId: 'dc_1234567', limits, signal }),
  ).rejects.toThrow('started');
  expect(started).toEqual([{ bundle: deployment.bundle, sourceId: 'dc_1234567', limits, signal }]);
});
