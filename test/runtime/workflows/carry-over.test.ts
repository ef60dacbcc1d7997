/** `weir carry-over`, from an imported folder to what is here, with the step in a Node.js of its own behind real HTTP (P25.130). */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import type { CarryOver, Page, DataStoreRecord } from '../../../src/protocol/catalogue.ts';
import { runCli } from '../../support/cli.ts';
import type { PlatformRun, PlatformWorld } from '../../support/platform-step.ts';
import { useRuntime } from '../../support/runtime.ts';

const runtime = useRuntime();
const markers = ['xoxb-marker', 'key-marker', 'record-marker', 'file-marker', 'env-marker'];

/** The project's Node.js, and another one of this machine. */
const otherNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => folder !== '' && !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file));
const nodes = [process.execPath, ...(otherNode === undefined ? [] : [otherNode])];

const workflow = (name: string) => ({
  [`${name}/.workflow.state`]: `id: p_${name}\n`,
  [`${name}/workflow.yaml`]: `schema: workflow/2022.04
name: ${name}
triggers: []
steps:
  - namespace: post
    uses: ./post/entry.js
    props:
      slack: { authProvisionId: apn_${name}chat }
      shop: { authProvisionId: apn_${name}shop }
      store: { storeId: ds_${name} }
`,
  [`${name}/post/entry.js`]: `export default defineComponent({
  props: { slack: { type: "app", app: "chat${name}" }, shop: { type: "app", app: "shop${name}" }, store: { type: "data_store" } },
  async run({ $ }) { return [process.env.SHOP_KEY, await $.files.open("a.txt").toBuffer()]; },
});
`,
});

const big = Array.from(
  { length: 4000 },
  (_, n) =>
    [`order-${n}`, { note: 'record-marker', fill: randomBytes(1000).toString('base64') }] as const,
);
const worldOf = (
  name: string,
  records: readonly (readonly [string, unknown])[],
): PlatformWorld => ({
  accounts: {
    [`a0_chat${name}`]: { oauth_access_token: 'xoxb-marker', oauth_uid: 'U1' },
    [`a1_shop${name}`]: { api_key: 'key-marker' },
  },
  stores: { s0: records },
  files: {
    'a.txt': Buffer.from('file-marker').toString('base64'),
    'deep/b.bin': randomBytes(1_300_000).toString('base64'),
  },
  env: { SHOP_KEY: 'env-marker' },
});

let serverFile = '';
beforeAll(async () => {
  serverFile = join(runtime.folder, 'platform-server.mjs');
  await build({
    entryPoints: ['test/support/platform-server.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: serverFile,
  });
});

async function platform(node: string, step: string, world: PlatformWorld, name: string) {
  const worldFile = await runtime.file(`${name}-world.json`, JSON.stringify(world));
  const kept = await runtime.file(`${name}-kept.jsonl`, '');
  // The platform gives a step 256 MB.
  const args = ['--max-old-space-size=256', serverFile, step, worldFile, kept];
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: '/bin' } });
  runtime.atEnd(async () => void child.kill());
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text))),
  );
  const [version = '', url = ''] = line.trim().split(' ');
  return { version, url, kept: () => readFile(kept, 'utf8') };
}

async function imported(name: string): Promise<void> {
  for (const [path, text] of Object.entries(workflow(name))) {
    await mkdir(dirname(join(runtime.folder, path)), { recursive: true });
    await runtime.file(path, text);
  }
}

async function newest(): Promise<CarryOver> {
  const [first] = await runtime.weirJson<CarryOver[]>('carry-over', 'status');
  if (first === undefined) throw new Error('There is no carry-over.');
  return first;
}

async function count(store: string): Promise<number> {
  const { body } = await runtime.rest('GET', `/v1/data_stores/${store}/records?limit=1`);
  return (body as Page<DataStoreRecord>).page_info.total_count;
}

test('without an imported workflow there is nothing to ask for', async () => {
  const run = await runtime.weir('carry-over', 'step');
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('miss nothing') as string });
});

