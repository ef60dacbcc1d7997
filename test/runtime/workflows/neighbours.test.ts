/** What lies beside a step, and what packages bring along that nobody loads. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useRuntime } from '../../support/runtime.ts';
import { deployWorkflow, runWorkflow, stepOf, writeWorkflow } from './script-files.ts';

const runtime = useRuntime();
const moduleOf = (run: string, before = '') =>
  `${before}\nexport default defineComponent({ async run({ steps, $ }) { ${run} } });`;

test.for([
  [
    'u/entry.mjs',
    moduleOf(
      `return readFileSync(new URL('./hello.txt', import.meta.url), 'utf8');`,
      `import { readFileSync } from 'node:fs';`,
    ),
  ],
  ['u/entry.sh', 'cat hello.txt\n'],
  ['u/entry.py', 'def handler(pd):\n    return open("hello.txt").read()\n'],
] as const)(
  'a deploy warns of a file that %s names and that is not deployed (P25.119)',
  async ([file, code]) => {
    const folder = await writeWorkflow(runtime, {
      steps: [{ namespace: 'u', uses: `./${file}` }],
      files: { [file]: code, 'u/hello.txt': 'hello', 'u/other.txt': 'x' },
    });
    const run = await runtime.weir('deploy', folder);
    expect(run.stdout + run.stderr).toContain(
      'its code names hello.txt, which is not deployed with it',
    );
    expect(run.stdout + run.stderr).not.toContain('other.txt');
  },
);

test('of one that is deployed with it, no deploy warns', async () => {
  const folder = await writeWorkflow(runtime, {
    steps: [{ namespace: 'u', uses: './u/entry.mjs' }],
    files: {
      'u/entry.mjs': moduleOf(
        'return [data.a, twice(2)]',
        `import data from './data.json';\nimport { twice } from './twice.mjs';`,
      ),
      'u/data.json': '{"a":1}',
      'u/twice.mjs': 'export const twice = (n) => n * 2;',
    },
  });
  const run = await runtime.weir('deploy', folder);
  expect(run.stdout + run.stderr).not.toContain('is not deployed with it');
});

test('a folder with a star is a folder', async () => {
  const folder = join(runtime.folder, '*star');
  await mkdir(join(folder, '*a'), { recursive: true });
  await writeFile(join(folder, '*a/entry.ts'), moduleOf('const n: number = 1; return n;'));
  await writeFile(
    join(folder, 'workflow.yaml'),
    JSON.stringify({
      schema: 'workflow/2022.04',
      name: 'star',
      steps: [{ namespace: 'a', uses: './*a/entry.ts' }],
    }),
  );
  const workflow = await runtime.restData<Parameters<typeof runWorkflow>[1]>(
    'POST',
    '/v1/workflows',
    {
      workflow_path: folder,
    },
  );
  expect(stepOf(await runWorkflow(runtime, workflow), 'a').return_value).toBe(1);
});

test('a package whose files are not JavaScript keeps nothing from being deployed, unless it is loaded', async () => {
  const packages = {
    // As npm installs it beside a package that uses it in another environment.
    'node_modules/native-fs/package.json':
      '{"name":"native-fs","version":"1.0.0","main":"index.js"}',
    'node_modules/native-fs/index.js': 'var x = (y: number) => y; module.exports = x;',
    'node_modules/tables/package.json': '{"name":"tables","version":"1.0.0","main":"index.js"}',
    'node_modules/tables/index.js':
      "exports.sum = (list) => { if (process.env.NATIVE) require('native-fs'); return list.reduce((a, b) => a + b, 0); };",
  };
  const workflow = await deployWorkflow(runtime, {
    steps: [{ namespace: 'code', uses: './code.mjs' }],
    files: {
      ...packages,
      'code.mjs': moduleOf('return tables.sum([1, 2])', `import tables from 'tables';`),
    },
  });
  expect(stepOf(await runWorkflow(runtime, workflow), 'code').return_value).toBe(3);
});
