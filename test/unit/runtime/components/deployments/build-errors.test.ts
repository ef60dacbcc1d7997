import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WeirError } from '../../../../../src/protocol/errors.ts';
import type { Components } from '../../../../../src/runtime/components/deployments/deployment.ts';
import { workbench } from '../workbench.ts';

async function failure(components: Components, path: string): Promise<WeirError> {
  const outcome: unknown = await components.build(path).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: 'WeirError' });
  return outcome as WeirError;
}

describe('a path that is no component', () => {
  test('relative', async () => {
    const { components } = await workbench();
    const error = await failure(components, 'a.mjs');
    expect(error.code).toBe('bad_input');
    expect(error.message).toBe('"a.mjs" is not an absolute path; give the whole path.');
  });

  test('missing', async () => {
    const { components, project } = await workbench();
    const path = join(project, 'a.mjs');
    expect(await failure(components, path)).toMatchObject({
      code: 'bad_input',
      message: `There is no file ${path}.`,
    });
  });

  test('a folder', async () => {
    const { components, project } = await workbench();
    const path = join(project, 'a.mjs');
    await mkdir(path, { recursive: true });
    expect(await failure(components, path)).toMatchObject({
      code: 'bad_input',
      message: `${path} is a folder; name the component's file inside it.`,
    });
  });

  test.each(['a.txt', 'a.tsx', 'a.py', 'a'])('%s', async (name) => {
    const { components, write } = await workbench();
    const path = await write({ [name]: '' });
    expect(await failure(components, path)).toMatchObject({
      code: 'bad_input',
      message: `${path} cannot be a component: its name must end in .ts, .mts, .js, .mjs, .cjs.`,
    });
  });

  test('a link that leads back to itself', async () => {
    const { components, write, project } = await workbench();
    await write({ 'x.mjs': '' });
    const path = join(project, 'loop.mjs');
    await symlink(path, path);
    expect((await failure(components, path)).message).toBe(
      `${path} is a link that leads back to itself.`,
    );
  });
});

describe('code that does not compile', () => {
  test('a syntax error, with its place in characters', async () => {
    const { components, write, data } = await workbench();
    const path = await write({ 'a.ts': `export default {\n  ümläut: 'ö' 5,\n};` });
    const error = await failure(components, path);
    expect(error.code).toBe('bad_component');
    expect(error.message).toBe('a.ts, line 2: Expected "}" but found "5".');
    expect(error.details).toEqual([
      { message: 'Expected "}" but found "5".', file: path, line: 2, column: 14 },
    ]);
    expect(await readdir(join(data, 'deployments'))).toEqual([]);
  });

  test('a syntax error in a file it imports', async () => {
    const { components, write, project } = await workbench();
    const path = await write({ 'src/a.ts': `import '../lib/b';`, 'lib/b.ts': 'const = 1;' });
    const error = await failure(components, path);
    expect(error.message).toMatch(/^\.\.\/lib\/b\.ts, line 1: Expected identifier/);
    expect(error.details).toMatchObject([{ file: join(project, 'lib/b.ts'), line: 1 }]);
  });

  test('a file of a package is named with the package, wherever that is installed', async () => {
    const { components, write, project } = await workbench();
    const path = await write({
      'src/a.mjs': `import '@scope/pkg';`,
      'node_modules/@scope/pkg/index.js': `import './lib/b.js';`,
      'node_modules/@scope/pkg/lib/b.js': 'const = 1;',
    });
    const error = await failure(components, path);
    expect(error.message).toMatch(/^@scope\/pkg\/lib\/b\.js, line 1: Expected identifier/);
    const file = join(project, 'node_modules/@scope/pkg/lib/b.js');
    expect(error.details).toMatchObject([{ file, line: 1 }]);
  });

  test('a name that a package does not export', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'src/a.mjs': `import { nope } from '@scope/pkg';\nexport default { run: nope };`,
      'node_modules/@scope/pkg/index.js': 'export const other = 1;',
    });
    expect((await failure(components, path)).message).toBe(
      'a.mjs, line 1: No matching export in "@scope/pkg/index.js" for import "nope".',
    );
  });

  test('several: the first is the sentence, all are details', async () => {
    const { components, write } = await workbench();
    const path = await write({ 'a.ts': `import './b.ts';\nimport './c.ts';` });
    const error = await failure(components, path);
    expect(error.message).toBe(
      'a.ts, line 1: "./b.ts" is imported, but there is no such file. (and 1 more)',
    );
    expect(error.details).toEqual([
      {
        message: '"./b.ts" is imported, but there is no such file.',
        file: path,
        line: 1,
        column: 7,
      },
      {
        message: '"./c.ts" is imported, but there is no such file.',
        file: path,
        line: 2,
        column: 7,
      },
    ]);
  });

  test('a file of a kind that cannot be imported', async () => {
    const { components, write } = await workbench();
    const path = await write({ 'a.mjs': `import './page.html';`, 'page.html': '<p>' });
    expect((await failure(components, path)).message).toMatch(/"\.html" files: page\.html\.$/);
  });

  test('a name the other file does not export', async () => {
    const { components, write } = await workbench();
    const path = await write({
      'a.mjs': `import { nope } from './b.mjs';\nexport default { run: nope };`,
      'b.mjs': 'export const other = 1;',
    });
    expect((await failure(components, path)).message).toBe(
      'a.mjs, line 1: No matching export in "b.mjs" for import "nope".',
    );
  });
});
