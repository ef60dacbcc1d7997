import { expect, test } from 'vitest';
import type { Workflow } from '../../../src/protocol/catalogue.ts';
import { sourceFile } from '../../support/folder.ts';
import { post } from '../../support/post.ts';
import { until } from '../../support/until.ts';
import { endpointOf, httpTrigger, runsOf, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

/** A workflow that hears of the errors of another one, and returns what it is told. */
function errorsOf({ id }: Workflow): Promise<Workflow> {
  return world.deploy({
    triggers: [{ id, props: { event_name: '$errors' } }],
    steps: [{ namespace: 'told', run: 'return steps.trigger.event' }],
  });
}

async function told(listener: Workflow, count: number): Promise<unknown[]> {
  const all = await world.allEnded(listener, count);
  return Promise.all(
    all.map(async ({ id }) => stepOf(await world.execution(id), 'told').return_value),
  );
}

test('W36: an error stops it; the step is marked, and $errors has the event and the context', async () => {
  const workflow = await world.deploy({
    triggers: [httpTrigger],
    steps: [
      { namespace: 'one', run: 'return 1' },
      { namespace: 'two', run: `$.export('done', 'half'); throw new TypeError('too much')` },
      { namespace: 'three', run: 'return 3' },
    ],
  });
  const listener = await errorsOf(workflow);
  await post(endpointOf(workflow), { order: 7 });
  const [failed] = await world.allEnded(workflow, 1);
  const execution = await world.execution(failed!.id);
  expect(execution).toMatchObject({
    status: 'failed',
    error: { name: 'TypeError', message: 'two: too much' },
  });
  expect(execution.steps.map(({ path, status }) => [path, status])).toEqual([
    ['one', 'succeeded'],
    ['two', 'failed'],
  ]);
  expect(stepOf(execution, 'two')).toMatchObject({
    exports: { done: 'half' },
    error: {
      name: 'TypeError',
      message: 'too much',
      stack: expect.stringContaining('two/entry.mjs'),
    },
  });
  expect(await told(listener, 1)).toMatchObject([
    {
      original_event: { method: 'POST', path: '/' },
      original_context: {
        workflow_id: workflow.id,
        workflow_name: workflow.name,
        deployment_id: workflow.deployment_id,
        trace_id: execution.trace_id,
        emitter_id: workflow.triggers[0]!.id,
        replay: false,
        test: false,
      },
      error: { code: 'TypeError', cellId: 'two', message: 'two: too much', ts: expect.any(String) },
    },
  ]);
  const [heard] = (await told(listener, 1)) as { original_context: object }[];
  expect(heard!.original_context).not.toHaveProperty('step_key');
  // Not of a test event.
  await fetch(endpointOf(workflow), { method: 'POST', headers: { 'x-pd-notrigger': '1' } });
  await world.allEnded(workflow, 2);
  expect(await world.executions(listener)).toHaveLength(1);
});

test('W37: a retry starts at the step that failed, exports $attempt, and goes on when it works', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'one',
        run: 'globalThis.ones = (globalThis.ones ?? 0) + 1; return globalThis.ones',
      },
      {
        namespace: 'two',
        retry: { max: 3, backoff_ms: 20 },
        run: `globalThis.twos = (globalThis.twos ?? 0) + 1; $.send.emit({ raw_event: globalThis.twos });
          if (globalThis.twos < 3) throw new Error('not yet'); return globalThis.twos`,
      },
      { namespace: 'three', run: 'return [steps.one.$return_value, steps.two]' },
    ],
  });
  const errors = await errorsOf(workflow);
  const emits = await world.deploy({
    triggers: [{ id: workflow.id }],
    steps: [{ namespace: 'told', run: 'return steps.trigger.event' }],
  });
  const { id } = await world.begin(workflow);
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  expect(
    runsOf(execution, 'two').map(({ status, attempt, exports }) => [status, attempt, exports]),
  ).toEqual([
    ['failed', 1, { $attempt: 1, $summary: 'Attempt 1 failed: not yet' }],
    ['failed', 2, { $attempt: 2, $summary: 'Attempt 2 failed: not yet' }],
    ['succeeded', 3, {}],
  ]);
  expect(stepOf(execution, 'three').return_value).toEqual([1, { $return_value: 3 }]);
  // What the attempts that failed sent is not sent.
  expect(await told(emits, 1)).toEqual([3]);
  expect(await world.executions(errors)).toEqual([]);
});

