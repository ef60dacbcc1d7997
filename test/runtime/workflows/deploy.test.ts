import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Page, Workflow } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endpointOf, httpTrigger, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

async function workflows(): Promise<readonly Workflow[]> {
  const { body } = await world.runtime.rest('GET', '/v1/workflows?limit=100');
  return (body as Page<Workflow>).data;
}

test('several steps that cannot be deployed are all told, each at its place, and nothing is deployed', async () => {
  const folder = await world.write({
    triggers: [httpTrigger],
    steps: [
      { namespace: 'fine', run: 'return 1' },
      { namespace: 'missing', uses: './missing/entry.mjs' },
      { namespace: 'broken', code: 'export default {' },
      { namespace: 'published', uses: 'nobody-has-this@1.0.0' },
      {
        namespace: 'props',
        props: { n: 'text' },
        code: `export default { props: { n: 'integer', must: 'string' }, run() {} }`,
      },
    ],
  });
  const before = await workflows();
  const { status, body } = await world.runtime.rest('POST', '/v1/workflows', {
    workflow_path: folder,
  });
  expect(status).toBe(400);
  const { error: message, details } = body as {
    error: string;
    details: { message: string; file: string; line: number }[];
  };
  expect(message).toMatch(/^broken\/entry\.mjs:1: /m);
  const text = JSON.stringify(details);
  for (const name of ['missing', 'published', 'props'])
    expect(text).toMatch(new RegExp(`"${name}[:.]`));
  expect(details.find(({ file }) => file.endsWith('broken/entry.mjs'))).toMatchObject({ line: 1 });
  expect(
    new Set(details.filter(({ file }) => file.endsWith('.yaml')).map(({ line }) => line)).size,
  ).toBe(3);
  expect(await workflows()).toEqual(before);
});

test('a deploy evaluates what has changed, and nothing else', async () => {
  const mark = (name: string): string =>
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(join(marks, 'evaluated'))}, '${name} ');
     export default { run() { return '${name}'; } };`;
  const marks = temporaryFolder();
  const evaluated = async (): Promise<string> =>
    (await readFile(join(marks, 'evaluated'), 'utf8')).trim();
  const folder = await world.write({
    triggers: [httpTrigger],
    steps: [
      { namespace: 'one', code: mark('one') },
      { namespace: 'two', code: mark('two') },
    ],
  });
  await world.deployFolder(folder);
  expect(await evaluated()).toBe('one two');
  await writeFile(join(folder, 'two', 'entry.mjs'), mark('changed'));
  await world.deployFolder(folder);
  expect(await evaluated()).toBe('one two changed');
});

test('deploys of one folder side by side are one workflow, which works', async () => {
  const folder = await world.write({
    triggers: [httpTrigger],
    steps: [{ namespace: 'one', run: 'return 1' }],
  });
  const all = await Promise.all([1, 2, 3, 4].map(() => world.deployFolder(folder)));
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(new Set(all.map(endpointOf)).size).toBe(1);
  expect(stepOf(await world.run(all[0]!), 'one').return_value).toBe(1);
});

test('W1: nothing that comes while it is deployed anew is lost or fails', async () => {
  const folder = await world.write(
    { triggers: [httpTrigger], steps: [{ namespace: 'one', run: 'return 1' }] },
    'again',
  );
  const workflow = await world.deployFolder(folder);
  const load = { isOn: true };
  let answered = 0;
  const callers = Array.from({ length: 4 }, async () => {
    while (load.isOn) {
      const { status } = await fetch(endpointOf(workflow), { method: 'POST' });
      expect(status).toBe(200);
      answered += 1;
    }
  });
  for (let version = 2; version < 8; version += 1) {
    await writeFile(`${folder}/one/entry.mjs`, `export default { run() { return ${version} } }`);
    await world.deployFolder(folder);
  }
  load.isOn = false;
  await Promise.all(callers);
  const all = await world.allEnded(workflow, answered);
  expect(all).toHaveLength(answered);
  expect(all.filter(({ status }) => status !== 'succeeded')).toEqual([]);
});

test('a deployment whose code was deleted fails with a sentence that says what to do', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'both',
        control: 'parallel',
        branches: [
          { name: 'a', steps: [{ namespace: 'one', run: 'return 1' }] },
          { name: 'b', steps: [{ namespace: 'two', run: 'return 2' }] },
        ],
      },
    ],
  });
  await world.runtime.kill();
  await rm(`${world.folder}/data/deployments`, { recursive: true, force: true });
  await world.start();
  const execution = await world.run(workflow);
  expect(execution.status).toBe('failed');
  expect(execution.error?.message).toContain('deploy the workflow again');
});

test('P25.85 a step that names /tmp is warned of where executions run side by side', async () => {
  const steps = [
    {
      namespace: 'write',
      run: `(await import('node:fs')).writeFileSync('/tmp/weir-report', 'x')`,
    },
  ];
  const beside = await world.deploy({ steps });
  expect(beside).toMatchObject({
    warnings: [
      {
        severity: 'warning',
        message: expect.stringMatching(
          /^write: line \d+ of its file names \/tmp, which up to 16 executions share: write os\.tmpdir\(\)/,
        ),
      },
    ],
  });
  const alone = await world.deploy({ steps, settings: { concurrency: { workers: 1 } } });
  expect(alone).toMatchObject({ warnings: [] });
});
