import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { post } from '../../support/post.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { endpointOf, httpTrigger, runsOf, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld('--set', 'retention.events=1000000');

/** Tells a receiver under a name, and waits there until it answers. */
const tell = (url: string, name: string) => `await fetch('${url}/${name}')`;

test('W9: a kill -9 in step k: those before it do not run again, it does, and their exports stay', async () => {
  const receiver = await startReceiver();
  receiver.answer = ({ path }) => (path === '/second' ? undefined : {});
  const workflow = await world.deploy({
    steps: [
      { namespace: 'first', run: `${tell(receiver.url, 'first')}; $.export('at', 1); return 'a'` },
      {
        namespace: 'second',
        run: `${tell(receiver.url, 'second')}; return [steps.first, 'b']`,
      },
    ],
  });
  const { id } = await world.begin(workflow);
  await until('the second step to run', () => receiver.bodies().length === 2);
  await world.runtime.kill();
  receiver.answer = () => ({});
  await world.start();
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  expect(receiver.received.map(({ path }) => path)).toEqual(['/first', '/second', '/second']);
  expect(stepOf(execution, 'second').return_value).toEqual([{ at: 1, $return_value: 'a' }, 'b']);
});

test('W10: a step that runs alone at three deaths has crashed; steps that ended count anew', async () => {
  const receiver = await startReceiver();
  const seen = (name: string) => receiver.received.filter(({ path }) => path === `/${name}`).length;
  let blocked = 'one';
  receiver.answer = ({ path }) => (path === `/${blocked}` ? undefined : {});
  const workflow = await world.deploy({
    steps: ['one', 'two', 'three'].map((namespace) => ({
      namespace,
      run: tell(receiver.url, namespace),
    })),
  });
  const errors = await world.deploy({
    triggers: [{ id: workflow.id, props: { event_name: '$errors' } }],
    steps: [{ namespace: 'told', run: 'return steps.trigger.event' }],
  });
  const { id } = await world.begin(workflow, { order: 7 });
  // The first death counts against nobody, and no step runs alone at three of them.
  for (const name of ['one', 'two']) {
    for (const time of [1, 2]) {
      await until(`${name} to run`, () => seen(name) === time);
      await world.runtime.kill();
      if (time === 2) blocked = name === 'one' ? 'two' : 'three';
      await world.start();
    }
  }
  const isCrashed = async () => (await world.execution(id)).status === 'crashed';
  for (let deaths = 0; deaths < 12; deaths += 1) {
    const before = seen('three');
    await until(
      'three to run, or to be given up',
      async () => seen('three') > before || (await isCrashed()),
    );
    if (await isCrashed()) break;
    await world.restart();
  }
  const crashed = await world.ended(id);
  expect(crashed).toMatchObject({ status: 'crashed' });
  // The first death counts against nobody, nor does one after its time alone, which a busy machine may take.
  expect(seen('three')).toBeGreaterThanOrEqual(4);
  expect([seen('one'), seen('two')]).toEqual([3, 3]);
  const [told, ...more] = await world.allEnded(errors, 1);
  expect(more).toEqual([]);
  expect(stepOf(await world.execution(told!.id), 'told').return_value).toMatchObject({
    original_event: { order: 7 },
    original_context: { trace_id: crashed.trace_id },
    error: { code: 'RuntimeEnded' },
  });
}, 300_000);

test('W10: also a step after a pause; what ran beside one that ends the runtime has not crashed', async () => {
  const receiver = await startReceiver();
  const seen: string[] = [];
  receiver.answer = ({ path }) => {
    seen.push(path);
    return {};
  };
  const workflow = await world.deploy({
    triggers: [httpTrigger],
    steps: [
      { namespace: 'nap', run: `$.flow.delay(200)` },
      {
        namespace: 'work',
        // A component runs as its user, and so can end the runtime.
        run: `await fetch('${receiver.url}/' + steps.trigger.event.body.name);
          if (steps.trigger.event.body.name === 'poison') process.kill(process.ppid, 'SIGKILL');
          await new Promise((resolve) => setTimeout(resolve, 300));`,
      },
    ],
  });
  const url = endpointOf(workflow);
  for (const name of ['a', 'b', 'poison', 'c', 'd']) {
    expect((await post(url, { name })).status).toBe(200);
  }
  const deaths = () => seen.filter((one) => one === '/poison').length;
  for (let died = 0; ; died += 1) {
    const isOver = await until(
      'the runtime to be ended, or the poison to be given up',
      async () => {
        if (deaths() > died) return 'died';
        const found = await world.executions(workflow).catch(() => []);
        return found.some(({ status }) => status === 'crashed') && 'found';
      },
    );
    if (isOver === 'found') break;
    await world.restart();
  }
  const all = await world.allEnded(workflow, 5);
  expect(all.map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
    'crashed',
    'succeeded',
    'succeeded',
  ]);
  // The first death counts against nobody; one that a busy machine makes late may not, either.
  expect(deaths()).toBeGreaterThanOrEqual(4);
  expect(deaths()).toBeLessThanOrEqual(7);
}, 300_000);

