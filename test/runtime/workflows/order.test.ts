import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { countOf, workflowWorld } from './world.ts';

const world = workflowWorld();

test('W32: with one worker they run in the order of the inbox, never two at once, also over restarts', async () => {
  const receiver = await startReceiver();
  let atOnce = 0;
  let most = 0;
  receiver.answer = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await wait(15);
    atOnce -= 1;
    return {};
  };
  const workflow = await world.deploy({
    settings: { concurrency: { workers: 1 } },
    steps: [{ namespace: 'one', run: `await fetch('${receiver.url}/' + steps.trigger.event.n)` }],
  });
  const connection = await world.runtime.connect();
  const count = 60;
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      connection.call('executions.start', { id: workflow.id, event: { n } }),
    ),
  );
  for (const enough of [10, 30]) {
    await until('some to have run', () => receiver.received.length >= enough);
    await world.restart();
  }
  await world.allEnded(workflow, count);
  const order = receiver.received.map(({ path }) => Number(path.slice(1)));
  // One that was cut off is told twice, in its place.
  expect(order.filter((n, place) => order.indexOf(n) === place)).toEqual(
    Array.from({ length: count }, (_, n) => n),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(most).toBe(1);
});

test('W33: never more begin in a window than its limit; 0 holds, and raising it drains', async () => {
  const steps = [{ namespace: 'one', run: 'return Date.now()' }];
  const throttle = (limit: number) => ({ throttle: { limit, interval: 1, unit: 'second' } });
  const workflow = await world.deploy({ settings: throttle(0), steps }, 'throttled');
  const connection = await world.runtime.connect();
  const count = 12;
  await Promise.all(
    Array.from({ length: count }, () => connection.call('executions.start', { id: workflow.id })),
  );
  await wait(300);
  expect((await world.executions(workflow)).map(({ status }) => status)).toEqual(
    Array(count).fill('queued'),
  );
  await world.deployFolder(await world.write({ settings: throttle(4), steps }, 'throttled'));
  const all = await world.allEnded(workflow, count);
  const starts = all.map(({ started_at: at }) => at!).toSorted((a, b) => a - b);
  for (let first = 0; first + 4 < count; first += 4) {
    expect(starts[first + 4]! - starts[first]!).toBeGreaterThanOrEqual(990);
  }
  expect(starts.at(-1)! - starts[0]!).toBeGreaterThanOrEqual(1990);
});

test('W35: what is paused blocks nobody', async () => {
  const workflow = await world.deploy({
    settings: { concurrency: { workers: 1 } },
    steps: [
      { namespace: 'one', run: 'if (steps.trigger.event.pause) $.flow.suspend(); return 1' },
      { namespace: 'two', run: 'return 2' },
    ],
  });
  const paused = await Promise.all([1, 2, 3].map(() => world.run(workflow, { pause: true })));
  expect(paused.map(({ status }) => status)).toEqual(['paused', 'paused', 'paused']);
  expect((await world.run(workflow, {})).status).toBe('succeeded');
});

test('W35: payloads of what waits do not stay in memory without bound', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const workflow = await world.deploy({
    settings: { concurrency: { workers: 1 } },
    steps: [
      {
        namespace: 'one',
        run: `if (steps.trigger.event.hold) await fetch('${receiver.url}'); return steps.trigger.event.text.length`,
      },
    ],
  });
  await world.begin(workflow, { hold: true, text: '' });
  const connection = await world.runtime.connect();
  const text = 'x'.repeat(1024 * 1024);
  const count = 160;
  for (let n = 0; n < count; n += 1) {
    await connection.call('executions.start', { id: workflow.id, event: { text } });
  }
  const status = await readFile(`/proc/${world.runtime.pid}/status`, 'utf8');
  const megabytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
  expect(megabytes).toBeLessThan(500);
  receiver.answer = () => ({});
  await receiver.close();
  const all = await world.allEnded(workflow, count + 1, 60_000);
  expect(all.slice(1).every(({ status: one }) => one === 'succeeded')).toBe(true);
}, 120_000);

test('W16: more than are taken at a time are overdue: all go on', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'wait', run: '$.flow.delay(6000)' },
      { namespace: 'then', run: 'return 1' },
    ],
  });
  const connection = await world.runtime.connect();
  const count = 300;
  await Promise.all(
    Array.from({ length: count }, () => connection.call('executions.start', { id: workflow.id })),
  );
  await until(
    'all to wait',
    async (seen) => seen(countOf(await world.executions(workflow)))['paused'] === count,
    60_000,
  );
  await world.runtime.kill();
  await wait(6100);
  await world.start();
  const all = await world.allEnded(workflow, count, 60_000);
  expect(all.every(({ status }) => status === 'succeeded')).toBe(true);
}, 120_000);
