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
