import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sourceFile } from '../../support/folder.ts';
import { post } from '../../support/post.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { endpointOf, httpTrigger, runsOf, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

test('W6 W7 W12: steps run in the order of the file on copies; disabled ones are absent; steps.trigger has the one that fired', async () => {
  const emitter = await world.deploy({
    steps: [{ namespace: 'emit', run: `$.send.emit({ raw_event: { of: 'emitter' } })` }],
  });
  const workflow = await world.deploy({
    triggers: [
      httpTrigger,
      { id: emitter.id },
      { uses: '$.interface.timer', props: { cron: '0 0 1 1 *', timezone: 'Europe/Berlin' } },
    ],
    steps: [
      { namespace: 'one', run: `steps.trigger.event.changed = 1; return { list: [1] }` },
      { namespace: 'off', disabled: true, run: `throw new Error('it ran')` },
      { namespace: 'two', run: `steps.one.$return_value.list.push(2); return Object.keys(steps)` },
      { namespace: 'three', run: `return [steps, $.context.emitter_id]` },
    ],
  });
  const [http, listened] = workflow.triggers;
  await post(endpointOf(workflow), { by: 'http' });
  await world.run(emitter);
  const all = await world.allEnded(workflow, 2);
  const seen = await Promise.all(
    all.map(async ({ id }) => {
      const execution = await world.execution(id);
      expect(execution.steps.map(({ path }) => path)).toEqual(['one', 'two', 'three']);
      expect(stepOf(execution, 'two').return_value).toEqual(['trigger', 'one']);
      return stepOf(execution, 'three').return_value as [
        { one: unknown; trigger: { event: Record<string, unknown> } },
        string,
      ];
    }),
  );
  for (const [steps] of seen) {
    expect(steps.one).toEqual({ $return_value: { list: [1] } });
    expect(steps.trigger.event).not.toHaveProperty('changed');
  }
  expect(seen.map(([, emitterId]) => emitterId).toSorted()).toEqual(
    [String(http!.id), String(listened!.id)].toSorted(),
  );
  const byHttp = seen.find(([, id]) => id === http!.id)![0].trigger.event;
  expect(byHttp).toMatchObject({
    method: 'POST',
    path: '/',
    query: {},
    body: { by: 'http' },
    client_ip: '127.0.0.1',
  });
  expect(seen.find(([, id]) => id === emitter.id)![0].trigger.event).toEqual({ of: 'emitter' });
});

test('W8: exports are JSON at the end of the step, the last of a name counts, and undefined is none', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'one',
        run: `$.export('a', 1); $.export('a', { at: new Date(0), f() {}, b: 2 }); return undefined`,
      },
      { namespace: 'two', run: 'return steps.one' },
      {
        namespace: 'deep',
        run: `if (!steps.trigger.event.deep) return; let x = 1; for (let n = 0; n < 300; n++) x = [x]; return x`,
      },
    ],
  });
  const execution = await world.run(workflow, {});
  expect(stepOf(execution, 'two').return_value).toEqual({
    a: { at: '1970-01-01T00:00:00.000Z', b: 2 },
  });
  const deep = await world.run(workflow, { deep: true });
  expect(deep.status).toBe('failed');
  expect(deep.error?.message).toMatch(/^deep: .*nest/i);
});

test('W11: what a step does after its end changes nothing', async () => {
  const receiver = await startReceiver();
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'one',
        run: `setTimeout(async () => { $.export('late', 1); $.send.emit({ raw_event: 1 }); await fetch('${receiver.url}/late'); }, 100); return 1`,
      },
      {
        namespace: 'two',
        run: 'await new Promise((done) => setTimeout(done, 400)); return steps.one',
      },
    ],
  });
  const listener = await world.deploy({
    triggers: [{ id: workflow.id }],
    steps: [{ namespace: 'got', run: 'return 1' }],
  });
  const { id } = await world.run(workflow);
  await until('the late call', () => receiver.received.length === 1);
  const execution = await world.ended(id);
  expect(stepOf(execution, 'two').return_value).toEqual({ $return_value: 1 });
  expect(stepOf(execution, 'one').exports).toEqual({});
  expect(await world.executions(listener)).toEqual([]);
});