test('W13: a step that ends its process ends its own execution and no other', async () => {
  const receiver = await startReceiver();
  receiver.answer = ({ path }) => (path === '/wait' ? undefined : {});
  const workflow = await world.deploy({
    steps: [
      { namespace: 'before', run: tell(receiver.url, 'before') },
      {
        namespace: 'one',
        run: `if (steps.trigger.event.kill) process.exit(3);
          await fetch('${receiver.url}/' + (steps.trigger.event.again ? 'again' : 'wait')); return 'done'`,
      },
    ],
  });
  const { id } = await world.begin(workflow, {});
  await until('it runs', () => receiver.received.some(({ path }) => path === '/wait'));
  const killer = await world.run(workflow, { kill: true });
  expect(killer.status).toBe('failed');
  expect(killer.error?.message).toContain('process.exit(3)');
  // It runs again from its step on, in another process.
  await until(
    'it runs again',
    () => receiver.received.filter(({ path }) => path === '/wait').length === 2,
  );
  receiver.answer = () => ({});
  await world.restart();
  const other = await world.ended(id);
  expect(other).toMatchObject({ status: 'succeeded' });
  expect(receiver.received.filter(({ path }) => path === '/before')).toHaveLength(2);
});

test('W16: a delay survives a restart; what is overdue runs at once, in the order that it is due', async () => {
  const receiver = await startReceiver();
  const workflow = await world.deploy({
    steps: [
      { namespace: 'wait', run: '$.flow.delay(steps.trigger.event.ms)' },
      { namespace: 'tell', run: `await fetch('${receiver.url}/' + steps.trigger.event.ms)` },
    ],
    settings: { concurrency: { workers: 1 } },
  });
  // On a busy machine a second passes before the runtime is killed.
  const times = [5000, 3000, 4000];
  for (const ms of times) await world.run(workflow, { ms });
  await world.runtime.kill();
  await wait(5100);
  expect(receiver.received).toEqual([]);
  await world.start();
  const all = await world.allEnded(workflow, 3);
  expect(all.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/3000', '/4000', '/5000']);
});

test('W17: the URLs work before the step has ended', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'ask',
        run: `const { resume_url } = $.flow.suspend();
          const answer = await fetch(resume_url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"yes":1}' });
          await new Promise((done) => setTimeout(done, 200));
          return answer.status`,
      },
      { namespace: 'next', run: 'return steps.ask.$resume_data.body' },
    ],
  });
  const { id } = await world.begin(workflow);
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  expect(stepOf(execution, 'ask').return_value).toBe(200);
  expect(stepOf(execution, 'next').return_value).toEqual({ yes: 1 });
});

test('W17: a hit during a step that is then killed resumes it when it has run again', async () => {
  const receiver = await startReceiver();
  receiver.answer = ({ path }) => (path === '/blocked' ? undefined : {});
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'ask',
        run: `const { resume_url } = $.flow.suspend();
          await fetch('${receiver.url}/url', { method: 'POST', body: resume_url });
          await fetch('${receiver.url}/blocked')`,
      },
      { namespace: 'next', run: 'return steps.ask.$resume_data.body' },
    ],
  });
  const { id } = await world.begin(workflow);
  await until('it to be blocked', () => receiver.received.length === 2);
  expect((await post(receiver.bodies()[0]!, { yes: 2 })).status).toBe(200);
  await world.runtime.kill();
  receiver.answer = () => ({});
  await world.start();
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  expect(stepOf(execution, 'next').return_value).toEqual({ yes: 2 });
  // It hands out the same URL again, whose pause has been ended.
  expect(receiver.bodies()[2]).toBe(receiver.bodies()[0]);
  expect((await post(receiver.bodies()[0]!, {})).status).toBe(410);
});

