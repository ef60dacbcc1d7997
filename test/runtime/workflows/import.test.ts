/** Workflows that move in: from a folder, a repository, an export and an API, to one that has run. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { strToU8, zipSync } from 'fflate';
import { accountQuestions } from '../../../src/protocol/account-questions.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Result, Workflow } from '../../../src/protocol/catalogue.ts';
import { runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { workflowWorld } from './world.ts';

const world = workflowWorld();
const git = promisify(execFile);

type Report = Result<'imports.run'>;
const answering = `export default defineComponent({
  async run({ steps, $ }) { await $.respond({ status: 200, body: { said: steps.trigger.event.body.who } }); },
});`;
const token = 'ghp_012345678901234567890123456789abcdef';

/** As git-sync writes it. */
const files = {
  'orders-p_AbC123/workflow.yaml': `schema: workflow/2022.04
name: Orders
triggers:
  - id: hi_abc123
settings:
  error_notification: true
steps:
  # Only real ones.
  - namespace: filter
    runtime: nodejs20.x
    uses: filter-new@0.0.1
    props: { _filter: { continue: 'true', rules: { t: and, r: [{ a: '{{event.body.who}}', op: exist }] } } }
  - namespace: answer
    runtime: nodejs20.x
    uses: ./answer/entry.js
`,
  'orders-p_AbC123/.workflow.state': '---\nschema: workflow.state/2022.04\nid: p_AbC123\n',
  'orders-p_AbC123/answer/entry.js': answering,
  'deep/er/nightly-p_DeF456/workflow.yaml': `schema: workflow/2022.04
name: Nightly
triggers:
  - id: ti_abc123
  - id: dc_zzz999
steps:
  - namespace: call
    uses: ./call/entry.js
    props:
      key: ${token}
  - namespace: post
    uses: slack-send-message@0.6.1
    props: { slack: { authProvisionId: apn_XyZ12 } }
`,
  'deep/er/nightly-p_DeF456/call/entry.js':
    'export default defineComponent({ run() { return process.env.SHOP_KEY_OF_TEST; } });',
};

async function written(
  folder: string,
  all: Readonly<Record<string, string>> = files,
): Promise<string> {
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

async function imported(params: object): Promise<Report> {
  return world.runtime.restData('POST', '/v1/imports', params);
}

const named = (report: Report, name: string) =>
  report.workflows.find((one) => one.name === name) ?? expect.unreachable(name);
const asked = (report: Report, name: string) =>
  named(report, name)
    .findings.flatMap(({ question }) => (question === undefined ? [] : [question.kind]))
    .sort();

test('a git-sync folder is used where it is; what it lacks is asked for, at its place', async () => {
  const folder = await written(join(world.folder, 'synced'));
  const report = await imported({ folder });
  expect(report.written).toEqual([]);
  expect(named(report, 'Orders')).toMatchObject({
    state: 'ready',
    id: 'p_AbC123',
    findings: [{ state: 'note', message: expect.stringContaining('authorization') as string }],
  });
  expect(asked(report, 'Nightly')).toEqual([
    'account',
    'component',
    'emitter',
    'secret',
    'timer',
    'variable',
  ]);
  const { findings, folder: nightly } = named(report, 'Nightly');
  expect(findings.find(({ question }) => question?.kind === 'timer')?.line).toBe(4);
  expect(findings.find(({ question }) => question?.kind === 'variable')).toMatchObject({
    file: join(nightly ?? '', 'call/entry.js'),
    step: 'call',
  });
  expect(JSON.stringify(report)).not.toContain(token);
  for (const path of Object.keys(files)) {
    expect(await readFile(join(folder, path), 'utf8')).toBe(files[path as keyof typeof files]);
  }
});

test('what was imported is deployed and answers', async () => {
  const folder = await written(join(world.folder, 'to-run'));
  const report = await imported({ folder });
  const workflow: Workflow = await world.deployFolder(named(report, 'Orders').folder ?? '');
  expect(workflow.id).toBe('p_AbC123');
  const response = await fetch(workflow.triggers[0]?.endpoint_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"who":"Ada"}',
  });
  expect(await response.json()).toEqual({ said: 'Ada' });
});

