/** P25.99: an imported workflow is ready when a deploy succeeds: both check the same. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Result } from '../../../src/protocol/catalogue.ts';
import { workflowWorld } from './world.ts';

const world = workflowWorld();
type Report = Result<'imports.run'>;
let count = 0;

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(world.folder, `moved-${(count += 1)}`);
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

const yaml = (step: string): string =>
  `schema: workflow/2022.04\nname: W\ntriggers:\n  - uses: $.interface.http\nsteps:\n  - namespace: a\n${step}`;

/** Says that it was run by a file. */
const vers = (key: string, props: string): string => `import fs from 'node:fs';
fs.writeFileSync(${JSON.stringify('RAN')}, 'x');
export default { key: '${key}', name: 'Vers', version: '0.0.2', type: 'action', props: { ${props} }, run() { return 1; } };`;

/** What an import says, and whether a deploy of the same folder then succeeds. */
async function both(folder: string): Promise<{ report: Report; deployed: boolean; said: string }> {
  const report: Report = await world.runtime.restData('POST', '/v1/imports', { folder });
  const { status, body } = await world.runtime.rest('POST', '/v1/workflows', {
    workflow_path: folder,
  });
  return { report, deployed: status < 300, said: JSON.stringify(body) };
}

// Of the workflow's own folder: read by a parser, and not run. Elsewhere in the workspace: as a deploy does it.
const places = ['own', 'workspace'] as const;
const cases: [string, string, string, boolean, RegExp?][] = [
  ['a required prop that is missing', `must: { type: 'string' }`, '{}', false, /must is required/],
  ['a prop by its type alone', `must: 'integer'`, '{}', false, /must is required/],
  ['another type', `n: { type: 'integer' }`, '{ n: x }', false, /n must be a number/],
  ['a number that is too large', `n: { type: 'integer', max: 3 }`, '{ n: 4 }', false, /at most 3/],
  ['an optional one', `o: { type: 'string', optional: true }`, '{}', true],
  ['a hidden one', `o: { type: 'string', hidden: true }`, '{}', true],
  ['a default', `o: { type: 'string', default: 'x' }`, '{}', true],
  ['a default that is computed', `o: { type: 'string', default: String(1) }`, '{}', true],
  ['an expression', `n: { type: 'integer' }`, "{ n: '{{event.n}}' }", true],
];

test.each(cases.flatMap((one) => places.map((place) => [one[0], place, one] as const)))(
  '%s (%s)',
  async (_, place, [, props, values, isReady, says]) => {
    const key = `h-vers${(count += 1)}`;
    const mark = join(world.folder, `ran-${key}`);
    const module = vers(key, props).replace('"RAN"', JSON.stringify(mark));
    const isOwn = place === 'own';
    if (!isOwn) await writeFile(join(world.folder, `${key}.mjs`), module);
    const uses = isOwn ? './a/entry.mjs' : `${key}@0.0.2`;
    const folder = await folderOf({
      'workflow.yaml': yaml(`    uses: ${uses}\n    props: ${values}\n`),
      ...(isOwn && { 'a/entry.mjs': module }),
    });
    const report: Report = await world.runtime.restData('POST', '/v1/imports', { folder });
    if (isOwn) expect(existsSync(mark)).toBe(false);
    const [workflow] = report.workflows;
    const { deployed, said } = await both(folder);
    const state = workflow?.state === 'ready';
    expect({ state, deployed, said }).toMatchObject({ state: isReady, deployed: isReady });
    const messages = workflow?.findings.map((one) => one.message).join();
    if (says !== undefined) expect(messages).toMatch(says);
  },
);

test('a prop that is built on the definition of an app in the same folder, and one that additionalProps adds', async () => {
  const app = `export default { type: 'app', app: 'h_app', propDefinitions: { it: { type: 'string' } } };`;
  const folder = await folderOf({
    'workflow.yaml': yaml('    uses: ./a/entry.mjs\n'),
    'a/h.app.mjs': app,
    'a/entry.mjs': `import h from './h.app.mjs';
export default { key: 'h-def', name: 'D', version: '0.0.1', type: 'action', props: { it: { propDefinition: [h, 'it'] } }, run() {} };`,
  });
  const { report, deployed } = await both(folder);
  expect([report.workflows[0]?.state, deployed]).toEqual(['answer', false]);
  await writeFile(
    join(world.folder, 'h-more.mjs'),
    `export default { key: 'h-more', name: 'M', version: '0.0.1', type: 'action', props: { on: { type: 'boolean', reloadProps: true } },
additionalProps() { return this.on ? { must: { type: 'string' } } : {}; }, run() {} };`,
  );
  const more = await folderOf({
    'workflow.yaml': yaml('    uses: h-more@0.0.1\n    props: { on: true }\n'),
  });
  const added = await both(more);
  expect([added.report.workflows[0]?.state, added.deployed]).toEqual(['answer', false]);
  expect(added.report.workflows[0]?.findings[0]).toMatchObject({
    step: 'a',
    message: 'must is required.',
    line: 6,
  });
});

