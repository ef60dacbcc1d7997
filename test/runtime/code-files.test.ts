/** The files of code that was given as text. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Component, Source } from '../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';

test('a start removes those of actions that ran, and keeps those of sources', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const source = await runtime.restData<Source>('POST', '/v1/sources', {
    component_code: `export default { name: 'Kept', run() {} }`,
  });
  await runtime.restData('POST', '/v1/actions/run', {
    component_code: `export default { type: 'action', run() {} }`,
  });
  const code = join(folder, 'data', 'code');
  expect(await readdir(code)).toHaveLength(2);
  await runtime.stop();
  const again = await startRuntime({ folder });
  const { path } = await again.restData<Component>('GET', `/v1/components/${source.component_id}`);
  expect(await readdir(code)).toEqual([basename(path ?? '')]);
});