test('answers are written into the file with its comments; secrets move into the environment', async () => {
  const folder = await written(join(world.folder, 'answered'));
  const nightly = join(folder, 'deep/er/nightly-p_DeF456');
  const client = await world.runtime.connect();
  await expect(
    client.call('imports.answer', { workflow_path: nightly, trigger: 0, props: { cron: 7 } }),
  ).rejects.toThrow(/cron/);
  await client.call('imports.answer', {
    workflow_path: nightly,
    trigger: 0,
    props: { cron: '0 9 * * *' },
  });
  await client.call('imports.move_secrets', { workflow_path: nightly });
  const text = await readFile(join(nightly, 'workflow.yaml'), 'utf8');
  expect(text).not.toContain(token);
  const report = await imported({ folder });
  expect(asked(report, 'Nightly')).toEqual(['account', 'component', 'emitter', 'variable']);
  const { data } = await client.call('environment.list', {});
  const [name] = /\{\{process\.env\.(\w+)\}\}/.exec(text)?.slice(1) ?? [];
  expect(data.map((one) => one.name)).toContain(name);
});

test('accounts of the platform are told apart, and what takes their place stands in the file', async () => {
  const step = (name: string, account: string): string =>
    `  - namespace: ${name}\n    runtime: python3.12\n    uses: ./${name}/entry.py\n    props:\n      # of the team\n      __configurableProps:\n        - { name: music, type: app, app: tunes_app }\n      music: { authProvisionId: ${account} }\n`;
  const folder = join(world.folder, 'accounts');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'workflow.yaml');
  const steps =
    step('mine', 'apn_Mine01') + step('yours', 'apn_Yours1') + step('again', 'apn_Mine01');
  const before = `schema: workflow/2022.04\nname: Tunes\ntriggers:\n  - id: hi_1\nsteps:\n${steps}`;
  await writeFile(file, before);
  for (const name of ['mine', 'yours', 'again']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'entry.py'), 'def handler(pd):\n  return 1\n');
  }
  const client = await world.runtime.connect();
  const made = async (name: string) =>
    client.call('accounts.create', { app: 'tunes_app', name, credentials: { key: name } });
  const only = await made('only');
  // One of an app for two of the platform: nobody guesses which it was.
  const report = await imported({ folder });
  expect(named(report, 'Tunes').state).toBe('answer');
  const other = await made('other');
  expect(accountQuestions(report)).toEqual([
    { id: 'apn_Mine01', app: 'tunes_app', workflows: [{ name: 'Tunes', folder }] },
    { id: 'apn_Yours1', app: 'tunes_app', workflows: [{ name: 'Tunes', folder }] },
  ]);
  await expect(
    client.call('imports.bind_accounts', {
      workflow_path: folder,
      accounts: { apn_Mine01: 'nobody' },
    }),
  ).rejects.toThrow(/nobody/);
  expect(await readFile(file, 'utf8')).toBe(before);
  const accounts = { apn_Mine01: 'only', apn_Yours1: other.id };
  expect(await client.call('imports.bind_accounts', { workflow_path: folder, accounts })).toEqual({
    changed: 3,
  });
  expect(await readFile(file, 'utf8')).toBe(
    before.replaceAll('apn_Mine01', only.id).replaceAll('apn_Yours1', other.id),
  );
  expect(named(await imported({ folder }), 'Tunes').state).toBe('ready');
});

test('the report says what hands messages to an e-mail trigger, and names a file that is no workflow by its folder', async () => {
  const folder = await written(join(world.folder, 'odd'), {
    'mail-p_MaIl01/workflow.yaml':
      'schema: workflow/2022.04\nname: Mail\ntriggers:\n- id: ei_9nTv4r\nsteps:\n- namespace: code\n  uses: ./code/entry.js\n',
    'mail-p_MaIl01/code/entry.js': 'export default { run() { return 1; } };',
    'other-p_Oth3r1/workflow.yaml': 'org_id: o_1\nsteps: []\n',
  });
  const report = await imported({ folder });
  expect(named(report, 'Mail')).toMatchObject({
    state: 'ready',
    findings: [{ state: 'note', line: 4, message: expect.stringContaining('--email') as string }],
  });
  expect(named(report, 'other-p_Oth3r1').state).toBe('cannot');
});