test('W37: auto-retry waits longer each time, can be asked for at once, and is not for a time limit', async () => {
  const workflow = await world.deploy({
    settings: { auto_retry: true, lambda_timeout: 2 },
    steps: [
      {
        namespace: 'one',
        run: `if (steps.trigger.event.endless) for (;;);
          globalThis.tries = (globalThis.tries ?? 0) + 1; if (globalThis.tries < 4) throw new Error('no'); return 1`,
      },
    ],
  });
  const { id } = await world.run(workflow, {});
  const waits: number[] = [];
  for (let attempt = 1; attempt < 4; attempt += 1) {
    const waiting = await until('it to wait', async () => {
      const execution = await world.execution(id);
      const step = runsOf(execution, 'one').at(-1);
      return execution.status === 'paused' && step?.attempt === attempt && step;
    });
    expect(waiting).toMatchObject({ status: 'retrying', pause: { kind: 'retry' } });
    waits.push(Math.round((waiting.pause!.resumes_at! - waiting.ended_at!) / 141_000));
    expect(await world.resume(id)).toMatchObject({ status: 200 });
  }
  expect(waits).toEqual([1, 2, 4]);
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  expect(runsOf(execution, 'one').map(({ status }) => status)).toEqual([
    'failed',
    'failed',
    'failed',
    'succeeded',
  ]);
  const endless = await world.ended((await world.begin(workflow, { endless: true })).id);
  expect(endless.status).toBe('timed_out');
});

test('W36: on_error: continue goes on with what the step had exported', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', on_error: 'continue', run: `$.export('a', 1); throw new Error('no')` },
      { namespace: 'two', run: 'return steps.one' },
    ],
  });
  const execution = await world.run(workflow);
  expect(execution.status).toBe('succeeded');
  expect(stepOf(execution, 'one')).toMatchObject({ status: 'failed', continued: true });
  expect(stepOf(execution, 'two').return_value).toEqual({ a: 1 });
});

test('W38: an execution that its own $errors started emits none', async () => {
  const workflow = await world.deploy(
    { triggers: [httpTrigger], steps: [{ namespace: 'one', run: `throw new Error('no')` }] },
    'own-errors',
  );
  await world.deployFolder(
    await world.write(
      {
        triggers: [httpTrigger, { id: workflow.id, props: { event_name: '$errors' } }],
        steps: [{ namespace: 'one', run: `throw new Error('no')` }],
      },
      'own-errors',
    ),
  );
  const other = await errorsOf(workflow);
  await world.run(workflow);
  await told(other, 1);
  expect(await world.executions(workflow)).toHaveLength(1);
});

test('W39: what is emitted on a channel reaches those who listen to it, and nobody else', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'emit',
        run: `$.send.emit({ name: 'a', raw_event: 'to a' }); $.send.emit({ raw_event: 'to all' })`,
      },
    ],
  });
  const listen = (props?: object) =>
    world.deploy({
      triggers: [{ id: workflow.id, ...(props !== undefined && { props }) }],
      steps: [{ namespace: 'told', run: 'return steps.trigger.event' }],
    });
  const [a, b, plain] = await Promise.all([
    listen({ event_name: 'a' }),
    listen({ event_name: 'b' }),
    listen(),
  ]);
  await world.run(workflow);
  expect(await told(a, 1)).toEqual(['to a']);
  expect(await told(plain, 1)).toEqual(['to all']);
  expect(await world.executions(b)).toEqual([]);
});

test('W40: a ring of a source and workflows ends at the hop limit with a row', async () => {
  const path = await sourceFile(
    world.folder,
    'ring.mjs',
    `export default { name: 'Ring', props: { http: '$.interface.http' }, run({ body }) { this.$emit({ n: body.n }) } }`,
  );
  const source = await world.runtime.restData<{ id: string; endpoint_url: string }>(
    'POST',
    '/v1/sources',
    { component_path: path },
  );
  const emits = {
    namespace: 'on',
    run: `$.send.emit({ raw_event: { n: steps.trigger.event.n + 1 } })`,
  };
  const first = await world.deploy({ triggers: [{ id: source.id }], steps: [emits] }, 'ring-a');
  const second = await world.deploy({ triggers: [{ id: first.id }], steps: [emits] });
  await world.deployFolder(
    await world.write(
      { triggers: [{ id: source.id }, { id: second.id }], steps: [emits] },
      'ring-a',
    ),
  );
  await post(source.endpoint_url, { n: 0 });
  const all = await until('the ring to end', async (seen) => {
    const both = [...(await world.executions(first)), ...(await world.executions(second))];
    return seen(both.length) >= 32 && both.every(({ ended_at: at }) => at !== null) && both;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = [...(await world.executions(first)), ...(await world.executions(second))];
  expect(after).toHaveLength(all.length);
  expect(all.length).toBeLessThanOrEqual(33);
});
