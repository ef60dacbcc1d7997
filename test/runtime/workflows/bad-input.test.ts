/** What people do by mistake: each ends with a sentence that says what to change, and nothing is lost. */
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Workflow } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { post } from '../../support/post.ts';
import { startRuntime } from '../../support/runtime.ts';
import { tryDeploy } from './script-files.ts';
import { endpointOf, httpTrigger, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

const state = (folder: string): Promise<string> =>
  readFile(join(folder, '.workflow.state'), 'utf8');

describe('folders', () => {
  const steps = [{ namespace: 'one', run: "return 'as deployed'" }];

  test('a copy with the state of another gets an id of its own, and that one keeps its own', async () => {
    const original = await world.deploy({ triggers: [httpTrigger], steps }, 'original');
    const folder = join(world.folder, 'copied');
    await cp(original.path, folder, { recursive: true });
    const copy = await world.deployFolder(folder);
    expect(copy.id).not.toBe(original.id);
    expect(endpointOf(copy)).not.toBe(endpointOf(original));
    expect([await state(original.path), await state(folder)]).toEqual([
      expect.stringContaining(original.id),
      expect.stringContaining(copy.id),
    ]);
    const message = expect.stringMatching(
      /copied has the id of .*original; it is a copy, and gets one of its own/,
    ) as string;
    expect(copy).toMatchObject({ warnings: [{ severity: 'warning', message }] });
    // From now on either folder is its own workflow.
    expect((await world.deployFolder(folder)).id).toBe(copy.id);
    expect((await world.deployFolder(original.path)).id).toBe(original.id);
    expect((await post(endpointOf(original), {})).status).toBe(200);
  });

  test('one that was moved is the same workflow', async () => {
    const workflow = await world.deploy({ triggers: [httpTrigger], steps }, 'before');
    const folder = join(world.folder, 'after');
    await rename(workflow.path, folder);
    const moved = await world.deployFolder(folder);
    expect([moved.id, moved.path, endpointOf(moved)]).toEqual([
      workflow.id,
      folder,
      endpointOf(workflow),
    ]);
  });

  test('one that was deleted runs on as it was deployed, and a deploy says that it is gone', async () => {
    const workflow = await world.deploy({ triggers: [httpTrigger], steps }, 'deleted');
    await rm(workflow.path, { recursive: true });
    await world.restart();
    expect(stepOf(await world.run(workflow), 'one').return_value).toBe('as deployed');
    const again = await world.runtime.rest('POST', '/v1/workflows', {
      workflow_path: workflow.path,
    });
    expect([again.status, JSON.stringify(again.body)]).toEqual([
      400,
      expect.stringContaining(`There is no folder ${workflow.path}.`),
    ]);
    const run = await world.runtime.weir('deploy', workflow.path);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(workflow.path)]);
  });

  test('a state file that is none is told, and is not written over', async () => {
    const folder = await world.write({ steps }, 'stateless');
    await writeFile(join(folder, '.workflow.state'), 'id: [');
    const { status, body } = await world.runtime.rest('POST', '/v1/workflows', {
      workflow_path: folder,
    });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringMatching(/stateless: .*state/),
    ]);
    expect(await state(folder)).toBe('id: [');
  });
});

