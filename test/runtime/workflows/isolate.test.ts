/** `settings.isolate: step` (P25.27): each step in a process of its own. */
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();
const isolate = 'step';

describe('each step', () => {
  test('has a process of its own, which stays warm', async () => {
    const workflow = await world.deploy({
      settings: { isolate },
      steps: ['one', 'two'].map((namespace) => ({
        namespace,
        run: 'globalThis.count = (globalThis.count ?? 0) + 1; return [process.pid, globalThis.count]',
      })),
    });
    const pids = async () => {
      const execution = await world.ended((await world.run(workflow)).id);
      return ['one', 'two'].map((path) => stepOf(execution, path).return_value as number[]);
    };
    const [one, two] = await pids();
    expect(one![0]).not.toBe(two![0]);
    expect([one![1], two![1]]).toEqual([1, 1]);
    expect(await pids()).toEqual([
      [one![0], 2],
      [two![0], 2],
    ]);
  });

  test('sees what those before it left in the folder of the leg', async () => {
    const head = `import { readFileSync, writeFileSync } from 'node:fs'; import { tmpdir } from 'node:os';`;
    const step = (namespace: string, code: string) => ({
      namespace,
      code: `${head} export default { type: 'action', props: {}, async run({ $ }) { ${code} } };`,
    });
    const workflow = await world.deploy({
      settings: { isolate },
      steps: [
        step('write', `writeFileSync(tmpdir() + '/note', 'left here'); return tmpdir()`),
        step(
          'read',
          `const text = readFileSync(tmpdir() + '/note', 'utf8'); $.flow.delay(1); return text`,
        ),
        step('later', 'return tmpdir()'),
      ],
    });
    const execution = await world.ended((await world.run(workflow)).id);
    expect(stepOf(execution, 'read').return_value).toBe('left here');
    expect(stepOf(execution, 'later').return_value).not.toBe(
      stepOf(execution, 'write').return_value,
    );
  });
});

test('W13: a step that ends its process cuts off runs of that step alone', async () => {
  const receiver = await startReceiver();
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  receiver.answer = async () => {
    await held;
    return {};
  };
  const workflow = await world.deploy({
    settings: { isolate },
    steps: [
      {
        namespace: 'fragile',
        run: `if (steps.trigger.event.dies) process.kill(process.pid, 'SIGKILL')`,
      },
      { namespace: 'long', run: `await fetch('${receiver.url}'); return process.pid` },
    ],
  });
  const long = await world.begin(workflow, {});
  await until('the second step', () => receiver.received.length === 1);
  const dead = await world.ended((await world.begin(workflow, { dies: true })).id);
  expect(dead.status).not.toBe('succeeded');
  go();
  const whole = await world.ended(long.id);
  expect(whole.status).toBe('succeeded');
  // In one process it would have run again.
  expect(receiver.received).toHaveLength(1);
});

test('blocks, pauses, cancel and the time limit are as in one process', async () => {
  const workflow = await world.deploy({
    settings: { isolate, lambda_timeout: 1 },
    steps: [
      {
        namespace: 'loop',
        control: 'each',
        on: '{{event.items}}',
        concurrency: 2,
        steps: [{ namespace: 'twice', run: 'return [process.pid, steps.loop.item * 2]' }],
      },
      { namespace: 'pause', run: '$.flow.suspend()' },
      { namespace: 'spin', run: 'if (steps.trigger.event.spin) for (;;);' },
    ],
  });
  for (const spin of [true, false]) {
    const paused = await world.run(workflow, { items: [1, 2, 3], spin });
    expect([paused.status, paused.error]).toEqual(['paused', null]);
    const pids = new Set(
      [0, 1, 2].map((n) => (stepOf(paused, `loop[${n}].twice`).return_value as number[])[0]),
    );
    expect(pids.size).toBe(1);
    await world.resume(paused.id);
    expect((await world.ended(paused.id)).status).toBe(spin ? 'timed_out' : 'succeeded');
  }
});
