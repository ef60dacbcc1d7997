import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exportsIn,
  stepsDeclaration,
} from '../../../../src/extension/workflow-text/steps-declaration.ts';
import { typeTextOf } from '../../../../src/extension/workflow-text/type-text.ts';
import { writeStepTypes } from '../../../../src/extension/workflow-text/write-step-types.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { holds } from '../../../support/holds.ts';

const run = promisify(execFile);

/** What the compiler says of the files of a folder. */
async function errorsIn(folder: string, ...options: readonly string[]): Promise<string[]> {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const args = [tsc, '--pretty', 'false', '--noEmit', ...options];
  const { stdout } = await run(process.execPath, args, { cwd: folder }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout.split('\n').filter((line) => line !== '');
}

async function errorsOf(text: string): Promise<string[]> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'a.ts'), text);
  return errorsIn(folder, '--strict', '--types', '', 'a.ts');
}

const values = fc.array(fc.jsonValue({ maxDepth: 5 }), { minLength: 1, maxLength: 4 });

test('the type of any values is one that accepts each of them', async () => {
  // The compiler starts once for many.
  const many = fc.array(values, { minLength: 150, maxLength: 150 });
  await holds(
    fc.asyncProperty(many, async (all) => {
      const text = all.map((some, at) => {
        const rows = some.map((one, n) => `const v${at}_${n}: T${at} = ${JSON.stringify(one)};`);
        return `type T${at} = ${typeTextOf(some)};\n${rows.join('\n')}`;
      });
      expect(await errorsOf(text.join('\n'))).toEqual([]);
    }),
    2,
    { endOnFailure: true },
  );
});

test('a type has no value in it', () => {
  const secret = { token: 'sk_live_51', pin: 4711, ok: true, list: ['a-secret'] };
  const type = typeTextOf([secret]);
  expect(type).toBe(
    '{ token: string; pin: number; ok: boolean; list: Array<string>; [name: string]: any }',
  );
});

test('what only some of the objects have is optional, and deep or long values end in any', async () => {
  expect(typeTextOf([{ a: 1, b: null }, { a: 'x' }])).toBe(
    '{ a: number | string; b?: null; [name: string]: any }',
  );
  expect(typeTextOf([[]])).toBe('any[]');
  expect(typeTextOf([Array.from({ length: 51 }, () => 1)])).toBe('Array<any>');
  expect(await errorsOf('const text: string = 1;')).toHaveLength(1);
});

test('names that code exports', () => {
  expect(
    exportsIn(`$.export("a", 1); $.export('b c', 2); $.export(name, 3); $.export("a", 4)`),
  ).toEqual(['a', 'b c']);
  const text = stepsDeclaration([{ namespace: 'one', code: '$.export("total", 1)' }], []);
  expect(text).toContain('one: { $return_value?: any; total?: any; [name: string]: any };');
});

const entry = `export default defineComponent({
  async run({ steps, $ }) {
    const city: number = steps.fetch.$return_value.city;
    return steps.trigger.event.body.who.toUpperCase() + steps.later.anything;
  },
});
`;

test('the code of a step knows the others by the compiler; git sees nothing of it', async () => {
  const root = temporaryFolder();
  const folder = join(root, 'orders');
  await mkdir(join(folder, 'use'), { recursive: true });
  await mkdir(join(root, 'node_modules/weir'), { recursive: true });
  await writeFile(
    join(root, 'node_modules/weir/package.json'),
    '{"name":"weir","exports":{"./component":{"types":"./component.ts"}}}',
  );
  // As Weir puts it there, without what is built of it.
  await writeFile(
    join(root, 'node_modules/weir/component.ts'),
    `export * from ${JSON.stringify(join(process.cwd(), 'src/component/component.ts'))};`,
  );
  await writeFile(
    join(folder, 'workflow.yaml'),
    'name: Orders\nsteps:\n  - namespace: fetch\n    uses: some-thing@1.0.0\n  - namespace: use\n    uses: ./use/entry.ts\n',
  );
  await writeFile(join(folder, 'use/entry.ts'), entry);
  const runs = [
    { trigger: { event: { body: { who: 'Ada' } } }, fetch: { $return_value: { city: 'Bonn' } } },
  ];
  expect(await writeStepTypes(folder, root, runs)).toBe(true);
  expect(await writeStepTypes(folder, root, runs)).toBe(false);
  const declared = await readFile(join(folder, '.weir-types/steps.d.ts'), 'utf8');
  expect(declared).not.toMatch(/Ada|Bonn/);
  expect(await readFile(join(folder, '.weir-types/.gitignore'), 'utf8')).toBe('*\n');
  expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('/tsconfig.json\n');
  const found = await errorsIn(folder);
  expect(found).toEqual([
    "use/entry.ts(3,11): error TS2322: Type 'string' is not assignable to type 'number'.",
  ]);
});

test("a configuration of one's own stays, and one above is built on", async () => {
  const root = temporaryFolder();
  const folder = join(root, 'a');
  await mkdir(folder);
  await writeFile(join(root, 'tsconfig.json'), '{}');
  await writeFile(join(folder, 'workflow.yaml'), 'name: A\nsteps: []\n');
  await writeStepTypes(folder, root, []);
  expect(await readFile(join(folder, 'tsconfig.json'), 'utf8')).toContain(
    '"extends": "../tsconfig.json"',
  );
  await writeFile(join(folder, 'tsconfig.json'), '{ "mine": true }');
  await writeStepTypes(folder, root, [{ trigger: { event: 1 } }]);
  expect(await readFile(join(folder, 'tsconfig.json'), 'utf8')).toBe('{ "mine": true }');
});
