/** `weir import` in a terminal: what is asked, once, and what an answer leaves in the files. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importWorkflows } from '../../../src/cli/verbs/import.ts';
import type { Account, Result } from '../../../src/protocol/catalogue.ts';
import { gitRepository } from '../../support/git.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRuntime } from '../../support/runtime.ts';
import { enter, typeCommand } from '../support/terminal.ts';

const runtime = useRuntime();
const step = `export default defineComponent({
  props: { shop: { type: "app", app: "shop_of_test" } },
  async run() { return this.shop.$auth.key; },
});`;

test('an account that two workflows name is asked for once, and a wrong answer asks again', async () => {
  const folder = join(runtime.folder, 'accounts');
  for (const [name, trigger] of [
    ['first', 'hi_abc123'],
    ['second', 'ti_def456'],
  ] as const) {
    const file = join(folder, `${name}-p_${name}`, 'workflow.yaml');
    await mkdir(join(dirname(file), 'use'), { recursive: true });
    await writeFile(join(dirname(file), 'use', 'entry.js'), step);
    await writeFile(
      file,
      `schema: workflow/2022.04
name: ${name}
triggers:
  - id: ${trigger}
steps:
  - namespace: use
    uses: ./use/entry.js
    props: { shop: { authProvisionId: apn_Same01 } } # of the team
`,
    );
  }
  for (const name of ['Main shop', 'Test shop']) {
    const account = { app: 'shop_of_test', name, credentials: { key: name } };
    await runtime.restData('POST', '/v1/accounts', account);
  }
  const data = join(runtime.folder, 'data');
  const run = typeCommand(importWorkflows, runtime.folder, 'import', folder, '--data', data);
  await run.shows('first and 1 more: which account takes the place of apn_Same01 of shop_of_test?');
  await run.shows('Main shop');
  await run.shows('Its number, name or id');
  await run.type('7', enter);
  await run.shows('There is no account 7 here.');
  await run.shows('Its number, name or id');
  await run.type('Test shop', enter);
  await run.shows('When? Seconds');
  await run.type('soon', enter);
  await run.shows('"soon" is not a cron expression');
  await run.shows('When? Seconds');
  await run.type('900', enter);
  await run.shows('2 workflows: 2 ready.');
  expect(await run.code).toBe(0);
  const accounts = await runtime.restData<Account[]>('GET', '/v1/accounts?app=shop_of_test');
  const chosen = accounts.find(({ name }) => name === 'Test shop')?.id;
  const texts = await Promise.all(
    ['first', 'second'].map((name) =>
      readFile(join(folder, `${name}-p_${name}`, 'workflow.yaml'), 'utf8'),
    ),
  );
  for (const text of texts) expect(text).toContain(`authProvisionId: ${chosen} } } # of the team`);
  expect(texts[1]).toMatch(/intervalSeconds: 900/);
  const again = typeCommand(importWorkflows, runtime.folder, 'import', folder, '--data', data);
  expect(await again.code).toBe(0);
  expect(again.screen()).not.toMatch(/Its number|When\?/);
});

const action = (key: string) =>
  `export default { key: '${key}', name: 'Act', version: '0.1.0', type: 'action', run() { return 1; } };`;

/** Two workflows with three components, of which a repository has two. */
async function lacking(name: string): Promise<{ folder: string; url: string }> {
  const { commit, url } = await gitRepository(temporaryFolder(), name);
  await commit({
    [`${name}/actions/one/one.mjs`]: action(`${name}-one`),
    [`${name}/actions/two/two.mjs`]: action(`${name}-two`),
  });
  await runtime.weirJson('registry', 'add', url);
  const folder = join(runtime.folder, `${name}-flows`);
  for (const [flow, uses] of [
    ['first', ['one', 'two']],
    ['second', ['two', 'gone']],
  ] as const) {
    const file = join(folder, `${flow}-p_${name}${flow}`, 'workflow.yaml');
    await mkdir(dirname(file), { recursive: true });
    const steps = uses.map((of) => `  - namespace: ${of}\n    uses: ${name}-${of}@0.1.0\n`);
    await writeFile(
      file,
      `schema: workflow/2022.04\nname: ${flow}\ntriggers:\n  - id: hi_${flow}\nsteps:\n${steps.join('')}`,
    );
  }
  return { folder, url };
}

const locked = async (): Promise<string[]> => {
  const text = await readFile(join(runtime.folder, 'weir.lock.json'), 'utf8').catch(() => '');
  if (text === '') return [];
  const { components } = JSON.parse(text) as { components: { key: string }[] };
  return components.map(({ key }) => key);
};

test('components that are missing are asked about once, all together; a no fetches none, a yes all that there are', async () => {
  const { folder } = await lacking('asked');
  const data = join(runtime.folder, 'data');
  const refused = typeCommand(importWorkflows, runtime.folder, 'import', folder, '--data', data);
  await refused.shows('3 components are not here; the registries are asked.');
  await refused.shows('Allow these 2 to run with your rights? (y/N)');
  await refused.type('n', enter);
  await refused.shows('They were not fetched');
  expect(await refused.code).toBe(0);
  expect(await locked()).toEqual([]);

  const run = typeCommand(importWorkflows, runtime.folder, 'import', folder, '--data', data);
  await run.shows('Allow these 2 to run with your rights? (y/N)');
  await run.type('y', enter);
  await run.shows('2 workflows: 1 ready, 1 needs an answer.');
  expect(await run.code).toBe(0);
  expect(run.screen()).toMatch(/asked-gone@0\.1\.0:/);
  expect(await locked()).toEqual(['asked-one', 'asked-two']);
});

