/** What goes wrong around an execution: nothing of it is lost or run twice, and nothing beside it suffers. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { post } from '../../support/post.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { endpointOf, httpTrigger, runsOf, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld('--set', 'retention.events=1000000');

test('a disk that is full at the commit of a step: said, and what was accepted ends after a restart', async () => {
  const receiver = await startReceiver();
  const workflow = await world.deploy({
    triggers: [httpTrigger],
    steps: [
      { namespace: 'large', run: `return 'x'.repeat(300_000)` },
      {
        namespace: 'tell',
        run: `await fetch('${receiver.url}/' + steps.trigger.event.body.number); return steps.large.$return_value.length`,
      },
    ],
  });
  const url = endpointOf(workflow);
  await world.runtime.stop();
  const limited = await startRuntime({ folder: world.folder, largestFileKb: 6000 });
  limited.expectErrors(/weir\.db could not be read or written .*start the runtime again/);
  const at = new URL(url);
  at.port = new URL(limited.url).port;
  const acknowledged: number[] = [];
  for (let number = 0; ; number += 1) {
    const { status } = await post(at.href, { number });
    if (status !== 200) {
      expect(status).toBe(503);
      break;
    }
    acknowledged.push(number);
    // Each has its turn, so that it is a step's commit that the disk refuses.
    await wait(20);
  }
  expect(acknowledged.length).toBeGreaterThan(3);
  await limited.stop();
  await world.start();
  const all = await world.allEnded(workflow, acknowledged.length);
  expect(all.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  for (const { id } of all) {
    const execution = await world.execution(id);
    expect(runsOf(execution, 'large').map(({ status }) => status)).toEqual(['succeeded']);
    expect(stepOf(execution, 'tell').return_value).toBe(300_000);
  }
  const told = receiver.received.map(({ path }) => Number(path.slice(1)));
  expect([...new Set(told)].toSorted((a, b) => a - b)).toEqual(acknowledged);
  // The one whose commit was refused began again, and no other.
  expect(told.length - acknowledged.length).toBeLessThanOrEqual(16);
});

test('the clock is set back and forward during a delay: the next step runs once', async () => {
  const folder = temporaryFolder();
  const preload = join(folder, 'clock.cjs');
  // The runtime's clock alone: a signal sets it back by three seconds, another one forward by six.
  await writeFile(
    preload,
    `const real = Date.now; let offset = 0; Date.now = () => real() + offset;
     process.on('SIGUSR2', () => { offset -= 3000; }); process.on('SIGWINCH', () => { offset += 6000; });`,
  );
  await world.runtime.stop();
  const moved = await startRuntime({ folder: world.folder, preload });
  world.runtime = moved;
  const workflow = await world.deploy({
    steps: [
      { namespace: 'nap', run: `$.flow.delay(steps.trigger.event.ms)` },
      { namespace: 'after', run: `return 'went on'` },
    ],
  });
  const short = await world.run(workflow, { ms: 1500 });
  expect(short.status).toBe('paused');
  process.kill(moved.pid, 'SIGUSR2');
  const ended = await world.ended(short.id);
  expect(ended.status).toBe('succeeded');
  expect(runsOf(ended, 'after')).toHaveLength(1);
  const long = await world.run(workflow, { ms: 5000 });
  process.kill(moved.pid, 'SIGWINCH');
  const soon = await world.ended(long.id);
  expect(runsOf(soon, 'after')).toHaveLength(1);
  await moved.stop();
  await world.start();
});

test('a step whose process sends what no component host sends fails, and another execution does not', async () => {
  const receiver = await startReceiver();
  // Its first request waits; that of the run after it is answered.
  receiver.answer = ({ path }) =>
    path === '/wait' && receiver.received.filter((one) => one.path === path).length === 1
      ? undefined
      : {};
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'one',
        run: `if (steps.trigger.event.hostile) {
            const { writeSync } = await import('node:fs');
            for (let fd = 3; fd < 30; fd += 1) { try { writeSync(fd, Buffer.alloc(64, 0xff)); } catch {} }
            await new Promise((resolve) => setTimeout(resolve, 60_000));
          }
          await fetch('${receiver.url}/' + (steps.trigger.event.path ?? 'go'));`,
      },
    ],
  });
  const beside = await world.begin(workflow, { path: 'wait' });
  await until('the one beside it to run', () => receiver.received.length === 1);
  const hostile = await world.run(workflow, { hostile: true });
  expect(hostile.status).toBe('failed');
  expect(hostile.error).toMatchObject({
    name: 'ProtocolError',
    message: expect.stringMatching(/^one: its process sent .*, which no component host sends$/),
  });
  // It was cut off by that, and begins again.
  expect((await world.ended(beside.id)).status).toBe('succeeded');
  expect((await world.run(workflow, {})).status).toBe('succeeded');
});

test('P25.24 a step that takes all memory fails, and one that ran beside it does not', async () => {
  const receiver = await startReceiver();
  receiver.answer = ({ path }) => (path === '/wait' ? undefined : {});
  const workflow = await world.deploy({
    settings: { lambda_memory: 128 },
    steps: [
      {
        namespace: 'one',
        run: `const { path } = steps.trigger.event;
          const held = [];
          if (path === undefined) for (;;) held.push('x'.repeat(1000) + held.length);
          await fetch('${receiver.url}/' + path);`,
      },
    ],
  });
  const beside = await world.begin(workflow, { path: 'wait' });
  await until('the one beside it to run', () => receiver.received.length === 1);
  const greedy = await world.run(workflow, {});
  expect(greedy).toMatchObject({ status: 'failed', error: { name: 'OutOfMemory' } });
  receiver.answer = () => ({});
  expect((await world.run(workflow, { path: 'go' })).status).toBe('succeeded');
  const waits = () => receiver.received.filter(({ path }) => path === '/wait').length;
  await until('the one beside it to run again', () => waits() === 2);
  await world.cancel(beside.id);
  await world.cancel(beside.id);
  expect((await world.ended(beside.id)).status).toBe('cancelled');
});

test('a workflow that is deleted beside requests to its URLs: each is answered, and nothing stays', async () => {
  const ask = {
    triggers: [httpTrigger],
    steps: [
      { namespace: 'ask', run: `return $.flow.suspend().resume_url` },
      { namespace: 'after', run: `await new Promise((resolve) => setTimeout(resolve, 20))` },
    ],
  };
  for (let round = 0; round < 5; round += 1) {
    const workflow = await world.deploy(ask, 'deleted');
    const started = await Promise.all(Array.from({ length: 8 }, () => world.run(workflow)));
    const urls = started.map((one) => stepOf(one, 'ask').return_value as string);
    const hits = urls.map(async (url) => (await post(url, {})).status);
    await wait(round * 3);
    await world.runtime.rest('DELETE', `/v1/workflows/${workflow.id}`);
    for (const status of await Promise.all(hits)) expect([200, 404, 410]).toContain(status);
    for (const url of urls) expect((await post(url, {})).status).toBe(404);
    for (const { id } of started) {
      expect((await world.runtime.rest('GET', `/v1/executions/${id}`)).status).toBe(404);
    }
  }
});

test('events that come while a workflow is deployed for the first time are not lost', async () => {
  const emitter = await world.deploy({
    triggers: [httpTrigger],
    // One after the other, so that their numbers are in the order of the events.
    settings: { concurrency: { workers: 1 } },
    steps: [{ namespace: 'tell', run: `$.send.emit({ raw_event: steps.trigger.event.body })` }],
  });
  const url = endpointOf(emitter);
  const load = { isOn: true, count: 0 };
  const calling = (async () => {
    while (load.isOn) {
      load.count += 1;
      expect((await post(url, { number: load.count })).status).toBe(200);
    }
  })();
  await until('some events', () => load.count > 5);
  const listener = await world.deploy({
    triggers: [{ id: emitter.id }],
    steps: [{ namespace: 'got', run: `return steps.trigger.event.number` }],
  });
  const first = load.count;
  await until('some more', () => load.count > first + 5);
  load.isOn = false;
  await calling;
  // They are told in their order: with the last one all have come.
  const numbers = await until('the last event to be heard', async (seen) => {
    const heard = await world.executions(listener);
    if (heard.some(({ ended_at: ended }) => ended === null)) return undefined;
    const all = await Promise.all(
      heard.map(async ({ id }) => stepOf(await world.execution(id), 'got').return_value as number),
    );
    return seen(all).includes(load.count) ? all : undefined;
  });
  // From the first that it heard on, all, each once.
  const from = Math.min(...numbers);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: load.count - from + 1 }, (_, index) => from + index),
  );
});