for (const [index, node] of nodes.entries()) {
  test(`a pull brings everything, in a node of its own (${index})`, async () => {
    const name = `pull${index}`;
    await runtime.weir('env', 'delete', 'SHOP_KEY');
    await imported(name);
    const step = join(runtime.folder, `${name}.mjs`);
    const written = await runtime.weir('carry-over', 'step', '--out', step);
    expect(written).toMatchObject({ code: 0 });
    expect(written.stderr).toContain('2 accounts, 1 variable, 1 data store, the files');
    const code = await readFile(step, 'utf8');
    expect(code).toContain(`used by ${name}: post`);
    expect(code).not.toContain('PRIVATE');
    const server = await platform(node, step, worldOf(name, big), name);
    if (index === 1) expect(server.version).not.toBe(process.version);
    // Somebody else calls the trigger.
    expect(await (await fetch(server.url, { method: 'POST', body: '{}' })).text()).toMatch(/token/);
    const pulled = await runtime.weir('carry-over', 'pull', server.url);
    expect(pulled.stderr).toBe('');
    expect(pulled.code).toBe(0);
    expect(pulled.stdout).toMatch(/^Took 2 accounts, 1 variable, 4,000 records, \d files?\./);
    expect(pulled.stdout).toContain(`weir accounts connect chat${name}`);
    expect(pulled.stdout).toContain('delete the workflow with the step');
    const kept = await server.kept();
    const runs = kept.trimEnd().split('\n').length;
    expect(runs).toBeGreaterThan(2);
    const printed = pulled.stdout + pulled.stderr + runtime.output();
    for (const marker of markers) expect(kept + printed).not.toContain(marker);
    const summary = /fingerprint (\w{8})/.exec(kept.trimEnd().split('\n').at(-1) ?? '')?.[1];
    expect(pulled.stdout).toContain(summary);
    expect(await count(`ds_${name}`)).toBe(4000);
    const account = await runtime.restData(
      'GET',
      `/v1/accounts/apn_${name}shop?include_credentials=true`,
    );
    expect(account).toMatchObject({
      app: { id: `shop${name}` },
      credentials: { api_key: 'key-marker' },
    });
    const file = join(runtime.folder, 'data/file-store/deep/b.bin');
    if (index === 0) expect((await readFile(file)).length).toBe(1_300_000);
    const status = await newest();
    expect(status).toMatchObject({ complete: true, ended: true, problems: [] });
    // Its key is gone: the same answers again are late.
    const again = await runtime.weir('carry-over', 'pull', server.url, '--id', status.id);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('its key is deleted');
  });
}

test('a text with what a test returned, and a file by its URL', async () => {
  await runtime.weir('env', 'delete', 'SHOP_KEY');
  await imported('paste');
  const step = join(runtime.folder, 'paste.mjs');
  await runtime.weir('carry-over', 'step', '--way', 'paste', '--out', step);
  const server = await platform(process.execPath, step, worldOf('paste', [['a', 1]]), 'paste');
  const shown = await (await fetch(`${server.url}/test`, { method: 'POST' })).text();
  const half = await runCli(['carry-over', 'take', '--data', join(runtime.folder, 'data')], {
    configFolder: join(runtime.folder, 'config'),
    stdin: shown.slice(0, shown.indexOf('WEIRCARRY1') + 400),
  });
  expect(half).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was cut or changed') as string,
  });
  const file = await runtime.file('returned.json', shown);
  const taken = await runtime.weir('carry-over', 'take', file);
  expect(taken).toMatchObject({ code: 0, stderr: '' });
  expect(taken.stdout).toMatch(
    /^Took 2 accounts, 1 variable, 1 record, 0 files\. 2 were here already/,
  );
  const empty = await runtime.file('empty.txt', 'WEIRCARRY1. nothing');
  expect(await runtime.weir('carry-over', 'take', empty)).toMatchObject({ code: 2 });

  await imported('file');
  const fileStep = join(runtime.folder, 'file.mjs');
  await runtime.weir('carry-over', 'step', '--way', 'file', '--out', fileStep);
  const large = await platform(process.execPath, fileStep, worldOf('file', big), 'file');
  const run = (await (await fetch(`${large.url}/test`, { method: 'POST' })).json()) as PlatformRun;
  expect(run.error).toBeUndefined();
  const { url, fingerprint } = run.returned as { url: string; fingerprint: string };
  const fetched = await runtime.weir('carry-over', 'take', url);
  expect(fetched.stderr).toBe('');
  expect(fetched.stdout).toContain('4,000 records');
  expect(fetched.stdout).toContain(fingerprint);
  const kept = await large.kept();
  for (const marker of markers) expect(kept).not.toContain(marker);
  expect(await count('ds_file')).toBe(4000);
  const later = await runtime.weir('carry-over', 'take', 'http://weir.example.com/x');
  expect(later).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not an https:// URL') as string,
  });
});

test('a lost block is named, and a later pull brings what it had', async () => {
  await runtime.weir('env', 'delete', 'SHOP_KEY');
  await imported('cut');
  const step = join(runtime.folder, 'cut.mjs');
  await runtime.weir('carry-over', 'step', '--out', step);
  const server = await platform(process.execPath, step, worldOf('cut', big), 'cut');
  const { token } = await newest();
  const whole = await (
    await fetch(server.url, { method: 'POST', headers: { 'x-weir-carry': token }, body: '{}' })
  ).text();
  const blocks = whole.split('\n');
  const file = await runtime.file('cut.txt', [blocks[0], blocks.at(-1)].join('\n'));
  const some = await runtime.weir('carry-over', 'take', file);
  expect(some.stdout).toMatch(/✖ Block 2 of \d of run \w{8} is missing/);
  expect((await newest()).complete).toBe(false);
  const rest = await runtime.weir('carry-over', 'pull', server.url);
  expect(rest).toMatchObject({ code: 0, stderr: '' });
  expect(await newest()).toMatchObject({ complete: true, ended: true, problems: [] });
  expect(await count('ds_cut')).toBe(4000);
});