test('W14: the time limit is of a leg over its steps together, and begins anew after a pause', async () => {
  const receiver = await startReceiver();
  const nap = 'await new Promise((done) => setTimeout(done, 1300))';
  const late = await world.deploy({
    settings: { lambda_timeout: 2 },
    steps: [
      { namespace: 'one', run: nap },
      { namespace: 'two', run: nap },
      { namespace: 'three', run: `await fetch('${receiver.url}')` },
    ],
  });
  const listener = await world.deploy({
    triggers: [{ id: late.id, props: { event_name: '$errors' } }],
    steps: [{ namespace: 'told', run: 'return steps.trigger.event.error' }],
  });
  const { id } = await world.run(late);
  const execution = await world.ended(id);
  expect(execution).toMatchObject({ status: 'timed_out', error: { name: 'Timeout' } });
  expect(stepOf(execution, 'two')).toMatchObject({ status: 'failed', error: { name: 'Timeout' } });
  expect(receiver.received).toEqual([]);
  const [told] = await world.allEnded(listener, 1);
  expect(stepOf(await world.execution(told!.id), 'told').return_value).toMatchObject({
    code: 'Timeout',
  });
  const fine = await world.deploy({
    settings: { lambda_timeout: 2 },
    steps: [
      { namespace: 'one', run: `${nap}; $.flow.delay(1)` },
      { namespace: 'two', run: nap },
      {
        namespace: 'block',
        control: 'parallel',
        branches: [{ name: 'a', steps: [{ namespace: 'inside', run: nap }] }],
      },
      { namespace: 'last', run: nap },
    ],
  });
  const other = await world.ended((await world.begin(fine)).id);
  expect(other).toMatchObject({ status: 'succeeded' });
});

test('P25.23 P25.49: while a process waits for its turn to start the time limit stands still, and a cancel ends at once', async () => {
  const deploy = () =>
    world.deploy({
      settings: { lambda_timeout: 1 },
      steps: [{ namespace: 'one', run: 'return 1' }],
    });
  const workflow = await deploy();
  const cancelled = await Promise.all(Array.from({ length: 5 }, deploy));
  // As many as start at once, several times over.
  const slow = `
    const end = Date.now() + 1500;
    while (Date.now() < end);
    export default { name: 'Slow', props: { http: '$.interface.http' }, run() {} };`;
  const deploys = Array.from({ length: 4 * (availableParallelism() + 1) }, async (_, n) =>
    world.runtime.restData('POST', '/v1/sources', {
      component_path: await sourceFile(world.folder, `slow${n}.mjs`, slow),
    }),
  );
  const { url, apiKey } = world.runtime;
  const headers = { authorization: `Bearer ${apiKey}` };
  const startsWait = async (): Promise<boolean> => {
    const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
    return /of="starts",state="waiting"} [1-9]/.test(metrics);
  };
  await until('starts that wait', startsWait);
  const { id } = await world.begin(workflow);
  const others = await Promise.all(
    cancelled.map(async (one) => {
      const begun = await world.begin(one);
      await world.cancel(begun.id);
      return world.ended(begun.id);
    }),
  );
  // The turn of the first may come before its cancel.
  expect(others.map(({ status, steps }) => [status, steps.length])).toContainEqual([
    'cancelled',
    0,
  ]);
  expect(await startsWait()).toBe(true);
  expect(await world.ended(id)).toMatchObject({ status: 'succeeded' });
  await Promise.all(deploys);
});

test('W14: an endless step ends with its process', async () => {
  const workflow = await world.deploy({
    settings: { lambda_timeout: 1 },
    steps: [{ namespace: 'one', run: 'for (;;);' }],
  });
  const { id } = await world.begin(workflow);
  expect((await world.ended(id)).status).toBe('timed_out');
});

