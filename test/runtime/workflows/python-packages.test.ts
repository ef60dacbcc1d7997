/** Packages of Python steps: a wheel made by hand, and an index on this machine. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import {
  type Answer,
  type Received,
  type Receiver,
  startReceiver,
} from '../../support/receiver.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { needsProgram } from '../support/not-run.ts';
import { runWorkflow, stepOf, tryDeploy, writeWorkflow } from './script-files.ts';

const atEnd = atEndOfSuite();
let index: Receiver;
let runtime: TestRuntime & { readonly folder: string };

const makeWheel = `
import sys, zipfile
name, version, path, module = sys.argv[1:]
info = f"{name}-{version}.dist-info"
files = {
    f"{module}/__init__.py": f"version = {version!r}\\n",
    f"{info}/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n",
    f"{info}/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
record = "".join(f"{one},,\\n" for one in [*files, f"{info}/RECORD"])
with zipfile.ZipFile(path, "w") as wheel:
    for one, text in files.items():
        wheel.writestr(one, text)
    wheel.writestr(f"{info}/RECORD", record)
`;

beforeEach((context) => needsProgram('python3', context));

beforeAll(async () => {
  const folder = temporaryFolder(atEnd);
  const wheels = new Map<string, Buffer>();
  const has = new Set<string>();
  for (const [name, version, module] of [
    ['weir_millstone', '1.0.0', 'weir_millstone'],
    ['weir_millstone', '2.0.0', 'weir_millstone'],
    ['weir_sluice', '0.1.0', 'weir_sluice'],
    ['weir_gate_plugin', '3.0.0', 'weir_gates'],
  ] as const) {
    const file = `${name}-${version}-py3-none-any.whl`;
    try {
      execFileSync('python3', ['-c', makeWheel, name, version, join(folder, file), module]);
    } catch {
      return;
    }
    wheels.set(file, readFileSync(join(folder, file)));
    has.add(name);
  }
  const answer = ({ path }: Received): Answer | Promise<Answer> => {
    const file = path.split('/').at(-1) ?? '';
    const wheel = wheels.get(file);
    if (wheel !== undefined) return { status: 200, body: wheel };
    const name = (/^\/simple\/([^/]+)\//.exec(path)?.[1] ?? '').replaceAll('-', '_');
    if (name === 'weir_slow') return new Promise(() => undefined);
    if (!has.has(name)) return { status: 404, body: 'not here' };
    const links = [...wheels.keys()].filter((one) => one.startsWith(`${name}-`));
    const body = links.map((one) => `<a href="/wheels/${one}">${one}</a>`).join('');
    return { status: 200, headers: { 'content-type': 'text/html' }, body: `<html>${body}</html>` };
  };
  index = await startReceiver({ answer, atEnd });
  process.env['PIP_INDEX_URL'] = `${index.url}/simple/`;
  process.env['PIP_NO_CACHE_DIR'] = '1';
  const own = temporaryFolder(atEnd);
  runtime = {
    ...(await startRuntime({ folder: own, args: ['--set', 'packages.install=ask'], atEnd })),
    folder: own,
  };
});

afterAll(() => {
  delete process.env['PIP_INDEX_URL'];
  delete process.env['PIP_NO_CACHE_DIR'];
});

const py = (code: string) => ({
  steps: [{ namespace: 'code', uses: './code/entry.py' }],
  files: { 'code/entry.py': code },
});
const folders = (name: string) =>
  readdir(join(runtime.folder, 'data/packages', name)).catch(() => []);
const environments = () => folders('python');

const millstone = 'import weir_millstone\ndef handler(pd): return weir_millstone.version\n';

test('before a yes they are named, and nothing is installed', async () => {
  const { status, body } = await tryDeploy(runtime, py(millstone));
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: 'packages_needed',
    details: [{ package: 'weir_millstone (Python)' }],
  });
  expect(await environments()).toEqual([]);
});

test('after it they are there, once for two deploys at a time', async () => {
  const install = { install: true };
  const [first, second] = await Promise.all([
    tryDeploy(runtime, py(millstone), install),
    tryDeploy(runtime, py(`# another\n${millstone}`), install),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await environments()).toHaveLength(1);
  for (const { body } of [first, second]) {
    const { data } = body as { data: { id: string } };
    expect(stepOf(await runWorkflow(runtime, data), 'code').return_value).toBe('2.0.0');
  }
  // What is there needs no second yes.
  expect((await tryDeploy(runtime, py(millstone))).status).toBe(200);
}, 120_000);

test('a comment names the version; one that is no name is refused', async () => {
  const { status, body } = await tryDeploy(
    runtime,
    py(`# pipedream add-package weir_millstone==1.0.0\n${millstone}`),
    { install: true },
  );
  expect(status).toBe(200);
  const { data } = body as { data: { id: string } };
  expect(stepOf(await runWorkflow(runtime, data), 'code').return_value).toBe('1.0.0');
  // Python installs its pip once, and each environment is a copy.
  expect(await environments()).toHaveLength(2);
  expect(await folders('bare-python')).toHaveLength(1);
  const asCommand = py(`# pipedream add-package pip install weir_millstone==1.0.0\n${millstone}`);
  expect((await tryDeploy(runtime, asCommand)).status).toBe(200);
  for (const wrong of ['--index-url=http://evil', 'git+https://evil/x', '../x']) {
    const refused = await tryDeploy(runtime, py(`# pipedream add-package ${wrong}\n`), {
      install: true,
    });
    expect([wrong, refused.status]).toEqual([wrong, 400]);
  }
}, 120_000);

test('what a package brings that is asked for by name is not looked for by the name of its module', async () => {
  const code = `# pipedream add-package weir_gate_plugin
import weir_gates, weir_sluice
def handler(pd): return [weir_gates.version, weir_sluice.version]
`;
  const { status, body } = await tryDeploy(runtime, py(code), { install: true });
  expect([status, JSON.stringify(body)]).toEqual([200, expect.any(String)]);
  const { data } = body as { data: { id: string } };
  const execution = await runWorkflow(runtime, data);
  expect(stepOf(execution, 'code').return_value).toEqual(['3.0.0', '0.1.0']);
}, 120_000);

test('what one step could not install is not tried again for the next of the same deploy', async () => {
  const asked = () => index.received.filter(({ path }) => path.includes('weir-lost')).length;
  const code = 'import weir_lost\ndef handler(pd): pass\n';
  const { status, body } = await tryDeploy(
    runtime,
    {
      steps: ['one', 'two', 'three'].map((name) => ({ namespace: name, uses: `./${name}.py` })),
      files: { 'one.py': code, 'two.py': `${code}#\n`, 'three.py': `${code}##\n` },
    },
    { install: true },
  );
  expect([status, asked()]).toEqual([400, 1]);
  const { details } = body as { details: { message: string }[] };
  expect(details.map(({ message }) => message.split(':')[0])).toEqual(['one', 'two', 'three']);
  expect(details[0]?.message).toMatch(
    /pip could not install weir_lost: ERROR: .*weir_lost\. A package with another name/,
  );
}, 120_000);

test('an index that nobody reaches is told as such', async () => {
  const folder = temporaryFolder(atEnd);
  const before = process.env['PIP_INDEX_URL'];
  const set = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple/', PIP_RETRIES: '1' };
  Object.assign(process.env, set);
  try {
    const own = { ...(await startRuntime({ folder, atEnd })), folder };
    const { status, body } = await tryDeploy(own, py('import weir_far\ndef handler(pd): pass\n'));
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringMatching(/pip could not install weir_far: .*The package index was not reached/),
    ]);
  } finally {
    process.env['PIP_INDEX_URL'] = before;
    delete process.env['PIP_RETRIES'];
  }
}, 120_000);

test('an install that fails says why, and leaves nothing', async () => {
  const before = await environments();
  const { status, body } = await tryDeploy(
    runtime,
    py('import weir_missing\ndef handler(pd): pass\n'),
    { install: true },
  );
  expect(status).toBe(400);
  expect((body as { error: string }).error).toMatch(/pip could not install weir_missing: ERROR/);
  expect(await environments()).toEqual(before);
}, 120_000);

test('a deploy that is cancelled ends a pip that hangs, and leaves nothing', async () => {
  const before = await environments();
  const path = await writeWorkflow(runtime, py('import weir_slow\ndef handler(pd): pass\n'));
  const { call } = await runtime.connect();
  const cancel = new AbortController();
  const messages: string[] = [];
  const deploy = call(
    'workflows.deploy',
    { workflow_path: path, install: true },
    { signal: cancel.signal, progress: (message) => void messages.push(message) },
  );
  const refused = deploy.then(
    () => undefined,
    (error: unknown) => error,
  );
  await expect
    .poll(() => index.received.some((one) => one.path.includes('weir-slow')), { timeout: 60_000 })
    .toBe(true);
  cancel.abort();
  expect(await refused).toMatchObject({ code: 'cancelled' });
  expect(messages).toContain('Installing weir_slow (Python)');
  await expect.poll(environments).toEqual(before);
}, 120_000);