test('a workflow without steps is ready, and the report says that it does nothing', async () => {
  const folder = join(world.folder, 'empty');
  await mkdir(folder);
  const text = 'schema: workflow/2022.04\nname: Empty\ntriggers:\n  - uses: $.interface.http\n';
  await writeFile(join(folder, 'workflow.yaml'), text);
  expect(named(await imported({ folder }), 'Empty')).toMatchObject({
    state: 'ready',
    findings: [{ state: 'note', message: 'It has no steps, so it does nothing.' }],
  });
});

test('a repository is cloned without being run; files that are here stay, and again changes nothing', async () => {
  const origin = await written(join(temporaryFolder(), 'origin'));
  const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  await git('git', ['init', '-q', '-b', 'production', origin]);
  await git('git', [...as, '-C', origin, 'add', '-A']);
  await git('git', [...as, '-C', origin, 'commit', '-qm', 'x']);
  const to = join(world.folder, 'cloned');
  const first = await imported({ git: `file://${origin}`, to });
  expect(first.written).toHaveLength(Object.keys(files).length);
  await writeFile(join(to, 'orders-p_AbC123/answer/entry.js'), '// mine');
  const again = await imported({ git: `file://${origin}`, to });
  expect([again.written, again.kept]).toEqual([[], [join(to, 'orders-p_AbC123/answer/entry.js')]]);
  expect(await readFile(join(to, 'orders-p_AbC123/answer/entry.js'), 'utf8')).toBe('// mine');
  const gone = await world.runtime.rest('POST', '/v1/imports', {
    git: `file://${origin}-gone`,
    to,
  });
  expect(gone).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('could not be cloned') },
  });
});

test('submodules of a repository are named, with how to import them, and again in its folder', async () => {
  const origin = await written(temporaryFolder());
  const link = '160000,0123456789abcdef0123456789abcdef01234567,vendor/lib';
  await writeFile(
    join(origin, '.gitmodules'),
    '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://git.example.com/lib.git\n',
  );
  const as = ['-C', origin, '-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  await git('git', ['init', '-q', origin]);
  await git('git', [...as, 'add', '-A']);
  await git('git', [...as, 'update-index', '--add', '--cacheinfo', link]);
  await git('git', [...as, 'commit', '-qm', 'x']);
  const to = join(world.folder, 'with-submodule');
  const report = await imported({ git: `file://${origin}`, to });
  expect(report.submodules).toEqual(['vendor/lib']);
  expect(report.markdown).toContain('git clone --recurse-submodules');
  expect(named(report, 'Orders').state).toBe('ready');
  expect((await imported({ folder: to })).submodules).toEqual(['vendor/lib']);
  await mkdir(join(to, 'vendor/lib'), { recursive: true });
  await writeFile(join(to, 'vendor/lib/index.js'), '');
  expect((await imported({ folder: to })).submodules).toEqual([]);
});

test('an export: workflows are written, those it left out are named, a folder of git-sync is filled in', async () => {
  const to = await written(join(world.folder, 'exported'));
  const zip = join(temporaryFolder(), 'project_export-proj_1.zip');
  const exported = {
    'manifest.json': {
      project: { id: 'proj_1' },
      workflows: [
        { id: 'p_New111', name: 'New' },
        { id: 'p_DeF456', name: 'Nightly' },
        { id: 'p_Gone99', name: 'Too large' },
      ],
    },
    'folder/new.json': {
      id: 'p_New111',
      name: 'New',
      triggers: [{ id: 'hi_n1', type: 'http', custom_response: true }],
      steps: [{ namespace: 'answer', lang: 'nodejs20.x', code: './answer.js', mystery: 1 }],
    },
    'nightly.json': {
      id: 'p_DeF456',
      triggers: [{ id: 'ti_abc123', cron: '0 3 * * *', timezone: 'UTC' }],
      steps: [],
    },
  };
  const entries = Object.entries(exported).map(([path, value]) => [
    path,
    strToU8(JSON.stringify(value)),
  ]);
  const code = { 'folder/answer.js': strToU8(answering), 'readme.txt': strToU8('hello') };
  await writeFile(zip, zipSync({ ...Object.fromEntries(entries), ...code }));
  await writeFile(
    join(to, 'deep/er/nightly-p_DeF456/.workflow.state'),
    'schema: x\nid: p_DeF456\n',
  );
  const report = await imported({ zip, to });
  expect(named(report, 'Too large')).toMatchObject({
    state: 'left_out',
    folder: null,
    id: 'p_Gone99',
  });
  expect(report.others).toEqual(['readme.txt']);
  expect(named(report, 'New')).toMatchObject({
    state: 'ready',
    folder: join(to, 'new-p_New111'),
    not_understood: ['steps[0].mystery'],
  });
  expect(JSON.parse(await readFile(join(to, 'new-p_New111/imported.json'), 'utf8'))).toEqual(
    exported['folder/new.json'],
  );
  expect(asked(report, 'Nightly')).not.toContain('timer');
  const workflow = await world.deployFolder(join(to, 'new-p_New111'));
  const response = await fetch(workflow.triggers[0]?.endpoint_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"who":"Grace"}',
  });
  expect(await response.json()).toEqual({ said: 'Grace' });
});

