/** Packages that are no strict code, as old CommonJS may be, work beside those that are bundled. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ActionRun } from '../../src/protocol/catalogue.ts';
import { temporaryFolder } from './support/folder.ts';
import { type RestAnswer, startRuntime } from './support/runtime.ts';

test('one that assigns to a variable nobody declared', async () => {
  const answer = await run(`total = 40; exports.add = (n) => (total += n);`);
  expect(answer).toMatchObject({ status: 200, body: { data: { return_value: 42 } } });
});

test('one that uses `with`', async () => {
  const answer = await run(`with (Math) { exports.add = (n) => 40 + abs(n); }`);
  expect(answer).toMatchObject({ status: 200, body: { data: { return_value: 42 } } });
});

test('one whose names Node does not find in its text', async () => {
  const answer = await run(`total = 40;
    const names = ['add'];
    module.exports = Object.fromEntries(names.map((name) => [name, (n) => (total += n)]));`);
  expect(answer).toMatchObject({ status: 200, body: { data: { return_value: 42 } } });
});

test('one that needs a browser fails with its own place', async () => {
  const answer = await run(`const { href } = window.location;\nexports.add = () => href;`);
  expect(answer.status).toBe(400);
  expect((answer.body as { error: string }).error).toMatch(
    /ReferenceError: window is not defined \(.*old[/\\]index\.js:1\)/,
  );
});

/** Runs an action that imports a package of this code, in a project of its own. */
async function run(code: string): Promise<RestAnswer & { body: { data?: ActionRun } }> {
  const folder = await temporaryFolder(onTestFinished);
  const files = {
    'node_modules/old/index.js': code,
    'action.mjs': `import { add } from 'old';
      export default { type: 'action', name: 'Add', run: () => add(2) };`,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const runtime = await startRuntime({ folder });
  const body = { component_path: join(folder, 'action.mjs') };
  return (await runtime.rest('POST', '/v1/actions/run', body)) as RestAnswer & {
    body: { data?: ActionRun };
  };
}