test('W18: a pause is ended once: a second resume or cancel is 410', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'ask', run: '$.flow.suspend()' },
      { namespace: 'next', run: 'return steps.ask.$resume_data' },
    ],
  });
  const { id } = await world.run(workflow);
  const { pause } = stepOf(await world.execution(id), 'ask');
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      post(n % 2 ? pause!.cancel_url : pause!.resume_url, { n }),
    ),
  );
  const taken = answers.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 410)).toHaveLength(9);
  const execution = await world.ended(id);
  const first = answers.indexOf(taken[0]!);
  expect(execution.status).toBe(first % 2 ? 'cancelled' : 'succeeded');
  expect((await post(pause!.resume_url, {})).status).toBe(410);
  expect((await post(pause!.cancel_url, {})).status).toBe(410);
});

test('P25.42: the request that was told 200 counts, and none that was told 410, while it waits for its turn', async () => {
  const receiver = await startReceiver();
  receiver.answer = ({ path }) => (path === '/blocked' ? undefined : {});
  const workflow = await world.deploy({
    settings: { workers: 1 },
    steps: [
      {
        namespace: 'ask',
        run: `if (steps.trigger.event.block) await fetch('${receiver.url}/blocked'); else $.flow.suspend()`,
      },
      { namespace: 'next', run: 'return steps.ask.$resume_data.body' },
    ],
  });
  const paused = await Promise.all(Array.from({ length: 8 }, () => world.run(workflow, {})));
  // The only worker is busy: those that are resumed wait for their turn.
  const busy = await world.begin(workflow, { block: true });
  await until('the worker to be busy', () => receiver.received.length === 1);
  for (const [n, { id }] of paused.entries()) {
    const { pause } = stepOf(await world.execution(id), 'ask');
    expect((await post(pause!.resume_url, { n })).status).toBe(200);
    const late = await Promise.all(
      Array.from({ length: 6 }, (_, again) =>
        post(again % 2 ? pause!.cancel_url : pause!.resume_url, { late: again }),
      ),
    );
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([410]));
  }
  await world.runtime.rest('POST', `/v1/executions/${busy.id}/cancel`);
  await world.runtime.rest('POST', `/v1/executions/${busy.id}/cancel`);
  for (const [n, { id }] of paused.entries()) {
    const execution = await world.ended(id);
    expect(execution.status).toBe('succeeded');
    expect(stepOf(execution, 'next').return_value).toEqual({ n });
  }
});

test('W18: resume and timer racing give exactly one next leg', async () => {
  const receiver = await startReceiver();
  const workflow = await world.deploy({
    steps: [
      { namespace: 'wait', run: '$.flow.delay(steps.trigger.event.ms)' },
      { namespace: 'next', run: `await fetch('${receiver.url}/' + steps.trigger.event.n)` },
    ],
  });
  const count = 40;
  const waiting = await Promise.all(
    Array.from({ length: count }, (_, n) => world.run(workflow, { n, ms: 1200 })),
  );
  const urls = await Promise.all(
    waiting.map(async ({ id }) => {
      const { pause, ended_at: at } = stepOf(await world.execution(id), 'wait');
      return { url: pause?.resume_url, dueAt: at! + 1200 };
    }),
  );
  const statuses = await Promise.all(
    urls.map(async ({ url, dueAt }, n) => {
      // Before, at, and after the time: 25 ms to either side.
      await wait(Math.max(0, dueAt - Date.now() - 25 + (n % 6) * 10));
      return url === undefined ? 410 : (await post(url, {})).status;
    }),
  );
  const all = await world.allEnded(workflow, count);
  expect(all.every(({ status }) => status === 'succeeded')).toBe(true);
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(
    Array.from({ length: count }, (_, n) => `/${n}`).toSorted(),
  );
  expect(new Set(statuses)).toEqual(new Set(statuses.filter((one) => one === 200 || one === 410)));
  for (const [n, { id }] of waiting.entries()) {
    const { exports } = stepOf(await world.execution(id), 'wait');
    expect('$resume_data' in exports, `execution ${n}`).toBe(statuses[n] === 200);
  }
});

