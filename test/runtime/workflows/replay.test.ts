import { expect, test } from 'vitest';
import type { WholeExecution } from '../../../src/protocol/catalogue.ts';
import { post } from '../../support/post.ts';
import { endpointOf, httpTrigger, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

const replay = (id: string, body: object = {}) =>
  world.runtime.rest('POST', `/v1/executions/${id}/replay`, { wait: true, ...body });

async function replayed(id: string, body?: object): Promise<WholeExecution> {
  const answer = await replay(id, body);
  expect(answer.status).toBeLessThan(300);
  return (answer.body as { data: WholeExecution }).data;
}

const counting = (namespace: string, more = '') =>
  `globalThis.${namespace}s = (globalThis.${namespace}s ?? 0) + 1; ${more}; return [globalThis.${namespace}s, steps.trigger.event.body]`;

test('W43: a replay has the stored bytes, a trace_id of its own, and the original beside it', async () => {
  const workflow = await world.deploy({
    triggers: [httpTrigger],
    steps: [{ namespace: 'one', run: 'return [steps.trigger.event, $.context]' }],
  });
  await post(endpointOf(workflow), { text: 'ä\u0000' });
  const [first] = await world.allEnded(workflow, 1);
  const original = await world.execution(first!.id);
  const again = await replayed(original.id);
  const [event, context] = stepOf(original, 'one').return_value as [
    object,
    Record<string, unknown>,
  ];
  const [event2, context2] = stepOf(again, 'one').return_value as [object, Record<string, unknown>];
  expect(event2).toEqual(event);
  expect([context['replay'], context2['replay']]).toEqual([false, true]);
  expect(context2['trace_id']).not.toBe(context['trace_id']);
  expect(again).toMatchObject({ replay_of: original.id, cause: 'replay' });
});

test('W44: from a step on, what came before is copied and does not run', async () => {
  const steps = (third: string) => [
    { namespace: 'one', run: counting('one', `$.export('a', 1)`) },
    { namespace: 'two', run: counting('two') },
    { namespace: 'three', run: third },
  ];
  const workflow = await world.deploy(
    { triggers: [httpTrigger], steps: steps(`throw new Error('wrong')`) },
    'mended',
  );
  await post(endpointOf(workflow), { n: 1 });
  const [failed] = await world.allEnded(workflow, 1);
  await world.deployFolder(
    await world.write(
      { triggers: [httpTrigger], steps: steps('return [steps, $.context.run]') },
      'mended',
    ),
  );
  const again = await replayed(failed!.id, { from_step: 'three' });
  expect(again.status).toBe('succeeded');
  expect(again.steps.map(({ path }) => path)).toEqual(['one', 'two', 'three']);
  expect(stepOf(again, 'three').return_value).toMatchObject([
    { one: { a: 1, $return_value: [1, { n: 1 }] }, two: { $return_value: [1, { n: 1 }] } },
    { runs: 1 },
  ]);
  const from2 = await replayed(failed!.id, { from_step: 'two' });
  expect(stepOf(from2, 'one').return_value).toEqual([1, { n: 1 }]);
  // Another process than that of the old deployment counts anew.
  expect(stepOf(from2, 'two').return_value).toEqual([1, { n: 1 }]);
  for (const from of ['four', '', 'one.x']) {
    expect(await replay(failed!.id, { from_step: from })).toMatchObject({ status: 400 });
  }
  expect(await replay(failed!.id, { props: {} })).toMatchObject({ status: 400 });
});

test('an execution is retried from the step that failed: in a loop, beside one that goes on, and never without one', async () => {
  const steps = (third: string) => [
    { namespace: 'bears', run: `throw new Error('is borne')`, on_error: 'continue' },
    {
      namespace: 'loop',
      control: 'each',
      on: '{{event.list}}',
      steps: [
        { namespace: 'one', run: counting('one') },
        { namespace: 'third', run: third },
      ],
    },
    { namespace: 'after', run: 'return steps.loop.$return_value' },
  ];
  const wrong = `if (steps.one.$return_value[0] === 2) throw new Error('wrong'); return 'first'`;
  const workflow = await world.deploy({ steps: steps(wrong) }, 'from-failed');
  const failed = await world.run(workflow, { list: [1, 2, 3] });
  expect(failed.status).toBe('failed');
  await world.deployFolder(await world.write({ steps: steps(`return 'again'`) }, 'from-failed'));
  const again = await replayed(failed.id, { from_failed: true });
  expect(again).toMatchObject({ status: 'succeeded', replay_of: failed.id });
  expect(stepOf(again, 'after').return_value).toEqual(['first', 'again', 'again']);
  expect(await replay(again.id, { from_failed: true })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('No step of') },
  });
  const both = { from_failed: true, from_step: 'after' };
  expect(await replay(failed.id, both)).toMatchObject({ status: 400 });
});

