/** Tests of workflows: the files as they are, single steps, and pins (P25.90 to P25.92). */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Result, WholeExecution } from '../../../src/protocol/catalogue.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { RestAnswer } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { countOf, stepOf, type TestWorkflow, workflowWorld } from './world.ts';

const world = workflowWorld();

type Tested = Result<'executions.test'>;

const ask = (body: object): Promise<RestAnswer> =>
  world.runtime.rest('POST', '/v1/executions/test', { wait: true, ...body });

async function tested(folder: string, body: object = {}): Promise<Tested> {
  const answer = await ask({ workflow_path: folder, ...body });
  expect(answer).toMatchObject({ status: 200 });
  return (answer.body as { data: Tested }).data;
}

async function pin(folder: string, step: string, name: string, value: unknown): Promise<void> {
  const file = join(folder, step, 'pins', `${name}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
}

const three: TestWorkflow = {
  steps: [
    { namespace: 'one', run: `$.export('a', 1); return { n: steps.trigger.event.n ?? 0 }` },
    { namespace: 'two', run: `return steps.one.$return_value.n + 1` },
    { namespace: 'three', run: `return [steps.one, steps.two, $.context.test]` },
  ],
};

test('P25.90: a folder that is not deployed runs as it is, and is in no list', async () => {
  const folder = await world.write(three);
  const execution = await tested(folder, { event: { n: 4 } });
  expect(execution).toMatchObject({ status: 'succeeded', test: true, cause: 'manual' });
  expect(stepOf(execution, 'three').return_value).toEqual([
    { a: 1, $return_value: { n: 4 } },
    { $return_value: 5 },
    true,
  ]);
  const { body } = await world.runtime.rest('GET', '/v1/workflows?limit=100');
  const { data } = body as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).not.toContain(execution.workflow_id);
  await expect(readFile(join(folder, '.workflow.state'))).rejects.toThrow('ENOENT');
  expect(await world.execution(execution.id)).toMatchObject({ id: execution.id, test: true });
  const { workflow_id: id } = execution;
  for (const body of [{ event: {} }, { from_step: 'two' }]) {
    expect(await world.runtime.rest('POST', `/v1/workflows/${id}/executions`, body)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('was tested, and is not deployed') },
    });
  }

  // Deployed afterwards it is the same workflow, with its tests.
  const workflow = await world.deployFolder(folder);
  expect(workflow.id).toBe(execution.workflow_id);
  expect((await world.executions(workflow)).map(({ id, test: is }) => [id, is])).toEqual([
    [execution.id, true],
  ]);
});

test('P25.90: the files as they are now, while what is deployed stays', async () => {
  const folder = await world.write({ steps: [{ namespace: 'one', run: `return 'old'` }] });
  const workflow = await world.deployFolder(folder);
  await world.write(
    { steps: [{ namespace: 'one', run: `return 'new'` }] },
    folder.slice(world.folder.length + 1),
  );
  expect(stepOf(await tested(folder), 'one').return_value).toBe('new');
  expect(stepOf(await world.run(workflow), 'one').return_value).toBe('old');
});

test('P25.90: nothing of it goes out: no event, error, send, pause, db; and the response is shown', async () => {
  const receiver = await startReceiver();
  const webhook = await world.runtime.restData<{ id: string }>('POST', '/v1/webhooks', {
    url: receiver.url,
  });
  const code = `export default defineComponent({ props: { db: '$.service.db' },
    async run({ $ }) {
      const before = this.db.get('count') ?? 0; this.db.set('count', before + 1);
      $.send.emit({ raw_event: { from: 'a test' } });
      $.send.http({ method: 'POST', url: '${receiver.url}/sent', data: { n: 1 } });
      await $.respond({ status: 201, body: { ok: true } });
      $.flow.delay(3600_000);
      return before;
    } })`;
  const workflow = await world.deploy({
    triggers: [{ uses: '$.interface.http', props: { response: 'workflow' } }],
    steps: [
      { namespace: 'one', code },
      { namespace: 'two', run: 'return steps.one.$return_value' },
      { namespace: 'three', run: `throw new Error('as it has to')` },
    ],
  });
  for (const event_name of ['', '$errors']) {
    await world.runtime.restData('POST', '/v1/subscriptions', {
      emitter_id: 'p_*',
      listener_id: webhook.id,
      event_name,
    });
  }
  const first = await tested(workflow.path);
  const second = await tested(workflow.path);
  for (const execution of [first, second]) {
    expect(execution).toMatchObject({ status: 'failed', response: { status: 201, path: 'one' } });
    expect(execution.response?.body).toBe('{"ok":true}');
    expect(execution.sends).toMatchObject([{ kind: 'http', status: 'not_sent', path: 'one' }]);
    // What is deployed has its own db, which is still empty.
    expect(stepOf(execution, 'two').return_value).toBe(0);
    const logged = stepOf(execution, 'one').logs.map(({ text }) => text);
    expect(logged.join('\n')).toContain('does not wait');
  }
  const errors = await world.runtime.rest(
    'GET',
    `/v1/workflows/${workflow.id}/$errors/event_summaries`,
  );
  expect(errors.body).toMatchObject({ data: [] });
  const events = await world.runtime.rest(
    'GET',
    `/v1/workflows/${workflow.id}/event_summaries?include_dropped=true&expand=event`,
  );
  expect(events.body).toMatchObject({
    data: [
      { dropped: expect.stringContaining('test'), event: { raw_event: { from: 'a test' } } },
      { dropped: expect.stringContaining('test') },
    ],
  });
  // A run of what is deployed goes out, after all that the tests could have sent.
  const live = await world.run(workflow);
  expect(live.status).toBe('paused');
  await until('what is live to go out', (seen) => seen(receiver.received).length >= 2);
  expect(receiver.received.map(({ path, body }) => `${path} ${body}`).toSorted()).toEqual([
    '/ {"from":"a test"}',
    '/sent {"n":1}',
  ]);
  await world.cancel(live.id);
});

test('P25.90: it is kept to be looked at, though nothing of what is live is', async () => {
  const workflow = await world.deploy({
    settings: { data_retention: false },
    steps: [{ namespace: 'one', run: 'return 1' }],
  });
  expect((await world.run(workflow)).steps).toEqual([]);
  const { id } = await tested(workflow.path);
  expect(stepOf(await world.execution(id), 'one').return_value).toBe(1);
});

test('P25.90: suspend, rerun and retry do not wait either', async () => {
  const folder = await world.write({
    steps: [
      { namespace: 'asks', run: `$.flow.suspend(); return 'asked'` },
      { namespace: 'again', run: `$.flow.rerun(1000, null, 3); return $.context.run.runs` },
      {
        namespace: 'fails',
        retry: { max: 3, backoff_ms: 3600_000 },
        run: `throw new Error('once is enough')`,
      },
    ],
  });
  const execution = await tested(folder);
  expect(execution).toMatchObject({ status: 'failed', resumes_at: null });
  expect(execution.steps.map(({ path, run, attempt }) => [path, run, attempt])).toEqual([
    ['asks', 1, 1],
    ['again', 1, 1],
    ['fails', 1, 1],
  ]);
});

test('P25.90: a test waits for no worker, and keeps none', async () => {
  const workflow = await world.deploy({
    settings: { concurrency: { workers: 1 } },
    steps: [{ namespace: 'one', run: `if (steps.trigger.event.hold) await new Promise(() => {})` }],
  });
  const held = await world.begin(workflow, { hold: true });
  await world.becomes(held.id, 'running');
  expect((await tested(workflow.path)).status).toBe('succeeded');
  await world.cancel(held.id);
  await world.cancel(held.id);
  expect((await world.run(workflow)).status).toBe('succeeded');
});

test('P25.90: a test that the runtime did not survive is cancelled, and not run again', async () => {
  const folder = await world.write({
    steps: [{ namespace: 'one', run: 'await new Promise(() => {})' }],
  });
  const begun = await tested(folder, { wait: false });
  await world.becomes(begun.id, 'running');
  await world.restart();
  const ended = await world.ended(begun.id);
  expect(ended).toMatchObject({ status: 'cancelled', steps: [] });
  expect(ended.reason).toContain('test');
});

test('bad input of a test: the sentence that says what to change', async () => {
  const folder = await world.write(three);
  const workflow = await world.deployFolder(await world.write(three));
  const live = await world.run(workflow);
  for (const [body, sentence] of [
    [{}, /"workflow_path".*"id"/],
    [{ workflow_path: folder, id: workflow.id }, /"workflow_path".*"id"/],
    [{ workflow_path: join(folder, 'nowhere') }, /There is no folder/],
    [{ workflow_path: folder, step: 'four' }, /no step "four"; there are one, two, three/],
    [{ workflow_path: folder, step: 'three' }, /no results of one yet/],
    [{ workflow_path: folder, execution: live.id }, /another workflow/],
    [{ workflow_path: folder, pins: { four: 'x' } }, /no step four to pin/],
    [{ workflow_path: folder, pins: { one: 'x' } }, /There is no pin .*one\/pins\/x\.json/],
    [{ workflow_path: folder, pins: { one: '../x' } }, /is not a name for a pin/],
  ] as const) {
    const { status, body: answer } = await ask(body);
    expect([status, (answer as { error: string }).error]).toEqual([
      400,
      expect.stringMatching(sentence),
    ]);
  }
  await pin(folder, 'one', 'bad', '[1]');
  expect(await ask({ workflow_path: folder, pins: { one: 'bad' } })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/bad\.json must be a JSON object/) },
  });
});

test('P25.91: one step runs with what the last execution has for those before it', async () => {
  const workflow = await world.deploy(three);
  const live = await world.run(workflow, { n: 7 });
  await world.write(
    {
      steps: [
        ...three.steps.slice(0, 1),
        { namespace: 'two', run: `return 'edited, after ' + steps.one.$return_value.n` },
        ...three.steps.slice(2),
      ],
    },
    workflow.path.slice(world.folder.length + 1),
  );
  const single = await tested(workflow.path, { step: 'two' });
  expect(single).toMatchObject({ status: 'succeeded', test: true, replay_of: live.id });
  expect(single.steps.map(({ path }) => path)).toEqual(['one', 'two']);
  expect(stepOf(single, 'two').return_value).toBe('edited, after 7');
  // Results of a test will do, too, and are the newest; others can be named.
  for (const [execution, two] of [
    [undefined, 'edited, after 7'],
    [live.id, 8],
  ] as const) {
    const third = await tested(workflow.path, { step: 'three', execution });
    expect(third.replay_of).toBe(execution ?? single.id);
    expect(stepOf(third, 'three').return_value).toMatchObject([{}, { $return_value: two }, true]);
  }
  // The step itself may fail: then the test has.
  const first = await tested(workflow.path, { step: 'one', event: { n: 9 } });
  expect(first.steps).toMatchObject([{ path: 'one', return_value: { n: 9 } }]);
});

test('P25.91: a step inside of a block, and a whole block', async () => {
  const folder = await world.write({
    steps: [
      {
        namespace: 'choose',
        control: 'ifelse',
        branches: [
          {
            name: 'yes',
            when: '{{event.go}}',
            steps: [
              { namespace: 'first', run: 'return 1' },
              { namespace: 'second', run: 'return steps.first.$return_value + 1' },
            ],
          },
        ],
      },
      { namespace: 'last', run: 'return steps.choose' },
    ],
  });
  await tested(folder, { event: { go: true } });
  const inner = await tested(folder, { step: 'second' });
  expect(inner.status).toBe('succeeded');
  expect(stepOf(inner, 'choose.yes.second').return_value).toBe(2);
  expect(inner.steps.map(({ path }) => path)).toEqual([
    'choose',
    'choose.yes.first',
    'choose.yes.second',
  ]);
  const block = await tested(folder, { step: 'choose' });
  expect(block.steps.map(({ path }) => path)).toEqual(inner.steps.map(({ path }) => path));
  expect(block.status).toBe('succeeded');
});

test('W45 P25.92: pins stand in for steps in tests, and never in what is live', async () => {
  const workflow = await world.deploy(three);
  await pin(workflow.path, 'one', 'default', { $return_value: { n: 100 }, a: 'pinned' });
  await pin(workflow.path, 'one', 'small', { $return_value: { n: 2 } });
  await pin(workflow.path, 'two', 'none', {});

  const live = await world.run(workflow, { n: 1 });
  expect(stepOf(live, 'two').return_value).toBe(2);
  expect(live.steps.map(({ pinned }) => pinned)).toEqual([null, null, null]);

  const whole = await tested(workflow.path);
  expect(whole.steps.map(({ path, pinned }) => [path, pinned])).toEqual([
    ['one', 'default'],
    ['two', null],
    ['three', null],
  ]);
  expect(stepOf(whole, 'three').return_value).toMatchObject([
    { a: 'pinned', $return_value: { n: 100 } },
    { $return_value: 101 },
    true,
  ]);
  const chosen = await tested(workflow.path, { pins: { one: 'small', two: 'none' } });
  expect(stepOf(chosen, 'three').return_value).toMatchObject([
    { $return_value: { n: 2 } },
    {},
    true,
  ]);
  const without = await tested(workflow.path, { default_pins: false, event: { n: 5 } });
  expect(without.steps.map(({ pinned }) => pinned)).toEqual([null, null, null]);
  // The step that is run is not pinned; those before it are, without any execution.
  const single = await tested(workflow.path, { step: 'two', pins: { two: 'none' } });
  expect(stepOf(single, 'two')).toMatchObject({ return_value: 101, pinned: null });
  // Results that pins are among are not for what goes out.
  for (const path of [
    `/v1/executions/${whole.id}/replay`,
    `/v1/workflows/${workflow.id}/executions`,
  ]) {
    const of = path.includes(whole.id) ? {} : { execution: whole.id };
    expect(await world.runtime.rest('POST', path, { from_step: 'three', ...of })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(`${whole.id} is a test`) },
    });
  }
});

test('P25.92: a pin of a block stands in for all of it', async () => {
  const folder = await world.write({
    steps: [
      {
        namespace: 'loop',
        control: 'each',
        on: '{{[1, 2]}}',
        steps: [{ namespace: 'item', run: `throw new Error('never')` }],
      },
      { namespace: 'last', run: 'return steps.loop.$return_value' },
    ],
  });
  await pin(folder, 'loop', 'default', { $return_value: ['a', 'b'] });
  const execution = await tested(folder);
  expect(execution.steps.map(({ path, pinned }) => [path, pinned])).toEqual([
    ['loop', 'default'],
    ['last', null],
  ]);
  expect(stepOf(execution, 'last').return_value).toEqual(['a', 'b']);
});

test('P25.92: results become a pin, once, unless it is to be replaced; not the values of variables', async () => {
  await world.runtime.weir('env', 'set', 'PIN_TOKEN', 'very-secret-value');
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', run: `$.export('n', 1); return 'with ' + process.env.PIN_TOKEN` },
      {
        namespace: 'loop',
        control: 'each',
        on: '{{[1, 2]}}',
        steps: [{ namespace: 'item', run: 'return steps.loop.item * 10' }],
      },
    ],
  });
  const { id } = await world.run(workflow);
  const keep = (body: object) => world.runtime.rest('POST', `/v1/executions/${id}/pin`, body);
  const file = join(workflow.path, 'one', 'pins', 'default.json');
  expect(await keep({ step: 'one' })).toMatchObject({
    status: 200,
    body: { data: { file, step: 'one', name: 'default' } },
  });
  const kept = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  expect(kept).toMatchObject({ n: 1 });
  expect(kept['$return_value']).toMatch(/^with (?!very-secret)/);
  expect(await keep({ step: 'one' })).toMatchObject({ status: 409 });
  expect(await keep({ step: 'one', replace: true })).toMatchObject({ status: 200 });
  expect(await keep({ step: 'loop', name: 'tens' })).toMatchObject({ status: 200 });
  const tens = await readFile(join(workflow.path, 'loop', 'pins', 'tens.json'), 'utf8');
  expect(JSON.parse(tens)).toEqual({ $return_value: [10, 20] });
  for (const [body, sentence] of [
    [{ step: 'nobody' }, /no step nobody/],
    [{ step: 'item' }, /several times.*loop\[0\]\.item/],
    [{ step: 'one', name: 'a/b' }, /not a name for a pin/],
  ] as const) {
    expect(await keep(body)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(sentence) },
    });
  }
  await rm(workflow.path, { recursive: true });
  expect(await keep({ step: 'one', name: 'late' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('There is no folder') },
  });
});

test('a workflow that was only tested is deleted with its tests', async () => {
  const { id, workflow_id: workflow } = await tested(await world.write(three));
  expect((await world.runtime.rest('DELETE', `/v1/workflows/${workflow}`)).status).toBe(200);
  expect((await world.runtime.rest('GET', `/v1/executions/${id}`)).status).toBe(404);
});

test('tests of one folder at once do not come into each other’s way', async () => {
  const folder = await world.write({
    steps: [{ namespace: 'one', run: `return steps.trigger.event` }],
  });
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, n) => tested(folder, { event: { n } })),
  );
  expect(all.map((one) => stepOf(one, 'one').return_value)).toEqual(
    Array.from({ length: 12 }, (_, n) => ({ n })),
  );
  const [{ workflow_id: id } = { workflow_id: '' }] = all as WholeExecution[];
  const { body } = await world.runtime.rest('GET', `/v1/workflows/${id}/executions?limit=100`);
  expect(countOf((body as { data: WholeExecution[] }).data)).toEqual({ succeeded: 12 });
});