test('W21 W22: a rerun runs the same step again and none before it; context and callback are those given', async () => {
  const receiver = await startReceiver();
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'before',
        run: `${tell(receiver.url, 'before')}; $.send.emit({ raw_event: { from: 'before' } })`,
      },
      {
        namespace: 'poll',
        run: `const { runs, context, callback_request } = $.context.run;
          if (runs < 3) $.flow.rerun(runs === 1 ? 50 : 3600_000, { seen: runs });
          return [runs, context ?? null, callback_request?.body ?? null]`,
      },
      { namespace: 'after', run: 'return steps.poll.$return_value' },
    ],
  });
  const listener = await world.deploy({
    triggers: [{ id: workflow.id }],
    steps: [{ namespace: 'told', run: 'return steps.trigger.event.from' }],
  });
  const { id } = await world.begin(workflow);
  await until('its second run to wait', async () => {
    const runs = runsOf(await world.execution(id), 'poll');
    return runs.length === 2 && runs[1]!.status === 'paused';
  });
  const waiting = stepOf(await world.execution(id), 'poll');
  expect((await post(waiting.pause!.resume_url, { called: 1 })).status).toBe(200);
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  expect(runsOf(execution, 'poll').map((run) => run.return_value)).toEqual([
    [1, null, null],
    [2, { seen: 1 }, null],
    [3, { seen: 2 }, { called: 1 }],
  ]);
  expect(runsOf(execution, 'poll').map(({ status }) => status)).toEqual(Array(3).fill('succeeded'));
  expect(stepOf(execution, 'after').return_value).toEqual([3, { seen: 2 }, { called: 1 }]);
  expect(receiver.received).toHaveLength(1);
  expect(await world.allEnded(listener, 1)).toHaveLength(1);
});

test('W21: after max reruns the execution goes on with what the last run returned', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'poll', run: '$.flow.rerun(1, null, 2); return $.context.run.runs' },
      { namespace: 'after', run: 'return steps.poll.$return_value' },
    ],
  });
  const { id } = await world.begin(workflow);
  const execution = await world.ended(id);
  expect(runsOf(execution, 'poll')).toHaveLength(3);
  expect(stepOf(execution, 'after').return_value).toBe(3);
});

test('W21: a URL of an earlier run of the step is 410', async () => {
  const workflow = await world.deploy({
    steps: [{ namespace: 'poll', run: '$.flow.rerun(3600_000)' }],
  });
  const { id } = await world.run(workflow);
  const first = stepOf(await world.execution(id), 'poll').pause!.resume_url;
  expect((await post(first, {})).status).toBe(200);
  await until('the second run', async () => runsOf(await world.execution(id), 'poll').length === 2);
  await world.becomes(id, 'paused');
  expect((await post(first, {})).status).toBe(410);
  // Nothing goes on for it, and it does not spin.
  await wait(300);
  expect(runsOf(await world.execution(id), 'poll')).toHaveLength(2);
  expect((await world.resume(id)).status).toBe(200);
  await until('the third run', async () => runsOf(await world.execution(id), 'poll').length === 3);
});

test('W23: each leg has an id of its own, and all one trace_id', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', run: '$.flow.delay(1); return $.context' },
      { namespace: 'two', run: 'return $.context' },
      { namespace: 'three', run: 'return $.context' },
    ],
  });
  const { id } = await world.begin(workflow);
  const execution = await world.ended(id);
  const [one, two, three] = ['one', 'two', 'three'].map(
    (path) => stepOf(execution, path).return_value as Record<string, unknown>,
  );
  expect(one!['id']).not.toBe(two!['id']);
  expect(two!['id']).toBe(three!['id']);
  const traces = [one, two, three].map((context) => context!['trace_id']);
  expect(new Set([...traces, execution.trace_id]).size).toBe(1);
  const keys = [one, two, three].map((context) => context!['step_key']);
  expect(keys).toEqual(['one', 'two', 'three'].map((path) => `${execution.trace_id}.${path}`));
});

test('W24: a cancel ends it after the step that runs, and is kept over a kill -9', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', run: tell(receiver.url, 'one') },
      { namespace: 'two', run: tell(receiver.url, 'two') },
    ],
  });
  const { id } = await world.begin(workflow);
  await until('it runs', () => receiver.received.length === 1);
  expect((await world.cancel(id)).status).toBe(200);
  await wait(200);
  expect((await world.execution(id)).status).toBe('running');
  receiver.answer = () => ({});
  await world.restart();
  const cancelled = await world.ended(id);
  expect(cancelled).toMatchObject({ status: 'cancelled', reason: 'It was cancelled.' });
  expect(receiver.received.map(({ path }) => path)).not.toContain('/two');
});

