import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, workbench } from '../workbench.ts';

/** Of workflows `documented.test.ts` reads the files. */
const examples = (await readdir('examples', { withFileTypes: true }))
  .filter(({ name }) => !existsSync(join('examples', name, 'workflow.yaml')))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(examples)('the example %s is a component of that name', async (name) => {
  const { components } = await workbench();
  const path = resolve(join('examples', name, `${name}.ts`));
  const deployment = await components.build(path);
  expect(deployment.inputs).toEqual([path]);
  const shape = '({ key, type, version, run }) => [key, type, version, typeof run]';
  expect(await evaluate(deployment, shape)).toEqual([
    `weir-${name}`,
    expect.stringMatching(/^(source|action)$/),
    '0.1.0',
    'function',
  ]);
});
