/** A workflow wherever a source emits or listens: subscriptions, webhooks, streams, lists (W36, W38–W40). */
import { expect, test } from 'vitest';
import type {
  Delivery,
  EmittedEvent,
  Execution,
  LogLine,
  Page,
  Source,
  Subscription,
  Webhook,
  WholeExecution,
  Workflow,
} from '../../src/protocol/catalogue.ts';
import { post } from '../support/post.ts';
import { startReceiver } from '../support/receiver.ts';
import { useRuntime } from '../support/runtime.ts';
import { readStream } from '../support/sse-reader.ts';
import { until } from '../support/until.ts';
import { deployWorkflow, endpointOf, http } from './support/workflows.ts';

const runtime = useRuntime();

/** Emits the body of its request, on the channel that it names. */
const emitting =
  'const { body } = steps.trigger.event; console.log("got", body.n); $.send.emit({ name: body.channel, raw_event: body });';
/** Hands on the event it was started with. */
const noting = 'return steps.trigger.event;';

const emitter = (name: string) =>
  deployWorkflow(runtime, { name, triggers: http, steps: { emit: emitting } });
const listener = (name: string) => deployWorkflow(runtime, { name, steps: { note: noting } });

async function subscribe(emitter_id: string, listener_id: string, event_name?: string) {
  const channel = event_name === undefined ? {} : { event_name };
  return await runtime.restData<Subscription>('POST', '/v1/subscriptions', {
    emitter_id,
    listener_id,
    ...channel,
  });
}

async function executions({ id }: Workflow): Promise<Execution[]> {
  return await runtime.restData<Execution[]>('GET', `/v1/workflows/${id}/executions?limit=100`);
}

/** The events that started the executions of a workflow, oldest first, when as many have ended. */
async function started(workflow: Workflow, count: number): Promise<unknown[]> {
  const ended = await until(`${count} executions`, async (seen) => {
    const all = seen(await executions(workflow));
    return all.length >= count && all.every(({ ended_at }) => ended_at !== null) && all;
  });
  const whole = await Promise.all(
    ended
      .toReversed()
      .map(({ id }) => runtime.restData<WholeExecution>('GET', `/v1/executions/${id}`)),
  );
  return whole.map(({ steps }) => steps[0]?.return_value);
}

async function summaries(path: string): Promise<EmittedEvent[]> {
  return ((await runtime.rest('GET', path)).body as Page<EmittedEvent>).data as EmittedEvent[];
}

test('a named channel reaches only its listeners: workflows, sources and webhooks alike (W39)', async () => {
  const from = await emitter('Channels');
  const plain = await listener('Plain');
  const alerts = await listener('Alerts');
  const path = await runtime.file(
    'echo.mjs',
    `export default {
    name: 'Echo', run(event) { this.$emit({ echoed: event.n }); } }`,
  );
  const source = await runtime.weirJson<Source>('deploy', path);
  const receiver = await startReceiver({ atEnd: runtime.atEnd });
  const webhook = await runtime.restData<Webhook>('POST', '/v1/webhooks', { url: receiver.url });
  await subscribe(from.id, plain.id);
  await subscribe('channels', 'alerts', 'alerts');
  await subscribe(from.name_slug, source.name_slug, 'alerts');
  await subscribe(from.id, webhook.id, 'alerts');

  await post(endpointOf(from), { n: 1 });
  await post(endpointOf(from), { n: 2, channel: 'alerts' });
  expect(await started(plain, 1)).toEqual([{ n: 1 }]);
  expect(await started(alerts, 1)).toEqual([{ n: 2, channel: 'alerts' }]);
  const echoed = await until('the source', async () => {
    const found = await summaries(`/v1/sources/${source.id}/event_summaries`);
    return found.length > 0 && found;
  });
  expect(echoed.map(({ event }) => event)).toEqual([{ echoed: 2 }]);
  await until('the webhook', () => receiver.received.length > 0);
  expect(receiver.received).toHaveLength(1);
  const [got] = receiver.received;
  expect(got?.headers['x-pd-emitter-id']).toBe(from.id);
  expect(JSON.parse(String(got?.body))).toEqual({ n: 2, channel: 'alerts' });
  const [delivery] = await runtime.restData<Delivery[]>('GET', '/v1/deliveries');
  expect(delivery).toMatchObject({ emitter_id: from.id, webhook_id: webhook.id });
  const event = `/v1/workflows/${from.id}/events/${delivery?.event_id}`;
  expect(await runtime.restData('GET', event)).toMatchObject({ event: { n: 2 } });
  expect(await runtime.restData('GET', `${event}/deliveries`)).toMatchObject({
    deliveries: [{ id: delivery?.id }],
  });

  // Its subscription goes by names as well, and with it what it was started by.
  const parts = { emitter_id: 'channels', listener_id: 'plain' };
  const query = new URLSearchParams(parts).toString();
  expect(await runtime.rest('DELETE', `/v1/subscriptions?${query}`)).toMatchObject({ status: 200 });
  await post(endpointOf(from), { n: 3 });
  await post(endpointOf(from), { n: 4, channel: 'alerts' });
  expect(await started(alerts, 2)).toHaveLength(2);
  expect(await executions(plain)).toHaveLength(1);
});