test.each([
  [
    'a path that leads elsewhere',
    zipSync({ '../evil/workflow.yaml': strToU8('x') }),
    /leads elsewhere/,
  ],
  ['no ZIP', strToU8('hello'), /not a whole ZIP file/],
  ['nothing of use', zipSync({ 'a.txt': strToU8('x') }), /neither a workflow.yaml nor the JSON/],
])('a ZIP with %s is refused with its reason', async (_, bytes, why) => {
  const zip = join(temporaryFolder(), 'bad.zip');
  await writeFile(zip, bytes);
  const { status, body } = await world.runtime.rest('POST', '/v1/imports', {
    zip,
    to: temporaryFolder(),
  });
  expect(status).toBe(400);
  expect((body as { error: string }).error).toMatch(why);
});

test('a workflow of a ZIP that cannot be read is named by its file; other encodings are read', async () => {
  const zip = join(temporaryFolder(), 'encodings.zip');
  const json = (name: string): string =>
    JSON.stringify({ id: `p_${name}`, name, triggers: [{ id: 'hi_1', type: 'http' }], steps: [] });
  const utf16 = Buffer.from(json('Utf16'), 'utf16le');
  await writeFile(
    zip,
    zipSync({
      'manifest.json': strToU8(JSON.stringify({ workflows: [{ id: 'p_Comma1', name: 'Comma' }] })),
      'orders.json': strToU8('{"id": "p_Comma1", "name": "Comma", "triggers": [], "steps": [],}'),
      'bom.json': strToU8(`\uFEFF${json('Bom')}`),
      'utf16.json': new Uint8Array(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])),
      'bare.json': new Uint8Array(Buffer.from(json('Bare'), 'utf16le')),
      'latin.json': new Uint8Array(
        Buffer.from('{"name": "gr\u00f6\u00dfe", "steps": []}', 'latin1'),
      ),
    }),
  );
  const to = temporaryFolder();
  const report = await imported({ zip, to });
  const unread = report.workflows.filter(({ state }) => state === 'unread');
  expect(unread.map(({ name }) => name).sort()).toEqual(['latin.json', 'orders.json']);
  expect(unread.flatMap(({ findings }) => findings.map(({ message }) => message)).join()).toMatch(
    /orders\.json is not JSON/,
  );
  expect(report.workflows.filter(({ state }) => state === 'left_out')).toEqual([]);
  expect(report.workflows.map(({ name }) => name).sort()).toEqual(
    ['Bare', 'Bom', 'Utf16', 'latin.json', 'orders.json'].sort(),
  );
  expect(report.markdown).toContain('orders.json');
});