test('W15: an exit is a success with its reason; without return the rest of the step runs', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', run: `$.flow.exit('enough'); $.export('after', 1); return 'rest'` },
      { namespace: 'two', run: 'return 2' },
    ],
  });
  const execution = await world.run(workflow);
  expect(execution).toMatchObject({ status: 'succeeded', reason: 'enough' });
  expect(execution.steps).toHaveLength(1);
  expect(stepOf(execution, 'one')).toMatchObject({ exports: { after: 1 }, return_value: 'rest' });
});

test('W15: an exit in one branch ends what waits in another, and lets what runs there end', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'both',
        control: 'parallel',
        branches: [
          {
            name: 'exits',
            steps: [
              {
                namespace: 'exit',
                run: `await new Promise((done) => setTimeout(done, 300)); $.flow.exit('out')`,
              },
            ],
          },
          {
            name: 'waits',
            steps: [
              { namespace: 'wait', run: '$.flow.suspend()' },
              { namespace: 'never', run: 'return 1' },
            ],
          },
          {
            name: 'runs',
            steps: [
              {
                namespace: 'slow',
                run: `await new Promise((done) => setTimeout(done, 600)); return 'ended'`,
              },
              { namespace: 'not', run: 'return 1' },
            ],
          },
        ],
      },
      { namespace: 'after', run: 'return 1' },
    ],
  });
  const execution = await world.ended((await world.begin(workflow)).id);
  expect(execution).toMatchObject({ status: 'succeeded', reason: 'out' });
  expect(execution.steps.map(({ path, status }) => `${path} ${status}`).toSorted()).toEqual([
    'both succeeded',
    'both.exits.exit succeeded',
    'both.runs.slow succeeded',
    'both.waits.wait cancelled',
  ]);
});

test('W16: a branch that waits goes on while another runs', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'both',
        control: 'parallel',
        branches: [
          {
            name: 'waits',
            steps: [
              { namespace: 'wait', run: '$.flow.delay(100)' },
              { namespace: 'then', run: 'return Date.now()' },
            ],
          },
          {
            name: 'asks',
            steps: [
              { namespace: 'ask', run: '$.flow.suspend()' },
              { namespace: 'told', run: 'return Date.now()' },
            ],
          },
          {
            name: 'runs',
            steps: [
              {
                namespace: 'slow',
                run: `await new Promise((done) => setTimeout(done, 2500)); return Date.now()`,
              },
            ],
          },
        ],
      },
    ],
  });
  const { id } = await world.begin(workflow);
  await until(
    'it to ask',
    async () => runsOf(await world.execution(id), 'both.asks.ask')[0]?.pause ?? undefined,
  );
  expect(JSON.stringify(await world.resume(id, { path: 'both.asks.ask' }))).toContain('200');
  const execution = await world.ended(id);
  const [then, told, slow] = ['both.waits.then', 'both.asks.told', 'both.runs.slow'].map(
    (path) => stepOf(execution, path).return_value as number,
  );
  expect(then).toBeLessThan(slow!);
  expect(told).toBeLessThan(slow!);
});

test('W19: a suspend that nobody ends in time is cancelled, apart from one by hand', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'ask', run: '$.flow.suspend(steps.trigger.event.ms)' },
      { namespace: 'never', run: 'return 1' },
    ],
  });
  const { id } = await world.begin(workflow, { ms: 200 });
  const late = await world.ended(id);
  expect(late).toMatchObject({ status: 'cancelled', reason: 'ask was not resumed in time.' });
  expect(late.steps).toMatchObject([{ path: 'ask', status: 'cancelled', pause: null }]);
  const byHand = await world.run(workflow, { ms: 3600_000 });
  const { pause } = stepOf(await world.execution(byHand.id), 'ask');
  expect((await post(pause!.cancel_url, {})).status).toBe(200);
  expect(await world.ended(byHand.id)).toMatchObject({
    status: 'cancelled',
    reason: 'It was cancelled.',
  });
});

