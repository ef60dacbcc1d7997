/** The components that steps of a workflow may use, as the builder lists them: `workflows.components`, `.component`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../src/client/connection.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';

let client: Connection;
let folder: string;
let workflowPath: string;

beforeEach(async () => {
  folder = temporaryFolder();
  client = await (await startRuntime({ folder })).connect();
  workflowPath = await file('orders/workflow.yaml', 'schema: workflow/2022.04\nname: Orders\n');
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const action = (key: string, name: string, version = '0.0.1', type = 'action'): string =>
  `export default {
  key: '${key}', name: '${name}', description: 'Says \\'hello\\'', version: '${version}', type: '${type}',
  async run() { return '${name}'; },
};
`;

const listed = () => client.call('workflows.components', { workflow_path: workflowPath });
const where = (uses: string) =>
  client.call('workflows.component', { workflow_path: workflowPath, uses });

test('published ones come first, then those of the workspace, then those of its packages', async () => {
  const shared = await file('shared/greet.mjs', action('acme-greet', 'Greet here'));
  const installed = await file(
    'node_modules/@pipedream/slack/actions/send.mjs',
    action('slack-send', 'Send', '1.2.3'),
  );
  await file(
    'node_modules/@pipedream/slack/sources/new.mjs',
    action('slack-new', 'New', '0.0.1', 'source'),
  );
  await file('node_modules/other/send.mjs', action('other-send', 'Other'));
  await file('shared/source.mjs', action('acme-source', 'Source', '0.0.1', 'source'));
  const made = await file('made/publish.mjs', action('acme-published', 'Published', '2.0.0'));
  const saved = await client.call('components.publish', { component_path: made });

  const { data } = await listed();
  expect(data).toEqual([
    {
      key: 'acme-published',
      version: '2.0.0',
      name: 'Published',
      description: "Says 'hello'",
      from: 'published',
      path: null,
      component_id: saved.id,
    },
    expect.objectContaining({
      key: 'acme-greet',
      name: 'Greet here',
      from: 'workspace',
      path: shared,
      component_id: null,
    }),
    expect.objectContaining({
      key: 'slack-send',
      version: '1.2.3',
      from: 'package',
      path: installed,
    }),
  ]);

  // What is listed is what a deploy finds.
  expect(await where('acme-published@2.0.0')).toEqual({ path: null, component_id: saved.id });
  expect(await where('acme-greet@0.0.1')).toEqual({ path: shared, component_id: null });
  expect(await where('slack-send@1.2.3')).toEqual({ path: installed, component_id: null });
});

test('of two versions the one that is asked for is found, else the nearest', async () => {
  const old = await file('a/one.mjs', action('acme-greet', 'One', '0.1.0'));
  const newer = await file('b/two.mjs', action('acme-greet', 'Two', '0.2.0'));
  expect((await where('acme-greet@0.1.0')).path).toBe(old);
  expect((await where('acme-greet@0.2.0')).path).toBe(newer);
  expect((await where('acme-greet@0.2.7')).path).toBe(newer);
  expect((await listed()).data.map(({ key }) => key)).toEqual(['acme-greet']);
});

test('a component that was published is used before a file of the same key, until it is no more', async () => {
  const path = await file('shared/greet.mjs', action('acme-greet', 'Greet'));
  const { id } = await client.call('components.publish', { component_path: path });
  expect(await where('acme-greet@0.0.1')).toEqual({ path: null, component_id: id });
  await client.call('components.unpublish', { id: 'acme-greet' });
  expect(await where('acme-greet@0.0.1')).toEqual({ path, component_id: null });
  expect((await listed()).data).toMatchObject([{ key: 'acme-greet', from: 'workspace' }]);
});

test('what is not here is told, and nothing is evaluated', async () => {
  await file('broken.mjs', `${action('acme-broken', 'Broken')}\nprocess.exit(3); }{`);
  await file('spelt.mjs', "export default { key: makeKey(), type: 'action', version: '0.0.1' };");
  expect((await listed()).data.map(({ key }) => key)).toEqual(['acme-broken']);
  await expect(where('acme-missing@0.0.1')).rejects.toMatchObject({
    code: 'not_found',
    message:
      'There is no component acme-missing@0.0.1 here, neither published nor among the files and packages of the workspace.',
  });
  await expect(where('./code/entry.js')).rejects.toMatchObject({ code: 'not_found' });
});