test('W24: the end of the step ends a cancelled execution; a second ask ends its process', async () => {
  const receiver = await startReceiver();
  receiver.answer = ({ path }) => (path === '/wait' ? undefined : {});
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'one',
        run: `await fetch('${receiver.url}/begun');
          if (steps.trigger.event.endless) for (;;);
          await new Promise((done) => setTimeout(done, 400)); return 'ended'`,
      },
      { namespace: 'two', run: 'return 2' },
    ],
  });
  const soft = await world.begin(workflow, {});
  await until('it runs', () => receiver.received.length === 1);
  await world.cancel(soft.id);
  const ended = await world.ended(soft.id);
  expect(ended.status).toBe('cancelled');
  expect(ended.steps.map(({ path, return_value }) => [path, return_value])).toEqual([
    ['one', 'ended'],
  ]);
  const hard = await world.begin(workflow, { endless: true });
  await until('it runs', () => receiver.received.length === 2);
  await world.cancel(hard.id);
  await wait(100);
  expect((await world.execution(hard.id)).status).toBe('running');
  await world.cancel(hard.id);
  const killed = await world.ended(hard.id);
  expect(killed.status).toBe('cancelled');
  expect(stepOf(killed, 'one').status).toBe('cancelled');
  expect((await world.cancel(hard.id)).status).toBe(409);
});

test('W34: a full queue drops with a row and an $errors event, and nothing is silent in a burst', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const workflow = await world.deploy({
    settings: { concurrency: { workers: 1 }, queue_size: 50 },
    steps: [{ namespace: 'one', run: tell(receiver.url, 'one') }],
  });
  const errors = await world.deploy({
    triggers: [{ id: workflow.id, props: { event_name: '$errors' } }],
    steps: [{ namespace: 'told', run: 'return steps.trigger.event.error.code' }],
  });
  const burst = 2000;
  const connection = await world.runtime.connect();
  await Promise.all(
    Array.from({ length: burst }, () => connection.call('executions.start', { id: workflow.id })),
  );
  receiver.answer = () => ({});
  await world.restart();
  const all = await world.allEnded(workflow, burst, 60_000);
  const dropped = all.filter(({ status }) => status === 'dropped');
  expect(all).toHaveLength(burst);
  expect(dropped).toHaveLength(burst - 51);
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['queue full']));
  expect(all.filter(({ status }) => status === 'succeeded')).toHaveLength(51);
  const told = await world.allEnded(errors, burst - 51, 60_000);
  expect(told).toHaveLength(burst - 51);
}, 180_000);

test('W41 W42: a deploy during a pause: the old code finishes, and stays until then', async () => {
  const first = {
    steps: [
      { namespace: 'one', run: `$.flow.suspend(); return 'old'` },
      { namespace: 'two', run: `return [steps.one.$return_value, 'old']` },
    ],
  };
  const folder = await world.write(first, 'redeployed');
  const workflow = await world.deployFolder(folder);
  const paused = await world.run(workflow);
  await world.write(
    {
      steps: [
        { namespace: 'one', run: `return 'new'` },
        { namespace: 'two', run: `return 'new'` },
      ],
    },
    'redeployed',
  );
  const again = await world.deployFolder(folder);
  expect(again.id).toBe(workflow.id);
  expect(again.deployment_id).not.toBe(workflow.deployment_id);
  // What is not referred to goes at a start.
  await world.restart();
  expect((await world.resume(paused.id)).status).toBe(200);
  const old = await world.ended(paused.id);
  expect(old.deployment_id).toBe(workflow.deployment_id);
  expect(stepOf(old, 'two').return_value).toEqual(['old', 'old']);
  const { id } = await world.begin(again);
  expect(stepOf(await world.ended(id), 'two').return_value).toBe('new');
});

test('W41 W42: a deploy during the first step: the old code finishes', async () => {
  const receiver = await startReceiver();
  let go: () => void = () => undefined;
  receiver.answer = () =>
    new Promise((resolve) => {
      go = () => resolve({});
    });
  const folder = await world.write(
    {
      steps: [
        { namespace: 'one', run: tell(receiver.url, 'one') },
        { namespace: 'two', run: `return 'old'` },
      ],
    },
    'redeployed-early',
  );
  const workflow = await world.deployFolder(folder);
  const { id } = await world.begin(workflow);
  await until('it runs', () => receiver.received.length === 1);
  await world.write({ steps: [{ namespace: 'two', run: `return 'new'` }] }, 'redeployed-early');
  await world.deployFolder(folder);
  await world.deployFolder(folder);
  go();
  const old = await world.ended(id);
  expect(old.status).toBe('succeeded');
  expect(stepOf(old, 'two').return_value).toBe('old');
});