test('W44: the props of that step may be others, also after a kill -9 and for no other step', async () => {
  const code = `export default defineComponent({ props: { to: 'string' }, async run({ steps, $ }) {
    if (this.to === 'wait') $.flow.suspend(); return [this.to, steps.trigger.event.n] } })`;
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', props: { to: 'a' }, code },
      { namespace: 'two', props: { to: '{{event.to}}' }, code },
      { namespace: 'three', props: { to: 'c' }, code },
    ],
  });
  const original = await world.run(workflow, { n: 1, to: 'b' });
  const other = await replayed(original.id, {
    from_step: 'two',
    props: { to: '{{"x" + event.n}}' },
  });
  expect(other.steps.map(({ return_value: value }) => value)).toEqual([
    ['a', 1],
    ['x1', 1],
    ['c', 1],
  ]);
  const waiting = await replayed(original.id, { from_step: 'two', props: { to: 'wait' } });
  expect(waiting.status).toBe('paused');
  await world.restart();
  expect((await world.resume(waiting.id)).status).toBe(200);
  const ended = await world.ended(waiting.id);
  expect(ended.steps.map(({ return_value: value }) => value)).toEqual([
    ['a', 1],
    ['wait', 1],
    ['c', 1],
  ]);
  // The next execution has those of the file.
  const { steps } = await world.run(workflow, { n: 2, to: 'b' });
  expect(steps.map(({ return_value: value }) => value)).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 2],
  ]);
});

test('W44: a step inside a loop: items before it are copied', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'loop',
        control: 'each',
        on: '{{event.list}}',
        steps: [
          { namespace: 'one', run: `globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n` },
        ],
      },
      { namespace: 'after', run: 'return steps.loop.$return_value' },
    ],
  });
  const original = await world.run(workflow, { list: [1, 2, 3] });
  expect(stepOf(original, 'after').return_value).toEqual([1, 2, 3]);
  const again = await replayed(original.id, { from_step: 'loop[1].one' });
  expect(stepOf(again, 'after').return_value).toEqual([1, 4, 5]);
});

test('P25.81: by hand from a step on, with the last execution that came to it, or a named one', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', run: 'return steps.trigger.event.n' },
      { namespace: 'two', run: `if (steps.one.$return_value > 1) throw new Error('too many')` },
      { namespace: 'three', run: 'return [steps.one.$return_value, steps.trigger.event]' },
    ],
  });
  const first = await world.run(workflow, { n: 1 });
  const second = await world.run(workflow, { n: 2 });
  const from = (body: object) =>
    world.runtime.restData<WholeExecution>('POST', `/v1/workflows/${workflow.id}/executions`, {
      wait: true,
      ...body,
    });
  // The newest came to "two" and failed there; only the one before it came to "three".
  const two = await from({ from_step: 'two' });
  expect(two).toMatchObject({ status: 'failed', replay_of: second.id, test: false });
  const three = await from({ from_step: 'three' });
  expect(three).toMatchObject({ status: 'succeeded', replay_of: first.id });
  expect(stepOf(three, 'three').return_value).toEqual([1, { n: 1 }]);
  const named = await from({ from_step: 'two', execution: first.id, event: { n: 7 } });
  expect(stepOf(named, 'three').return_value).toEqual([1, { n: 7 }]);
  for (const body of [
    { execution: first.id },
    { from_step: 'four' },
    { from_step: 'three', execution: second.id },
    { from_step: 'two', event: 1, email: 'From: a@b.c' },
  ]) {
    const path = `/v1/workflows/${workflow.id}/executions`;
    expect(await world.runtime.rest('POST', path, body)).toMatchObject({
      status: 400,
    });
  }
});

test('P25.83: on the deployment that it ran with, as long as that is kept', async () => {
  const steps = (what: string) => [{ namespace: 'one', run: `return '${what}'` }];
  const workflow = await world.deploy({ steps: steps('first') }, 'kept');
  const original = await world.run(workflow);
  const deployAgain = async (what: string) =>
    world.deployFolder(await world.write({ steps: steps(what) }, 'kept'));
  await deployAgain('second');
  const now = await replayed(original.id);
  expect(stepOf(now, 'one').return_value).toBe('second');
  await world.restart();
  const then = await replayed(original.id, { as_deployed: true });
  expect(stepOf(then, 'one').return_value).toBe('first');
  expect(then.deployment_id).toBe(original.deployment_id);
  const fromStep = await replayed(original.id, { as_deployed: true, from_step: 'one' });
  expect(stepOf(fromStep, 'one').return_value).toBe('first');
  for (let n = 0; n < 10; n++) await deployAgain(`later ${n}`);
  expect(await replay(original.id, { as_deployed: true })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(original.deployment_id ?? '') },
  });
  expect(stepOf(await replayed(original.id), 'one').return_value).toBe('later 9');
});
