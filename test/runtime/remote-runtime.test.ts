/** A client on another machine: its files are uploaded, and it sees nothing but its own paths. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { asRemote } from '../../src/client/remote/as-remote.ts';
import { connect, type Connection } from '../../src/client/connection.ts';
import type { Change } from '../../src/protocol/rpc.ts';
import { temporaryFolder } from '../support/folder.ts';
import { post } from '../support/post.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();
let root: string;
let client: Connection;

const project = () => ({ name: 'shop-1a2b', root });

async function connectAs(scope: string): Promise<Connection> {
  const name = `${scope}-${Math.random()}`;
  const { key } = await runtime.weirJson<{ key: string }>('keys', 'add', name, '--scope', scope);
  const connection = await connect({ url: runtime.url, apiKey: key });
  runtime.atEnd(() => Promise.resolve(connection.close()));
  return connection;
}

async function write(file: string, text: string): Promise<string> {
  const path = join(root, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const greets = (word: string) => `import { polite } from '../lib/polite.mjs';
export default { name: 'Greeter', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true } },
  async run() { this.http.respond({ status: 200, body: polite('${word}') }); } }`;

beforeAll(async () => {
  root = temporaryFolder(runtime.atEnd);
  client = await asRemote(await connectAs('deploy'), project(), 'box');
});

describe('a source', () => {
  let file: string;
  let id: string;
  let endpoint: string;

  test('is deployed with what it imports, and known by its path here', async () => {
    await write('lib/polite.mjs', 'export const polite = (word) => `${word}, please`;');
    await write('package.json', '{ "name": "shop" }');
    file = await write('sources/greeter.mjs', greets('Hello'));
    const changes: Change[] = [];
    client.onChanges((batch) => changes.push(...batch));
    const source = await client.call('sources.deploy', { component_path: file });
    ({ id } = source);
    endpoint = source.endpoint_url ?? '';
    expect(source.path).toBe(file);
    expect(await (await post(endpoint, {})).text()).toBe('Hello, please');
    const { data } = await client.call('sources.list', {});
    expect(data.map(({ path }) => path)).toEqual([file]);
    const told = await until('the source in the feed', () =>
      changes.find((change) => change.type === 'source'),
    );
    expect(told).toMatchObject({ source: { path: file } });
  });

  test('stands on the machine of the runtime, without what was not needed', async () => {
    const copy = join(runtime.folder, 'data', 'uploads', 'shop-1a2b');
    await write('sources/.env', 'TOKEN=sesame');
    await write('sources/other.mjs', 'export default {}');
    await client.call('components.inspect', { component_path: file });
    expect(await readFile(join(copy, 'sources', 'greeter.mjs'), 'utf8')).toBe(greets('Hello'));
    expect(existsSync(join(copy, 'package.json'))).toBe(true);
    expect(existsSync(join(copy, 'sources', '.env'))).toBe(false);
    expect(existsSync(join(copy, 'sources', 'other.mjs'))).toBe(false);
  });

  test('an update sends what has changed, and no more', async () => {
    await write('lib/polite.mjs', 'export const polite = (word) => `${word}, if you please`;');
    const sent: string[] = [];
    const progress = (message: string): void => void sent.push(message);
    await client.call('sources.update', { id, component_path: file }, { progress });
    expect(sent.filter((text) => text.startsWith('Sending'))).toEqual(['Sending lib/polite.mjs']);
    expect(await (await post(endpoint, {})).text()).toBe('Hello, if you please');
  });

  test('what does not compile is told with the file that is here, also one that it imports', async () => {
    await write('lib/polite.mjs', 'export const polite = (word) => `${word}`,;');
    const update = client.call('sources.update', { id, component_path: file });
    await expect(update).rejects.toMatchObject({
      code: 'bad_component',
      details: [{ file: join(root, 'lib', 'polite.mjs'), line: 1 }],
    });
    expect(await (await post(endpoint, {})).text()).toBe('Hello, if you please');
  });
});

test('a workflow goes with its whole folder; what is deleted here goes there', async () => {
  await write('lib/total.ts', 'export const total = (n: number): number => n * 2;');
  await write(
    'flow/workflow.yaml',
    `schema: workflow/2022.04
name: Doubles
triggers:
  - uses: $.interface.http
steps:
  - { namespace: double, uses: ./double/entry.ts }
`,
  );
  await write(
    'flow/double/entry.ts',
    `import { total } from '../../lib/total.ts';
export default defineComponent({ run({ steps }) { return total(steps.trigger.event.body.n); } });`,
  );
  const old = await write('flow/notes.md', 'old');
  const path = join(root, 'flow', 'workflow.yaml');
  const workflow = await client.call('workflows.deploy', { workflow_path: path });
  expect(workflow.path).toBe(join(root, 'flow'));
  const there = join(runtime.folder, 'data', 'uploads', 'shop-1a2b', 'flow');
  expect(existsSync(join(there, 'notes.md'))).toBe(true);
  await rm(old);
  const again = await client.call('workflows.deploy', { workflow_path: path });
  expect(again.id).toBe(workflow.id);
  expect(existsSync(join(there, 'notes.md'))).toBe(false);
  expect(existsSync(join(there, 'double', 'entry.ts'))).toBe(true);
});

test('the definition beside the file of an app goes with it, and is known by its path here', async () => {
  const definition = {
    app: 'shop_of_mine',
    name: 'Shop',
    methods: [{ type: 'keys', fields: [{ name: 'key' }] }],
  };
  await write('apps/shop_of_mine.app.mjs', `export default { type: 'app', app: 'shop_of_mine' };`);
  const beside = await write('apps/shop_of_mine.auth.json', JSON.stringify(definition));
  const file = await write(
    'actions/sell.mjs',
    `import shop from '../apps/shop_of_mine.app.mjs';
export default { name: 'Sell', key: 'shop_of_mine-sell', version: '0.0.1', type: 'action', props: { shop }, run() {} };`,
  );
  const slug = 'shop_of_mine';
  await expect(client.call('apps.get', { slug })).rejects.toMatchObject({ code: 'not_found' });
  await client.call('components.inspect', { component_path: file });
  expect(await client.call('apps.get', { slug })).toMatchObject({
    from: 'companion',
    file: beside,
  });
});

describe('what cannot be', () => {
  test('a file outside of the folder', async () => {
    const file = await write('sources/far.mjs', "import '../../elsewhere.mjs'; export default {};");
    await writeFile(join(root, '..', 'elsewhere.mjs'), '');
    await expect(client.call('components.inspect', { component_path: file })).rejects.toThrow(
      `../elsewhere.mjs is outside of ${root}: another machine gets files of the workspace folder only.`,
    );
  });

  test('a file that is not there', async () => {
    const file = join(root, 'sources', 'none.mjs');
    await expect(client.call('components.inspect', { component_path: file })).rejects.toThrow(
      `${file} cannot be read (ENOENT).`,
    );
  });

  test('debugging, and what is written beside the files, say what to do', async () => {
    const id = 'dc_none';
    await expect(client.call('debug.start', { id })).rejects.toThrow(
      'A debugger attaches to processes of this machine only, and this window is connected to box: run Weir: Switch Runtime… and choose the local one.',
    );
    await expect(
      client.call('sources.update', { id, component_path: 'x', debug: true }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(client.call('tests.save', { execution: 'x' })).rejects.toThrow(
      'A test is written beside the workflow, on this machine',
    );
  });

  test('a key that may only read sees everything with the paths that are here, and deploys nothing', async () => {
    const reader = await asRemote(await connectAs('read'), project(), 'box');
    const { data } = await reader.call('sources.list', {});
    expect(data.map(({ path }) => path)).toEqual([join(root, 'sources', 'greeter.mjs')]);
    const file = await write('sources/more.mjs', 'export default {}');
    await expect(reader.call('sources.deploy', { component_path: file })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test.each([
    ['../../runtime.json', /is not a path below the project/],
    ['node_modules/x/index.js', /is in a folder that is not uploaded/],
  ])('an upload to %s', async (path, why) => {
    const connection = await connectAs('deploy');
    const files = [{ path, hash: '0'.repeat(64), content: '' }];
    const put = connection.call('uploads.put', { project: 'shop', files });
    await expect(put).rejects.toThrow(why);
  });

  test('a content that is not the one of its hash is refused, and nothing is written', async () => {
    const connection = await connectAs('deploy');
    const files = [{ path: 'a.mjs', hash: '0'.repeat(64), content: 'YQ==' }];
    const put = connection.call('uploads.put', { project: 'liar', files });
    await expect(put).rejects.toThrow('The content of a.mjs is not that of its hash.');
    expect(existsSync(join(runtime.folder, 'data', 'uploads', 'liar'))).toBe(false);
  });
});
