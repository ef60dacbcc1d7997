/** Once the store takes nothing, nothing begins: what waits goes on in order after the restart (P12.25). */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { post, postedStatus } from '../support/post.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { atEndOfTest } from '../support/at-end.ts';
import { endpointOf, httpTrigger, WorkflowWorld } from './workflows/world.ts';

const sentence = /weir\.db could not be read or written .*start the runtime again/;
/** So long one piece of work takes: a queue builds up behind it. */
const workMs = 100;

/** Numbers in the order in which the receiver was told of them. */
const numbersOf = (receiver: Receiver): number[] =>
  receiver.received.map(({ path }) => Number(path.slice(1)));

const slowReceiver = (): Promise<Receiver> =>
  startReceiver({
    answer: async () => {
      await wait(workMs);
      return {};
    },
  });

/** Posts until the disk is full. @returns the numbers that were acknowledged */
async function fill(url: string, body: (number: number) => object): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let number = 0; ; number += 1) {
    const { status } = await post(url, body(number));
    if (status !== 200) {
      expect(status).toBe(503);
      return acknowledged;
    }
    acknowledged.push(number);
  }
}

/** Some time later nothing but what was under way has been done. @param most that were under way */
async function expectRest(receiver: Receiver, most: number): Promise<void> {
  const before = receiver.received.length;
  await wait(15 * workMs);
  expect(receiver.received.length - before).toBeLessThanOrEqual(most);
}

/** What was acknowledged is done in order after the restart, at most `most` of it again. */
async function expectInOrder(
  receiver: Receiver,
  acknowledged: readonly number[],
  before: number,
  most: number,
): Promise<void> {
  await until(
    'all that was acknowledged',
    () => {
      const done = new Set(numbersOf(receiver));
      return acknowledged.every((number) => done.has(number));
    },
    60_000,
  );
  const after = numbersOf(receiver).slice(before);
  expect(after).toEqual(after.toSorted((a, b) => a - b));
  const again = numbersOf(receiver).length - new Set(numbersOf(receiver)).size;
  expect(again).toBeLessThanOrEqual(most);
}

async function deployed(runtime: TestRuntime, folder: string, code: string, props = {}) {
  const path = await sourceFile(folder, `${Math.random()}.mjs`, code);
  return runtime.restData<Source>('POST', '/v1/sources', {
    component_path: path,
    configured_props: props,
  });
}

const at = (url: string, runtime: TestRuntime): string => {
  const moved = new URL(url);
  moved.port = new URL(runtime.url).port;
  return moved.href;
};

test('executions of a workflow with one worker', async () => {
  const receiver = await slowReceiver();
  const world = new WorkflowWorld([], atEndOfTest);
  await world.open();
  const workflow = await world.deploy({
    settings: { concurrency: { workers: 1 } },
    triggers: [httpTrigger],
    steps: [
      {
        namespace: 'tell',
        run: `await fetch('${receiver.url}/' + steps.trigger.event.body.number)`,
      },
    ],
  });
  const url = endpointOf(workflow);
  await world.runtime.stop();
  const limited = await startRuntime({ folder: world.folder, largestFileKb: 4096 });
  limited.expectErrors(sentence);
  const text = 'x'.repeat(60_000);
  const acknowledged = await fill(at(url, limited), (number) => ({ number, text }));
  expect(acknowledged.length).toBeGreaterThan(20);
  await expectRest(receiver, 1);
  const before = receiver.received.length;
  expect(before).toBeLessThan(acknowledged.length);
  await limited.stop();
  await world.start();
  await expectInOrder(receiver, acknowledged, before, 2);
});

test('runs of a listener, and deliveries of a webhook', async () => {
  const [heard, delivered] = [await slowReceiver(), await slowReceiver()];
  const folder = temporaryFolder();
  const args = ['--set', 'delivery.concurrency=1'];
  const limited = await startRuntime({ folder, largestFileKb: 4096, args });
  limited.expectErrors(sentence);
  const emitter = await deployed(
    limited,
    folder,
    `export default { name: 'Emitter', props: { http: '$.interface.http' },
      run({ body }) { this.$emit(body) } }`,
  );
  const listener = await deployed(
    limited,
    folder,
    `export default { name: 'Listener', async run({ number }) { await fetch('${heard.url}/' + number) } }`,
  );
  await limited.restData('POST', '/v1/subscriptions', {
    emitter_id: emitter.id,
    listener_id: listener.id,
  });
  const webhook = await limited.restData<{ id: string }>('POST', '/v1/webhooks', {
    url: `${delivered.url}/hook`,
  });
  await limited.restData('POST', '/v1/subscriptions', {
    emitter_id: emitter.id,
    listener_id: webhook.id,
  });
  const text = 'x'.repeat(20_000);
  const acknowledged = await fill(emitter.endpoint_url!, (number) => ({ number, text }));
  expect(acknowledged.length).toBeGreaterThan(10);
  const hooksBefore = delivered.received.length;
  // The run whose end the disk refused, and the one that had begun behind it.
  await expectRest(heard, 2);
  expect(delivered.received.length - hooksBefore).toBeLessThanOrEqual(1);
  const before = heard.received.length;
  const hooks = delivered.received.length;
  await limited.stop();
  await startRuntime({ folder, args });
  await expectInOrder(heard, acknowledged, before, 2);
  await until('all deliveries', () => delivered.received.length >= acknowledged.length, 60_000);
  const numbers = delivered
    .bodies()
    .map((body) => JSON.parse(body) as { event?: { number: number }; number?: number })
    .map(({ event, number }) => event?.number ?? number ?? -1);
  expect(numbers.slice(hooks)).toEqual(numbers.slice(hooks).toSorted((a, b) => a - b));
  expect(numbers.length - new Set(numbers).size).toBeLessThanOrEqual(2);
});

test('a tick that is due while the store takes nothing', async () => {
  const receiver = await startReceiver();
  const folder = temporaryFolder();
  const limited = await startRuntime({ folder, largestFileKb: 4096 });
  limited.expectErrors(sentence);
  const source = await deployed(
    limited,
    folder,
    `export default { name: 'Timed', props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } },
      async run({ body }) { if (body === undefined) await fetch('${receiver.url}/') } }`,
  );
  await until('a tick', () => receiver.received.length > 0);
  while ((await postedStatus(source.endpoint_url!, { text: 'x'.repeat(100_000) })) === 200);
  const before = receiver.received.length;
  await wait(2500);
  expect(receiver.received.length - before).toBeLessThanOrEqual(1);
});