test('events are listed under raw_event, and deleted', async () => {
  const workflow = await emitter('Listed');
  for (let n = 1; n <= 3; n++) await post(endpointOf(workflow), { n, filler: 'x'.repeat(2000) });
  await started(workflow, 3);
  const path = '/v1/workflows/listed/event_summaries';
  const whole = await summaries(`${path}?expand=event`);
  expect(whole.map(({ event }) => (event as { raw_event: { n: number } }).raw_event.n)).toEqual([
    3, 2, 1,
  ]);
  expect(whole[0]).toMatchObject({
    metadata: { emitter_id: workflow.id },
    invocation_id: expect.stringMatching(/^exec_\d+$/),
  });
  const [cut] = await summaries(`${path}?limit=1`);
  expect(cut?.event).toEqual({ raw_event: expect.stringMatching(/^\{"n":3,.*…$/) });

  const middle = whole[1]?.id;
  const gone = `/v1/workflows/listed/events?start_id=${middle}&end_id=${middle}`;
  expect(await runtime.rest('DELETE', gone)).toMatchObject({ status: 202 });
  expect((await summaries(path)).map(({ id }) => id)).toEqual([whole[0]?.id, whole[2]?.id]);
});

test('executions that fail are listed as $errors and told to those who listen, not to itself (W36, W38)', async () => {
  const failing = await deployWorkflow(runtime, {
    name: 'Failing',
    triggers: http,
    steps: { fail: 'throw new Error("no " + steps.trigger.event.body.n);' },
  });
  const path = `/v1/workflows/${failing.id}/$errors/event_summaries?expand=event`;
  await post(endpointOf(failing), { n: 1 });
  const [error] = await until('the error', async () => {
    const found = await summaries(path);
    return found.length > 0 && found;
  });
  expect(error).toMatchObject({
    event: {
      original_event: { method: 'POST' },
      original_context: { workflow_id: failing.id },
      error: { message: expect.stringContaining('no 1') },
    },
    metadata: { name: '$errors' },
  });
  // Only a list of its own has them.
  expect(await summaries(`/v1/workflows/${failing.id}/event_summaries`)).toEqual([]);

  const watch = await listener('Watch');
  await subscribe('p_*', watch.id, '$errors');
  await subscribe(failing.id, failing.id, '$errors');
  await post(endpointOf(failing), { n: 2 });
  const [told] = await started(watch, 1);
  expect(told).toMatchObject({ error: { message: expect.stringContaining('no 2') } });
  expect(await executions(failing)).toHaveLength(2);
  expect(await summaries(path)).toHaveLength(2);
});

test('streams of events and log lines, also resumed', async () => {
  const workflow = await emitter('Streamed');
  const path = `/v1/workflows/${workflow.id}/sse`;
  const events = await readStream(runtime, '/v1/workflows/streamed/sse');
  const logs = await readStream(runtime, `/workflows/${workflow.id}/logs/sse`);
  await post(endpointOf(workflow), { n: 1 });
  const event = await until('the event', () => events[0]);
  expect(event.data).toMatchObject({ event: { n: 1 }, metadata: { emitter_id: workflow.id } });
  const line = await until('the log line', () =>
    logs.find(({ data }) => (data as LogLine).text === 'got 1'),
  );
  expect(line.data).toMatchObject({
    source_id: workflow.id,
    invocation_id: expect.stringMatching(/^exec_/),
  });
  await post(endpointOf(workflow), { n: 2 });
  const resumed = await readStream(runtime, path, event.id);
  const missed = await until('what was missed', () => resumed[0]);
  expect(missed.data).toMatchObject({ event: { n: 2 } });
  const stored = await runtime.restData<LogLine[]>('GET', '/v1/workflows/streamed/logs');
  expect(stored.map(({ text }) => text)).toContain('got 2');

  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const open = await fetch(runtime.url + path, { headers });
  await runtime.restData('DELETE', `/v1/workflows/${workflow.id}`);
  expect(await open.text()).toContain('The workflow was deleted.');
  expect((await fetch(runtime.url + path, { headers })).status).toBe(404);
});

test('a ring through workflows ends at the hop limit, with a row that says so (W40)', async () => {
  const counting = '$.send.emit({ raw_event: { n: (steps.trigger.event.n ?? 0) + 1 } });';
  const ping = await deployWorkflow(runtime, { name: 'Ping', steps: { on: counting } });
  const pong = await deployWorkflow(runtime, {
    name: 'Pong',
    triggers: `  - id: ${ping.id}`,
    steps: { on: counting },
  });
  await subscribe(pong.id, ping.id);
  await runtime.restData('POST', `/v1/workflows/${ping.id}/executions`, { event: { n: 0 } });
  const dropped = await until('the ring to end', async (seen) => {
    const drops = await Promise.all(
      [ping, pong].map(({ id }) =>
        summaries(`/v1/workflows/${id}/event_summaries?include_dropped=true`),
      ),
    );
    return seen(drops.flat().map((one) => one.dropped)).find((reason) => reason !== null);
  });
  expect(dropped).toMatch(/ring/i);
  const runs = [...(await executions(ping)), ...(await executions(pong))];
  expect(runs.length).toBeGreaterThan(30);
  expect(runs.length).toBeLessThan(36);
});

test('a name that a source and a workflow have is asked for by its id', async () => {
  const path = await runtime.file('twin.mjs', `export default { name: 'Twin', run() {} }`);
  const source = await runtime.weirJson<Source>('deploy', path);
  const workflow = await listener('Twin');
  const refused = await runtime.rest('POST', '/v1/subscriptions', {
    emitter_id: 'twin',
    listener_id: workflow.id,
  });
  expect(refused).toMatchObject({ status: 409 });
  expect(JSON.stringify(refused.body)).toContain(`${source.id}, ${workflow.id}`);
});

test('P18.8: auto-subscriptions join a workflow when it is deployed for the first time', async () => {
  const receiver = await startReceiver();
  const before = await emitter('Before');
  const { id: listener_id } = await runtime.restData<Webhook>('POST', '/v1/webhooks', {
    url: receiver.url,
  });
  await runtime.restData('POST', '/v1/auto_subscriptions', { event_name: '$errors', listener_id });
  const failing = { steps: { fail: `throw new Error('told')` } };
  const after = await deployWorkflow(runtime, { name: 'After', ...failing });
  // Again it is no new one, and what was taken back stays so.
  await deployWorkflow(runtime, { name: 'Before', ...failing });
  const subscribed = async () => {
    const { body } = await runtime.rest('GET', '/v1/users/me/subscriptions?limit=100');
    const { data } = body as Page<Subscription>;
    return data.filter((one) => one.listener_id === listener_id).map((one) => one.emitter_id);
  };
  expect(await subscribed()).toEqual([after.id]);
  await deployWorkflow(runtime, { name: 'After', ...failing });
  expect(await subscribed()).toEqual([after.id]);
  await runtime.restData('POST', `/v1/workflows/${before.id}/executions`, { wait: true });
  await runtime.restData('POST', `/v1/workflows/${after.id}/executions`, { wait: true });
  await until('the error', () => receiver.received.length > 0);
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.headers['x-pd-emitter-id']).toBe(after.id);
});
