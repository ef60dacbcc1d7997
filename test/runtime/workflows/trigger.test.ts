/** `$.flow.trigger` (P25.53): an execution of another workflow, in one write with the end of the leg. */
import { describe, expect, test } from 'vitest';
import { countOf, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld('--set', 'retention.events=1000000');

const noting = () => world.deploy({ steps: [{ namespace: 'note', run: 'return steps.trigger' }] });

test('starts the other workflow with the payload, and names who did', async () => {
  const target = await noting();
  const caller = await world.deploy({
    steps: [
      {
        namespace: 'call',
        run: `const payload = { n: 1, list: ['a'] };
              const answer = await $.flow.trigger('${target.id}', payload);
              payload.n = 2;
              return answer`,
      },
    ],
  });
  const { id } = await world.run(caller);
  const called = await world.ended(id);
  expect(stepOf(called, 'call').return_value).toEqual({ workflow_id: target.id });
  const [started] = await world.allEnded(target, 1);
  expect(started).toMatchObject({ status: 'succeeded', cause: 'workflow' });
  const whole = await world.execution(started!.id);
  expect(stepOf(whole, 'note').return_value).toMatchObject({
    event: { n: 1, list: ['a'] },
    context: { emitter_id: caller.id, hops: 1 },
  });
  expect(called.sends).toEqual([
    expect.objectContaining({
      kind: 'trigger',
      status: 'sent',
      answer: { execution_id: started!.id },
    }),
  ]);
});

test('goes out at the end of the leg, also when nobody waited for the answer', async () => {
  const target = await noting();
  const caller = await world.deploy({
    steps: [
      { namespace: 'call', run: `void $.flow.trigger('${target.id}', 'a text')` },
      { namespace: 'pause', run: '$.flow.suspend()' },
      { namespace: 'more', run: `await $.flow.trigger('${target.id}')` },
    ],
  });
  const paused = await world.run(caller);
  expect(paused.status).toBe('paused');
  const [first] = await world.allEnded(target, 1);
  expect(stepOf(await world.execution(first!.id), 'note').return_value).toMatchObject({
    event: 'a text',
  });
  await world.resume(paused.id);
  const all = await world.allEnded(target, 2);
  expect(stepOf(await world.execution(all[1]!.id), 'note').return_value).toMatchObject({
    event: {},
  });
});

describe('what cannot be started', () => {
  test('an id that there is not is an error of the step, and the rest of it is sent', async () => {
    const target = await noting();
    const caller = await world.deploy({
      steps: [
        {
          namespace: 'call',
          run: `await $.flow.trigger('${target.id}'); await $.flow.trigger('p_nobody')`,
        },
      ],
    });
    const failed = await world.ended((await world.run(caller)).id);
    expect(failed.error?.message).toContain('There is no workflow "p_nobody"');
    expect(await world.allEnded(target, 1)).toHaveLength(1);
  });

  test('without an id', async () => {
    const caller = await world.deploy({
      steps: [{ namespace: 'call', run: 'await $.flow.trigger()' }],
    });
    const failed = await world.ended((await world.run(caller)).id);
    expect(failed.error?.message).toContain('the id of a workflow is required');
  });

  test('of a workflow that is switched off it is dropped, and says so (P25.3)', async () => {
    const target = await noting();
    await world.runtime.restData('PUT', `/v1/workflows/${target.id}`, { active: false });
    const caller = await world.deploy({
      steps: [{ namespace: 'call', run: `await $.flow.trigger('${target.id}')` }],
    });
    expect((await world.ended((await world.run(caller)).id)).status).toBe('succeeded');
    const [dropped] = await world.allEnded(target, 1);
    expect(dropped).toMatchObject({ status: 'dropped', reason: 'inactive' });
  });

  test('one that was deleted before the end of the leg is told with what was sent', async () => {
    const target = await noting();
    const caller = await world.deploy({
      steps: [
        {
          namespace: 'call',
          run: `await $.flow.trigger('${target.id}');
                await fetch('${world.runtime.url}/v1/workflows/${target.id}',
                  { method: 'DELETE', headers: { authorization: 'Bearer ${world.runtime.apiKey}' } })`,
        },
      ],
    });
    const { sends } = await world.ended((await world.run(caller)).id);
    expect(sends).toEqual([expect.objectContaining({ kind: 'trigger', status: 'failed' })]);
    expect(sends[0]?.error?.message).toContain(target.id);
  });
});

test('W40: a workflow that starts itself ends at the hop limit, with a row', async () => {
  const own = await world.deploy({
    steps: [
      {
        namespace: 'again',
        run: 'const { workflow_id } = $.context; await $.flow.trigger(workflow_id, {})',
      },
    ],
  });
  await world.begin(own);
  const all = await world.allEnded(own, 34);
  expect(countOf(all)).toEqual({ succeeded: 33, dropped: 1 });
  expect(all.at(-1)).toMatchObject({ status: 'dropped', reason: 'hop limit' });
});

test('W9 W2: killed again and again, each is started once for each end of the leg, and none is lost', async () => {
  const target = await noting();
  const count = 40;
  const caller = await world.deploy({
    settings: { concurrency: { workers: 4 } },
    steps: [
      {
        namespace: 'call',
        run: `await $.flow.trigger('${target.id}', { n: steps.trigger.event.n })`,
      },
      { namespace: 'wait', run: 'await new Promise((done) => setTimeout(done, 40))' },
    ],
  });
  const connection = await world.runtime.connect();
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      connection.call('executions.start', { id: caller.id, event: { n } }),
    ),
  );
  for (let kills = 0; kills < 3; kills += 1) {
    await new Promise((done) => setTimeout(done, 150));
    await world.restart();
  }
  const callers = await world.allEnded(caller, count);
  expect(countOf(callers)).toEqual({ succeeded: count });
  const started = await world.allEnded(target, count);
  const numbers = await Promise.all(
    started.map(async ({ id }) => {
      const note = stepOf(await world.execution(id), 'note').return_value as {
        event: { n: number };
      };
      return note.event.n;
    }),
  );
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
});