test.for([
  ['python3', 'code/entry.py', /Steps in Python need python3 on the PATH .*install it, or disable/],
  ['bash', 'code/entry.sh', /Steps in Bash need bash on the PATH: install it, or write the step/],
] as const)(
  '%s is missing: told at deploy, with what to do',
  async ([, file, message], { onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const preload = join(folder, 'no-path.cjs');
    await writeFile(preload, "process.env.PATH = '/nowhere';\n");
    const own = await startRuntime({ folder, preload, atEnd: onTestFinished });
    const { status, body } = await tryDeploy(
      { ...own, folder },
      { steps: [{ namespace: 'code', uses: `./${file}` }], files: { [file]: '' } },
    );
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
    expect(JSON.stringify(body)).toContain('code: ');
  },
);

describe('what a step hands on', () => {
  test('10 MB fail the step with the limit, and its execution with its name', async () => {
    const workflow = await world.deploy({
      steps: [
        {
          namespace: 'large',
          run: `const text = 'x'.repeat(10_000_000);
            if (steps.trigger.event.as === 'export') $.export('text', text); else return text;`,
        },
        { namespace: 'after', run: 'return 1' },
      ],
    });
    for (const as of ['return', 'export']) {
      const execution = await world.run(workflow, { as });
      expect(execution.status).toBe('failed');
      expect(execution.error?.message).toMatch(
        /^large: .* is 9\.5 MB of JSON; a step may hand on 6 MB/,
      );
      expect(execution.steps.map(({ path }) => path)).toEqual(['large']);
      // Nobody is led into the code of Weir.
      expect(execution.steps[0]?.error?.stack).toBe(
        `RangeError: ${execution.error?.message.replace('large: ', '')}`,
      );
    }
  });

  test('a cycle is cut where it closes', async () => {
    const workflow = await world.deploy({
      steps: [
        {
          namespace: 'ring',
          run: `const ring = { n: 1 }; ring.self = ring; $.export('exported', ring); return [ring];`,
        },
        { namespace: 'after', run: 'return steps.ring' },
      ],
    });
    const ring = { n: 1, self: '[Circular]' };
    expect(stepOf(await world.run(workflow), 'after').return_value).toEqual({
      exported: ring,
      $return_value: [ring],
    });
  });
});

describe('expressions', () => {
  const code = `export default { props: { value: { type: 'any', optional: true } }, run() { return this.value } }`;
  const withValue = (value: string): Promise<Workflow> =>
    world.deploy({
      settings: { lambda_timeout: 2 },
      steps: [{ namespace: 'use', code, props: { value } }],
    });

  test.for([
    [
      '{{event.deep.er}}',
      "use.value: {{ event.deep.er }} threw TypeError: Cannot read properties of undefined (reading 'er')",
    ],
    [
      '{{steps.nobody.$return_value}}',
      'use.value: {{ steps.nobody.$return_value }} threw TypeError',
    ],
    ['{{(() => { throw 5 })()}}', 'use.value: {{ (() => { throw 5 })() }} threw'],
    ['{{1 +}}', 'use.value: {{ 1 + }} is not a JavaScript expression: SyntaxError'],
    ['{{await 1}}', 'there is no await in expressions'],
    ['{{event.toString}}', 'use.value: {{ event.toString }} gives a function; call it'],
  ] as const)('%s fails its step, and says where it stands', async ([value, message]) => {
    const execution = await world.run(await withValue(value), {});
    expect([execution.status, execution.error?.message]).toEqual([
      'failed',
      expect.stringContaining(message),
    ]);
  });

  test('one that loops ends with the time limit, and nothing beside it does', async () => {
    const looping = await withValue('{{(() => { for (;;); })()}}');
    const { id } = await world.begin(looping);
    const fine = await withValue('{{1 + 1}}');
    expect(stepOf(await world.run(fine), 'use').return_value).toBe(2);
    const execution = await world.ended(id);
    expect([execution.status, execution.error?.message]).toEqual([
      'timed_out',
      expect.stringMatching(/time limit of 2 s/),
    ]);
  });
});

describe('resume URLs', () => {
  const waiting = () =>
    world.deploy({
      steps: [
        { namespace: 'ask', run: '$.flow.suspend()' },
        { namespace: 'after', run: 'return steps.ask.$resume_data.body' },
      ],
    });
  const urlsOf = async (id: string) => stepOf(await world.execution(id), 'ask').pause!;

  test('that of another execution resumes that one alone; a second call, and one after its end, is 410', async () => {
    const workflow = await waiting();
    const [first, second] = [await world.run(workflow), await world.run(workflow)];
    const urls = { first: await urlsOf(first.id), second: await urlsOf(second.id) };
    expect((await post(urls.second.resume_url, { whose: 'second' })).status).toBe(200);
    expect(stepOf(await world.ended(second.id), 'after').return_value).toEqual({ whose: 'second' });
    expect((await world.execution(first.id)).status).toBe('paused');
    for (const url of [urls.second.resume_url, urls.second.cancel_url]) {
      const late = await post(url, { whose: 'late' });
      expect([late.status, await late.text()]).toEqual([
        410,
        'This pause has ended already; nothing was done.\n',
      ]);
    }
    expect((await world.execution(second.id)).status).toBe('succeeded');
    expect((await world.execution(first.id)).status).toBe('paused');
  });

  test('of a workflow that was deleted while it waited: 404, and nobody waits on', async () => {
    const workflow = await waiting();
    const { id } = await world.run(workflow);
    const { resume_url: url } = await urlsOf(id);
    expect((await world.runtime.weir('delete', workflow.id)).code).toBe(0);
    const answer = await post(url, {});
    expect([answer.status, await answer.text()]).toEqual([
      404,
      'There is no execution at this address.\n',
    ]);
    const run = await world.runtime.weir('resume', id);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(id)]);
  });
});