test('a pull names what it cannot take, and takes the rest', async () => {
  await imported('rest');
  const step = join(runtime.folder, 'rest.mjs');
  await runtime.weir('carry-over', 'step', '--out', step);
  await mkdir(join(runtime.folder, 'data/file-store/blocked'), { recursive: true });
  const later = randomBytes(2_500_000).toString('base64');
  const files = { blocked: Buffer.from('x').toString('base64'), 'later.bin': later };
  const world = { ...worldOf('rest', big), files };
  const server = await platform(process.execPath, step, world, 'rest');
  const pulled = await runtime.weir('carry-over', 'pull', server.url);
  expect(pulled.code).toBe(1);
  expect(pulled.stderr).toBe(
    'File blocked was not taken, because a file and a folder would have the same name.\n',
  );
  const taken = await readFile(join(runtime.folder, 'data/file-store/later.bin'));
  expect(taken.toString('base64')).toBe(later);
  await runtime.weir('carry-over', 'end', (await newest()).id);
});

test('a trigger that answers otherwise is explained', async () => {
  await imported('odd');
  const step = await runtime.weir('carry-over', 'step');
  expect(step.code).toBe(0);
  const block = `WEIRCARRY1.${'A'.repeat(4000)}`;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/page') response.end('<html>Success!</html>');
    else if (path === '/cut') response.write(block, () => response.destroy());
    else response.writeHead(Number(path.slice(1)), { location: '/page' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  runtime.atEnd(async () => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said = async (url: string) => {
    const { code, stderr } = await runtime.weir('carry-over', 'pull', url);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await said(`http://${host}/page`)).toContain('answered without a block. Let the trigger');
  expect(await said(`http://${host}/302`)).toContain('redirects to another address. Copy');
  expect(await said(`http://${host}/401`)).toContain('Switch the authorization of the trigger off');
  expect(await said(`http://${host}/403`)).toContain('Paste the newest step');
  expect(await said(`http://${host}/500`)).toContain('answered 500. Look at the run there');
  expect(await said(`http://${host}/cut`)).toMatch(/failed \(.+\)\. Run the same command again/);
  expect(await said('http://127.0.0.1:1/')).toMatch(
    /failed \(.*(?:ECONNREFUSED|bad port).*\)\. Run/,
  );
  const secret = await said(`http://user:marker-pw@${host}/page`);
  expect(secret).toContain('contains a user name or password. Leave it out');
  expect(secret).not.toContain('marker-pw');
  const cut = await runtime.weir('carry-over', 'take', `http://${host}/cut`);
  expect(cut.stderr).toMatch(/failed \(.+\)\. Try again\.$/m);
  await runtime.weir('carry-over', 'end', (await newest()).id);
});

test('a step that cannot be written leaves no open carry-over', async () => {
  await imported('unwritten');
  const run = await runtime.weir('carry-over', 'step', '--out', runtime.folder);
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain('cannot be written');
  expect(await newest()).toMatchObject({ ended: true, complete: false });
  const step = join(runtime.folder, 'new folder', 'step.mjs');
  expect(await runtime.weir('carry-over', 'step', '--out', step)).toMatchObject({ code: 0 });
  await runtime.weir('carry-over', 'end', (await newest()).id);
});

test('a text in UTF-16 is taken, and a folder is named as one', async () => {
  await imported('utf16');
  const step = join(runtime.folder, 'utf16.mjs');
  await runtime.weir('carry-over', 'step', '--way', 'paste', '--out', step);
  const server = await platform(process.execPath, step, worldOf('utf16', [['a', 1]]), 'utf16');
  const shown = await (await fetch(`${server.url}/test`, { method: 'POST' })).text();
  const file = join(runtime.folder, 'utf16.json');
  await writeFile(file, `\uFEFF${shown}`, 'utf16le');
  expect(await runtime.weir('carry-over', 'take', file)).toMatchObject({ code: 0, stderr: '' });
  const folder = await runtime.weir('carry-over', 'take', runtime.folder);
  expect(folder.stderr).toContain(`${runtime.folder} is a folder. Name a file.`);
});

test('no secret of a carry-over lies in clear in the data folder', async () => {
  const folder = join(runtime.folder, 'data');
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('file-store')) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    const found = ['BEGIN PRIVATE KEY', 'xoxb-marker', 'key-marker', 'env-marker'].filter((one) =>
      bytes.includes(one),
    );
    expect([entry.name, found]).toEqual([entry.name, []]);
  }
});