test('where nobody is asked, the report says it, and --trust fetches', async () => {
  const { folder, url } = await lacking('told');
  const told = await runtime.weir('import', folder, '--yes');
  expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining('--trust PUBLISHER') });
  expect(await locked()).not.toContain('told-one');
  const run = await runtime.weir('import', folder, '--yes', '--trust', url);
  expect(run.stdout).toContain('1 ready, 1 needs an answer');
  expect(await locked()).toEqual(expect.arrayContaining(['told-one', 'told-two']));
});

test('over REST: the report has what is missing, one error asks about all, and a repeat fetches', async () => {
  const { folder } = await lacking('rest');
  const report = await runtime.restData<Result<'imports.run'>>('POST', '/v1/imports', { folder });
  const references = report.workflows.flatMap(({ findings }) =>
    findings.flatMap(({ question }) =>
      question?.kind === 'component' ? [question.reference] : [],
    ),
  );
  expect(references).toEqual([
    'rest-one@0.1.0',
    'rest-two@0.1.0',
    'rest-two@0.1.0',
    'rest-gone@0.1.0',
  ]);
  const path = '/v1/components/registry/all';
  const asked = await runtime.rest('POST', path, { references });
  const { code, details } = asked.body as { code: string; details: { token: string }[] };
  expect({ status: asked.status, code, asked: details.length }).toEqual({
    status: 409,
    code: 'trust_needed',
    asked: 2,
  });
  for (const { token } of details) await runtime.rest('POST', '/v1/registries/trust', { token });
  const added = await runtime.restData<Result<'components.add_all'>>('POST', path, { references });
  expect(added.added.map(({ key }) => key)).toEqual(['rest-one', 'rest-two']);
  expect(added.problems).toMatchObject([
    { reference: 'rest-gone@0.1.0', message: expect.stringContaining('rest-gone') },
  ]);
});

test('the nearest versions are one question, written into uses with all else kept, and checked', async () => {
  const { commit, url } = await gitRepository(temporaryFolder(), 'near');
  const needing = (key: string): string =>
    `export default { key: '${key}', name: 'Act', version: '0.3.0', type: 'action', props: { must: { type: 'string' } }, run() { return 1; } };`;
  await commit({
    'near/actions/one/one.mjs': action('near-one'),
    'near/actions/two/two.mjs': needing('near-two'),
  });
  await runtime.weirJson('registry', 'add', url);
  const file = join(runtime.folder, 'near-flows/near-p_near', 'workflow.yaml');
  await mkdir(dirname(file), { recursive: true });
  const text = `schema: workflow/2022.04\r\nname: near\r\ntriggers:\r\n  - id: hi_near\r\nsteps:\r\n  - namespace: one # first\r\n    uses: "near-one@0.0.9" # old\r\n  - namespace: two\r\n    uses: near-two@0.2.0\r\n`;
  await writeFile(file, text);
  const folder = dirname(dirname(file));
  const told = await runtime.weir('import', folder, '--yes');
  expect(told.stdout).toContain(
    'near-one@0.0.9 is not here. No registry has near-one@0.0.9; the nearest version is',
  );
  expect(told.stdout).not.toContain('npm install');
  expect(told.stdout).toContain('weir registry add github:PipedreamHQ/pipedream');
  expect(told.stdout).toContain('excludes commercial use');
  const data = join(runtime.folder, 'data');
  const run = typeCommand(importWorkflows, runtime.folder, 'import', folder, '--data', data);
  await run.shows('near-one@0.0.9  →  near-one@0.1.0');
  await run.shows('Take the nearest of these 2?');
  await run.type('y', enter);
  await run.shows('Allow these 2 to run with your rights? (y/N)');
  await run.type('y', enter);
  await run.shows('two: must is required.');
  expect(await run.code).toBe(0);
  expect(await readFile(file, 'utf8')).toBe(
    text.replace('near-one@0.0.9', 'near-one@0.1.0').replace('near-two@0.2.0', 'near-two@0.3.0'),
  );
});

test('weir deploy of a folder deploys all that is ready in it, and Next: names it', async () => {
  const folder = join(runtime.folder, 'AllOfThem');
  for (const [name, extra] of [
    ['a', ''],
    ['b', ''],
    ['c', '  - id: ti_c\n'],
  ] as const) {
    const file = join(folder, 'deep', name, 'workflow.yaml');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(join(dirname(file), 'one.js'), 'export default { run() { return 1; } };');
    await writeFile(
      file,
      `schema: workflow/2022.04\nname: all-${name}\ntriggers:\n  - uses: $.interface.http\n${extra}steps:\n  - namespace: one\n    uses: ./one.js\n`,
    );
  }
  const imported = await runtime.weir('import', folder, '--yes');
  expect(imported.stdout).toMatch(/Next: weir deploy .*AllOfThem\/deep\n/);
  const { stdout, code } = await runtime.weir('deploy', folder);
  expect(code).toBe(0);
  expect(stdout).toContain('2 deployed, 0 failed, 1 not ready.');
  expect(stdout).toMatch(/– .*deep\/c: The file does not say when this timer fires/);
  const empty = join(runtime.folder, 'nothing-in-it');
  await mkdir(empty);
  const none = await runtime.weir('deploy', `${empty}/`);
  expect(none.stderr).toContain('There is no workflow.yaml in');
});
