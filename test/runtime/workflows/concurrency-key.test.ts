/** `settings.concurrency.key` (P25.62): executions of the same key run one after another. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { countOf, workflowWorld } from './world.ts';

const world = workflowWorld();

/** A third party that sees which executions are with it at once, by the key in the path. */
async function watching() {
  const receiver = await startReceiver();
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  let all = 0;
  let mostOfAll = 0;
  receiver.answer = async ({ path }) => {
    const [, key = ''] = path.split('/');
    const count = (now.get(key) ?? 0) + 1;
    now.set(key, count);
    most.set(key, Math.max(most.get(key) ?? 0, count));
    all += 1;
    mostOfAll = Math.max(mostOfAll, all);
    await wait(20);
    now.set(key, (now.get(key) ?? 1) - 1);
    all -= 1;
    return {};
  };
  return { receiver, most, mostOfAll: () => mostOfAll };
}

const key = '{{event.key}}';

describe('executions', () => {
  test('of one key begin in the order of the inbox, never two at once; those of others beside them, also over a kill', async () => {
    const { receiver, most, mostOfAll } = await watching();
    const workflow = await world.deploy({
      settings: { concurrency: { key } },
      steps: [
        {
          namespace: 'one',
          run: `const { key, n } = steps.trigger.event; await fetch('${receiver.url}/' + key + '/' + n)`,
        },
      ],
    });
    const connection = await world.runtime.connect();
    const count = 60;
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        connection.call('executions.start', {
          id: workflow.id,
          event: { key: `k${n % 3}`, n },
        }),
      ),
    );
    await until('some to have run', () => receiver.received.length >= 15);
    await world.restart();
    expect(countOf(await world.allEnded(workflow, count))).toEqual({ succeeded: count });
    expect([...most.values()]).toEqual([1, 1, 1]);
    expect(mostOfAll()).toBe(3);
    for (const one of ['k0', 'k1', 'k2']) {
      const order = receiver.received
        .filter(({ path }) => path.startsWith(`/${one}/`))
        .map(({ path }) => Number(path.split('/')[2]));
      // One that was cut off is told twice, in its place.
      expect(order.length).toBeGreaterThanOrEqual(count / 3);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });

  test('W35: one that is paused holds up none of its key; two that are due do not run at once', async () => {
    const { receiver, most } = await watching();
    const workflow = await world.deploy({
      settings: { concurrency: { key } },
      steps: [
        { namespace: 'one', run: 'if (steps.trigger.event.pause) $.flow.suspend()' },
        { namespace: 'two', run: `await fetch('${receiver.url}/' + steps.trigger.event.key)` },
      ],
    });
    const paused = await Promise.all(
      [1, 2, 3].map(() => world.run(workflow, { key: 'a', pause: true })),
    );
    expect(paused.map(({ status }) => status)).toEqual(['paused', 'paused', 'paused']);
    expect((await world.run(workflow, { key: 'a' })).status).toBe('succeeded');
    await Promise.all(paused.map(({ id }) => world.resume(id)));
    await world.allEnded(workflow, 4);
    expect(most.get('a')).toBe(1);
  });

  test('values of every type are keys', async () => {
    const receiver = await startReceiver();
    receiver.answer = () => undefined;
    const workflow = await world.deploy({
      settings: { concurrency: { key: 'of {{event.list[0]}}: {{event.key}}' } },
      steps: [{ namespace: 'one', run: `await fetch('${receiver.url}')` }],
    });
    for (const value of [{ n: 1 }, null, ['a'], ['a']]) {
      await world.begin(workflow, { list: [1], key: value });
    }
    await until('those of different keys', () => receiver.received.length === 3);
    await wait(200);
    expect(receiver.received).toHaveLength(3);
  });
});

describe('an expression that cannot be used fails its execution alone', () => {
  test('one that throws: named with where it stands', async () => {
    const workflow = await world.deploy({
      settings: { concurrency: { key: '{{event.a.b}}' } },
      steps: [{ namespace: 'one', run: 'return 1' }],
    });
    const failed = await world.ended((await world.begin(workflow, {})).id);
    expect(failed.status).toBe('failed');
    expect(failed.error?.message).toMatch(
      /^settings\.concurrency\.key: \{\{ event\.a\.b \}\} threw TypeError/,
    );
    expect((await world.run(workflow, { a: { b: 1 } })).status).toBe('succeeded');
  });

  test('one that never ends', async () => {
    const workflow = await world.deploy({
      settings: { concurrency: { key: '{{(() => { while (event.loop); return 1; })()}}' } },
      steps: [{ namespace: 'one', run: 'return 1' }],
    });
    const { id } = await world.begin(workflow, { loop: true });
    const next = await world.begin(workflow, {});
    expect((await world.ended(id)).error?.message).toContain('took longer than 10 s');
    expect((await world.ended(next.id)).status).toBe('succeeded');
  }, 40_000);

  test('one that is cancelled while its key is asked for', async () => {
    const workflow = await world.deploy({
      settings: {
        concurrency: {
          key: '{{(() => { const end = Date.now() + event.ms; while (Date.now() < end); return 1; })()}}',
        },
      },
      steps: [{ namespace: 'one', run: 'return 1' }],
    });
    const { id } = await world.begin(workflow, { ms: 1000 });
    await world.cancel(id);
    expect((await world.ended(id)).status).toBe('cancelled');
    expect((await world.run(workflow, { ms: 0 })).status).toBe('succeeded');
  });
});

test.for([
  ['{{steps.one.$return_value}}', 'before the first step runs'],
  ['customer', 'the same text for all executions'],
  ['{{event.a', 'is never closed with }}'],
] as const)('%s is refused at its line', async ([text, why]) => {
  const folder = await world.write({
    settings: { concurrency: { key: text } },
    steps: [{ namespace: 'one', run: 'return 1' }],
  });
  const { status, body } = await world.runtime.rest('POST', '/v1/workflows', {
    workflow_path: folder,
  });
  expect(status).toBe(400);
  expect((body as { error: string }).error).toContain(why);
});