test('an account that nobody has connected, a data store, an inactive workflow, an open endpoint', async () => {
  const folder = await folderOf({
    'workflow.yaml': `schema: workflow/2022.04\nname: W\ninactive: true\ntriggers:\n  - id: hi_q\nsteps:\n  - namespace: a\n    uses: ./a/entry.mjs\n`,
    'a/entry.mjs': `export default { name: 'A', version: '0.0.1', type: 'action', props: { store: { type: 'data_store' }, h: { type: 'app', app: 'h_app' } }, run() {} };`,
  });
  const report: Report = await world.runtime.restData('POST', '/v1/imports', { folder });
  const [workflow] = report.workflows;
  expect(workflow?.state).toBe('answer');
  const said = workflow?.findings.map(({ state, message }) => `${state}: ${message}`).join('\n');
  expect(said).toMatch(/^note: It is inactive/m);
  expect(said).toMatch(/^note: Its endpoint takes requests of everybody/m);
  expect(said).toMatch(/^note: Its data store begins empty/m);
  expect(said).toMatch(/^answer: h has no account of h_app; connect one/m);
});

test('code that does not compile, and a state file that says nothing', async () => {
  const folder = await folderOf({
    'workflow.yaml': yaml('    uses: ./a/entry.mjs\n'),
    'a/entry.mjs': 'export default { run() { return } };\nconst = 1;',
  });
  const { report, deployed } = await both(folder);
  expect([report.workflows[0]?.state, deployed]).toEqual(['cannot', false]);
  expect(report.workflows[0]?.findings[0]).toMatchObject({
    step: 'a',
    file: join(folder, 'a/entry.mjs'),
    line: 2,
  });
  const other = await folderOf({
    'workflow.yaml': yaml('    uses: ./a/entry.mjs\n'),
    'a/entry.mjs': 'export default { run() {} };',
    '.workflow.state': 'nothing: here\n',
  });
  const stated = await both(other);
  expect([stated.report.workflows[0]?.state === 'ready', stated.deployed]).toEqual([false, false]);
});

// P2.20: the code of its step takes no credential, so that an import asks for none, wherever the code comes from.
test.each(places)('an app that takes no credentials needs no account (%s)', async (place) => {
  const key = `plain_app${(count += 1)}-tick`;
  const module = (app: string): string => `import plain from '${app}';
export default { key: '${key}', name: 'Tick', version: '0.0.2', type: 'action',
  props: { plain, rest: { type: 'app', app: 'rest_of_it' } }, run() { return this.rest.$auth.token; } };`;
  const app = `export default { type: 'app', app: 'plain_app', propDefinitions: {},
  methods: { authKeys() { console.log(Object.keys(this.$auth)); } } };`;
  const isOwn = place === 'own';
  if (!isOwn) {
    await writeFile(join(world.folder, `${key}.app.mjs`), app);
    await writeFile(join(world.folder, `${key}.mjs`), module(`./${key}.app.mjs`));
  }
  const named = '{ plain: { authProvisionId: apn_plain }, rest: { authProvisionId: apn_rest } }';
  const folder = await folderOf({
    'workflow.yaml': yaml(
      `    uses: ${isOwn ? './a/entry.mjs' : `${key}@0.0.2`}\n    props: ${named}\n`,
    ),
    ...(isOwn && { 'a/entry.mjs': module('./plain.app.mjs'), 'a/plain.app.mjs': app }),
  });
  const { report, deployed } = await both(folder);
  expect(deployed).toBe(true);
  const asked = report.workflows[0]?.findings.flatMap(({ question, state, message }) =>
    state === 'answer' ? [question?.kind === 'account' ? question.id : message] : [],
  );
  expect(asked).toEqual(['apn_rest']);
});
