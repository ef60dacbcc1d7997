import { expect, test } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

test('W46 W47: the first branch that matches runs; names inside are undefined outside', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'choose',
        control: 'ifelse',
        branches: [
          {
            name: 'big',
            when: '{{event.n > 10}}',
            steps: [{ namespace: 'inner_big', run: `return 'big'` }],
          },
          {
            name: 'medium',
            when: '{{event.n > 5}}',
            steps: [{ namespace: 'inner_medium', run: `return 'medium'` }],
          },
        ],
      },
      { namespace: 'after', run: 'return [Object.keys(steps), steps.choose ?? null]' },
    ],
  });
  for (const [n, value] of [
    [20, { $return_value: 'big' }],
    [7, { $return_value: 'medium' }],
    [1, {}],
  ] as const) {
    const execution = await world.run(workflow, { n });
    expect(execution.status).toBe('succeeded');
    expect(stepOf(execution, 'after').return_value).toEqual([['trigger', 'choose'], value]);
    const { return_value: shown } = stepOf(execution, 'choose');
    expect(shown).toBe('$return_value' in value ? value.$return_value : null);
  }
});

test('W46: a switch compares, and its else runs when none matches', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'by',
        control: 'switch',
        on: '{{event.kind}}',
        branches: [{ name: 'a', when: 'a', steps: [{ namespace: 'one', run: `return 'A'` }] }],
        else: { steps: [{ namespace: 'other', run: `return 'else'` }] },
      },
      { namespace: 'after', run: 'return steps.by.$return_value' },
    ],
  });
  expect(stepOf(await world.run(workflow, { kind: 'a' }), 'after').return_value).toBe('A');
  const other = await world.run(workflow, { kind: 'b' });
  expect(stepOf(other, 'after').return_value).toBe('else');
  expect(other.steps.map(({ path }) => path)).toEqual(['by', 'by.$else.other', 'after']);
});

test('W48: parallel has a value per branch that ran; one that fails lets the others end', async () => {
  const receiver = await startReceiver();
  const branches = (fails: boolean) => [
    {
      name: 'quick',
      steps: [{ namespace: 'q', run: fails ? `throw new Error('quick failed')` : `return 'q'` }],
    },
    {
      name: 'slow',
      steps: [
        { namespace: 's', run: `await new Promise((done) => setTimeout(done, 300)); return 's'` },
        { namespace: 't', run: `await fetch('${receiver.url}'); return 't'` },
      ],
    },
    { name: 'not', when: 'never', steps: [{ namespace: 'n', run: `return 'n'` }] },
  ];
  const steps = (fails: boolean) => [
    { namespace: 'both', control: 'parallel', branches: branches(fails) },
    { namespace: 'after', run: 'return steps.both.$return_value' },
  ];
  const fine = await world.run(await world.deploy({ steps: steps(false) }));
  expect(stepOf(fine, 'after').return_value).toEqual({ quick: 'q', slow: 't' });
  const failing = await world.run(await world.deploy({ steps: steps(true) }));
  expect(failing).toMatchObject({
    status: 'failed',
    error: { message: 'both.quick.q: quick failed' },
  });
  expect(failing.steps.map(({ path }) => path)).toContain('both.slow.t');
  expect(failing.steps.map(({ path }) => path)).not.toContain('after');
  expect(receiver.received).toHaveLength(2);
});

test('each: the steps once per item, so many at a time, over pauses and a kill -9', async () => {
  const receiver = await startReceiver();
  let blocked = true;
  receiver.answer = ({ path }) => (blocked && path === '/3' ? undefined : {});
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'loop',
        control: 'each',
        on: '{{event.list}}',
        concurrency: 2,
        steps: [
          { namespace: 'nap', run: '$.flow.delay(30)' },
          {
            namespace: 'one',
            run: `await fetch('${receiver.url}/' + steps.loop.item); return steps.loop.item * 10 + steps.loop.index`,
          },
        ],
      },
      { namespace: 'after', run: 'return steps.loop.$return_value' },
    ],
  });
  const { id } = await world.begin(workflow, { list: [1, 2, 3, 4, 5] });
  await until('the third to be blocked', () => receiver.received.some(({ path }) => path === '/3'));
  await world.runtime.kill();
  blocked = false;
  await world.start();
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  expect(stepOf(execution, 'after').return_value).toEqual([10, 21, 32, 43, 54]);
  expect(stepOf(execution, 'loop')).toMatchObject({
    props: { on: [1, 2, 3, 4, 5] },
    return_value: [10, 21, 32, 43, 54],
  });
  const told = receiver.received.map(({ path }) => path);
  expect(told.filter((path) => path === '/1' || path === '/2')).toHaveLength(2);
  const none = await world.run(workflow, { list: [] });
  expect(stepOf(none, 'after').return_value).toEqual([]);
  const wrong = await world.run(workflow, { list: 'text' });
  expect(wrong).toMatchObject({ status: 'failed' });
  expect(wrong.error?.message).toContain('a loop needs a list');
});

test('W49: a whole expression keeps its type, text interpolates, and large values are not cut', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', run: `return { list: [1, 2], big: 'x'.repeat(200_000) }` },
      {
        namespace: 'two',
        props: {
          list: '{{steps.one.$return_value.list}}',
          text: 'is {{steps.one.$return_value.list}} and {{event.n}}{{event.missing}}',
          big: '{{steps.one.$return_value.big}}',
          gone: '{{event.missing}}',
        },
        code: `export default defineComponent({ props: { list: 'any', text: 'string', big: 'string', gone: { type: 'string', optional: true } },
          run() { return [this.list, this.text, this.big.length, this.gone ?? null, 'gone' in this] } })`,
      },
    ],
  });
  const execution = await world.run(workflow, { n: 4 });
  expect(execution.error).toBeNull();
  expect(stepOf(execution, 'two').return_value).toMatchObject([
    [1, 2],
    'is [1,2] and 4',
    200_000,
    null,
    false,
  ]);
});