test('W20 W25: $resume_data is the request; HEAD and OPTIONS decide nothing', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'ask', run: `$.export('kept', 1); $.flow.suspend(); return 'mine'` },
      { namespace: 'next', run: 'return steps.ask' },
    ],
  });
  const { id } = await world.run(workflow);
  const { pause } = stepOf(await world.execution(id), 'ask');
  for (const method of ['HEAD', 'OPTIONS'])
    for (const url of [pause!.resume_url, pause!.cancel_url])
      expect((await fetch(url, { method })).status).toBe(200);
  await wait(100);
  expect((await world.execution(id)).status).toBe('paused');
  const forged = pause!.resume_url.replace(/.(?=\/resume$)/, (last) => (last === 'A' ? 'B' : 'A'));
  expect((await post(forged, {})).status).toBe(404);
  await fetch(`${pause!.resume_url}?a=1`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-mine': 'yes' },
    body: '{"deep":{"list":[1,"two"]}}',
  });
  const execution = await world.ended(id);
  expect(stepOf(execution, 'next').return_value).toMatchObject({
    kept: 1,
    $return_value: 'mine',
    $resume_data: {
      method: 'PUT',
      query: { a: '1' },
      headers: { 'x-mine': 'yes' },
      body: { deep: { list: [1, 'two'] } },
    },
  });
});

test('a step that runs together with others keeps its db over restarts', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'count',
        props: { by: '{{event.by}}' },
        code: `export default defineComponent({ props: { db: '$.service.db', by: { type: 'integer' } }, run() {
          this.db.set('n', (this.db.get('n') ?? 0) + this.by); return this.db.get('n') } })`,
      },
    ],
  });
  const values: unknown[] = [];
  for (const by of [1, 2, 3]) {
    if (by === 3) await world.restart();
    values.push(stepOf(await world.run(workflow, { by }), 'count').return_value);
  }
  expect(values).toEqual([1, 3, 6]);
});

test('a workflow that is deleted ends what runs and what waits', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const workflow = await world.deploy({
    triggers: [{ uses: '$.interface.http', props: { response: 'workflow' } }],
    steps: [
      {
        namespace: 'one',
        run: `if (steps.trigger.event.body.pause) $.flow.suspend(); else { await fetch('${receiver.url}') }`,
      },
      { namespace: 'two', run: `await fetch('${receiver.url}/two')` },
    ],
  });
  await post(endpointOf(workflow), { pause: 1 });
  const answer = post(endpointOf(workflow), {});
  await until('it runs', () => receiver.received.length === 1);
  const { pause } = (await world.execution((await world.executions(workflow)).at(-1)!.id))
    .steps[0]!;
  expect((await world.runtime.rest('DELETE', `/v1/workflows/${workflow.id}`)).status).toBeLessThan(
    300,
  );
  expect((await answer).status).toBe(404);
  expect((await post(pause!.resume_url, {})).status).toBe(404);
  expect((await post(endpointOf(workflow), {})).status).toBe(404);
  await until('its process to end', () => receiver.open() === 0);
  expect(receiver.received).toHaveLength(1);
});

test('W14: $.flow.refreshTimeout lets the time limit of the leg begin anew', async () => {
  const wait = (ms: number) => `await new Promise((done) => setTimeout(done, ${ms}));`;
  const workflow = await world.deploy({
    settings: { lambda_timeout: 2 },
    steps: [
      {
        namespace: 'one',
        run: `${wait(1400)} const said = $.flow.refreshTimeout(); ${wait(1400)} return said`,
      },
      { namespace: 'two', run: wait(3000) },
    ],
  });
  const execution = await world.ended((await world.run(workflow)).id);
  expect(stepOf(execution, 'one')).toMatchObject({
    status: 'succeeded',
    return_value: expect.stringContaining('again') as unknown,
  });
  // The rest of it is still that of the leg.
  expect(execution.status).toBe('timed_out');
});
