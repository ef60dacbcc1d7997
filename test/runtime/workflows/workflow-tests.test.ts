/** Tests of workflows: saved from an execution, run by `weir test`, failing when the code is another. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { endpointOf, respondingTrigger, workflowWorld } from './world.ts';

const world = workflowWorld();
const sender = 'signs-the-sender-in-77';
const marker = 'secret-of-the-test-9f31';

const total = (factor: number): string =>
  `export default { props: { items: 'any' }, run({ $ }) {
     $.export('$summary', 'Added up'); $.export('at', new Date().toISOString());
     return { sum: this.items.reduce((sum, { price }) => sum + price, 0) * ${factor}, key: process.env.TEST_MARKER };
   } };`;

async function shop(name: string) {
  const folder = await world.write(
    {
      name,
      triggers: [respondingTrigger],
      steps: [
        { namespace: 'total', code: total(1), props: { items: '{{event.body.items}}' } },
        {
          namespace: 'answer',
          run: 'await $.respond({ status: 201, body: { sum: steps.total.$return_value.sum } }); return steps.total.$return_value.sum;',
        },
      ],
    },
    name,
  );
  const workflow = await world.deployFolder(folder);
  await fetch(endpointOf(workflow), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${sender}`,
      'x-note': marker,
    },
    body: JSON.stringify({ items: [{ price: 2 }, { price: 3 }], note: `a ${marker} b` }),
  });
  const [execution] = await world.executions(workflow);
  return { folder, workflow, id: execution?.id ?? expect.unreachable() };
}

const weir = (...args: string[]) => world.runtime.weir(...args);

test('an execution is saved as a test, which passes, and fails by path when the code is another', async () => {
  const client = await world.runtime.connect();
  await client.call('environment.set', { name: 'TEST_MARKER', value: marker });
  const { folder, id } = await shop('saved');
  const saved = await weir('save-test', id, '--name', 'two items');
  expect([saved.code, saved.stderr]).toEqual([0, '']);
  expect(saved.stdout).toContain('Secrets were taken out');
  expect(saved.stdout).toMatch(/event\.headers\.authorization, .*event\.body\.note/);
  const file = join(folder, 'tests', 'two-items.test.yaml');
  const text = await readFile(file, 'utf8');
  expect(text).toContain('sum: 5');
  expect(text).not.toContain(marker);
  expect(text).not.toContain(sender);
  expect(text).toContain('note: a [TEST_MARKER] b');
  expect(text).toMatch(/response:\n\s+status: 201/);
  const again = await weir('save-test', id, '--name', 'two items');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is there already')]);

  // A time is another each time.
  await writeFile(file, text.replace(/at: .*/, 'at: { $match: "^20" }'));
  const passed = await weir('test', folder);
  expect(passed.stdout).toMatch(/^✔ saved: two-items {2}\d+ ms\n1 passed, 0 failed\n$/);
  expect(passed.code).toBe(0);

  await writeFile(join(folder, 'total', 'entry.mjs'), total(2));
  const output = join(temporaryFolder(), 'made', 'on-the-way', 'junit.xml');
  const failed = await weir('test', folder, '--reporter', 'junit', '--output', output);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain(
    'steps.total.$return_value.sum\n      expected 5\n      got      10',
  );
  expect(failed.stdout).toContain('response.body.sum');
  expect(failed.stdout).toMatch(/0 passed, 1 failed\n$/);
  const xml = await readFile(output, 'utf8');
  expect(xml).toContain('<testsuites name="weir" tests="1" failures="1" errors="0"');
  expect(xml).toContain('<failure message="steps.total.$return_value.sum differs">');

  const updated = await weir('test', folder, '--update');
  expect([updated.code, updated.stdout]).toEqual([0, expect.stringContaining('updated')]);
  const now = await readFile(file, 'utf8');
  expect(now).toContain('sum: 10');
  expect(now).toContain('$match');
  expect(now).toContain('# Made of');
  expect((await weir('test', folder)).code).toBe(0);
});

test('a step that is pinned does not run', async () => {
  const { folder, id } = await shop('pinned');
  await weir('save-test', id, '--name', 'p', '--pin', 'total');
  await writeFile(
    join(folder, 'total', 'entry.mjs'),
    'export default { run() { throw new Error("it ran"); } };',
  );
  expect(await weir('test', folder)).toMatchObject({ code: 0 });
  const unknown = await weir('save-test', id, '--name', 'q', '--pin', 'nobody');
  expect(unknown.stderr).toContain('The step nobody did not run');
});

test('what is brought up is what came: a step that no longer runs still fails', async () => {
  const { folder } = await shop('brought-up');
  const file = join(folder, 'tests', 'gone.test.yaml');
  await mkdir(join(folder, 'tests'));
  const text = `event: { body: { items: [] } }
expect:
  error: 'Error: gone'
  steps:
    total: { $return_value: { sum: 9 } }
    nosuch: { $return_value: 1 }
`;
  await writeFile(file, text);
  const updated = await weir('test', folder, '--update');
  expect([updated.code, updated.stdout]).toEqual([
    1,
    expect.stringContaining(
      'steps.nosuch\n      expected {"$return_value":1}\n      got      nothing',
    ),
  ]);
  expect(await readFile(file, 'utf8')).toBe(
    text.replace("  error: 'Error: gone'\n", '').replace('sum: 9', 'sum: 0, key: "[TEST_MARKER]"'),
  );
});

test('what is wrong with a test, or keeps it from running, is told; the others run', async () => {
  const { folder, id } = await shop('mixed');
  await weir('save-test', id, '--name', 'z-good', '--pin', 'total');
  await writeFile(join(folder, 'tests', 'a-bad.test.yaml'), 'expect:\n  status: fine\n');
  const run = await weir('test', folder);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/✖ mixed: a-bad[^]*a-bad\.test\.yaml:2: .*must be one of/);
  expect(run.stdout).toMatch(/✔ mixed: z-good[^]*1 passed, 1 failed\n$/);
  const first = await weir('test', folder, '--bail');
  expect(first.stdout).toMatch(/0 passed, 1 failed, 1 not run\n$/);
  const none = await weir('test', folder, '--filter', 'nothing-like-it');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no test')]);
  const wrong = await weir('test', folder, '--reporter', 'tap');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no reporter "tap"')]);
});