test('two accounts of an app in two files are asked about as two in one file are', async () => {
  const client = await world.runtime.connect();
  await client.call('accounts.create', {
    app: 'chat_app',
    name: 'chat',
    credentials: { key: 'k' },
  });
  const of = (name: string): Record<string, string> => ({
    [`${name}-p_${name}/workflow.yaml`]: `schema: workflow/2022.04\nname: ${name}\ntriggers:\n  - uses: $.interface.http\nsteps:\n  - namespace: say\n    uses: ./say.mjs\n    props: { chat: { authProvisionId: apn_${name} } }\n`,
    [`${name}-p_${name}/say.mjs`]: `export default { props: { chat: { type: 'app', app: 'chat_app' } }, run() {} };`,
  });
  const one = await written(join(world.folder, 'chat-one'), of('ChatA'));
  expect(named(await imported({ folder: one }), 'ChatA').state).toBe('ready');
  const two = await written(join(world.folder, 'chat-two'), { ...of('ChatA'), ...of('ChatB') });
  const report = await imported({ folder: two });
  expect(report.workflows.map(({ state }) => state)).toEqual(['answer', 'answer']);
  expect(accountQuestions(report).map(({ id }) => id)).toEqual(['apn_ChatA', 'apn_ChatB']);
});

async function platform(): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== 'Bearer key-of-test') return answer(401, {});
    if (searchParams.get('org_id') !== 'o_1') return answer(403, {});
    if (pathname === '/v1/workflows/p_busy') return answer(429, {});
    if (pathname !== '/v1/workflows/p_Api1') return answer(404, {});
    answer(200, {
      triggers: [
        { id: 'hi_1', key: 'http', endpoint_url: 'https://x.example', custom_response: true },
      ],
      steps: [
        {
          id: 'c_1',
          namespace: 'post',
          lang: 'nodejs20.x',
          component_key: 'slack-post',
          savedComponent: { version: '0.1.0' },
        },
      ],
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('over the API by key; what it refuses says what to change, and the key is nowhere', async () => {
  const api_url = await platform();
  const to = join(world.folder, 'from-api');
  const request = { api_url, api_key: 'key-of-test', org_id: 'o_1', to };
  const report = await imported({ ...request, workflow_ids: ['p_Api1'] });
  expect(report.workflows).toMatchObject([{ id: 'p_Api1', state: 'answer' }]);
  const refused = async (other: object) => {
    const { status, body } = await world.runtime.rest('POST', '/v1/imports', {
      ...request,
      ...other,
    });
    expect(status).toBe(400);
    return (body as { error: string }).error;
  };
  expect(await refused({ workflow_ids: ['p_Api1'], api_key: 'other' })).toContain(
    'does not know this key',
  );
  expect(await refused({ workflow_ids: ['p_Api1'], org_id: 'o_2' })).toContain('--org');
  expect(await refused({ workflow_ids: ['p_none'] })).toContain('has no workflow p_none');
  expect(await refused({ workflow_ids: ['p_busy'] })).toContain('429');
  expect(await refused({ workflow_ids: [] })).toContain('lists no workflows');
  const some = await imported({ ...request, workflow_ids: ['p_none', 'p_Api1', 'p_busy'] });
  expect(some.workflows).toMatchObject([
    { id: 'p_Api1', state: 'answer' },
    { id: 'p_none', state: 'unread', folder: null },
    { id: 'p_busy', state: 'unread', folder: null },
  ]);
  expect(await refused({ workflow_ids: ['p_Api1'], api_url: 'http://127.0.0.1:1/v1' })).toContain(
    'does not answer',
  );
  const texts =
    JSON.stringify(report) +
    (await readFile(
      join(to, report.workflows[0]?.folder?.split('/').at(-1) ?? '', 'imported.json'),
      'utf8',
    ));
  expect(texts).not.toContain('key-of-test');
});

test('weir import brings a runtime, prints what is left to do, and writes the report', async () => {
  const folder = temporaryFolder();
  await cp(await written(join(folder, 'source')), join(folder, 'flows'), { recursive: true });
  const cli = { configFolder: join(folder, 'config'), cwd: folder };
  const data = join(folder, 'data');
  const args = [
    'import',
    join(folder, 'flows'),
    '--yes',
    '--data',
    data,
    '--report',
    join(folder, 'r.md'),
  ];
  const { stdout, code } = await runCli(args, cli);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\? Nightly {2}needs an answer/m);
  expect(stdout).toMatch(/^✔ Orders {2}ready/m);
  expect(stdout).toContain('2 workflows: 1 ready, 1 needs an answer.');
  expect(await readFile(join(folder, 'r.md'), 'utf8')).toContain('## Needs an answer');
  const wrong = await runCli(['import', join(folder, 'nowhere'), '--data', data], cli);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not a URL')]);
});
