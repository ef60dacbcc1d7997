/** Packages that are no strict code, as old CommonJS may be, work beside those that are bundled. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ActionRun } from '../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type RestAnswer, startRuntime, type TestRuntime } from '../support/runtime.ts';

const undeclared = `total = 40; exports.add = (n) => (total += n);`;

test('one that assigns to a variable nobody declared', async () => {
  const answer = await run(undeclared);
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

test('a form asks one that nobody has run before', async () => {
  const { runtime, file: component_path } = await project(undeclared);
  const asked = { component_path, prop_name: 'sum' };
  const { body } = await runtime.rest('POST', '/v1/components/configure', asked);
  expect(body).toMatchObject({ data: { options: [{ label: '42', value: 42 }], errors: [] } });
  const { body: props } = await runtime.rest('POST', '/v1/components/props', { component_path });
  expect(props).toMatchObject({ data: { configurable_props: [{ name: 'sum' }], errors: [] } });
});

test('a dry run is the first to run one', async () => {
  const { runtime, file: component_path } = await project(undeclared);
  const client = await runtime.connect();
  const run = await client.call('sources.dryRun', { component_path });
  expect(run).toMatchObject({ status: 'succeeded', return_value: 42 });
});

interface Project {
  readonly runtime: TestRuntime;
  /** An action. */
  readonly file: string;
}

/** A project with an action that imports a package of this code. */
async function project(code: string): Promise<Project> {
  const folder = temporaryFolder(onTestFinished);
  const files = {
    'node_modules/old/index.js': code,
    'action.mjs': `import { add } from 'old';
      export default { type: 'action', name: 'Add',
        props: { sum: { type: 'integer', optional: true, options: () => [add(2)] } },
        run: () => add(2) };`,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return { runtime: await startRuntime({ folder }), file: join(folder, 'action.mjs') };
}

/** Runs the action of such a project. */
async function run(code: string): Promise<RestAnswer & { body: { data?: ActionRun } }> {
  const { runtime, file: component_path } = await project(code);
  return (await runtime.rest('POST', '/v1/actions/run', { component_path })) as RestAnswer & {
    body: { data?: ActionRun };
  };
}
