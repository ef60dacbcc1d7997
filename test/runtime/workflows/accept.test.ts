import { expect, test } from 'vitest';
import { sourceFile } from '../../support/folder.ts';
import { post, postedStatus } from '../../support/post.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { endpointOf, httpTrigger, respondingTrigger, workflowWorld } from './world.ts';

const world = workflowWorld('--set', 'retention.events=1000000');

/** Numbers the calls. */
let calls = 0;

/** Calls an endpoint until so many more calls were answered 200, then kills the runtime and starts the next. */
async function callsUntilKilled(url: string, acknowledged: number[], more: number): Promise<void> {
  const enough = acknowledged.length + more;
  const load = { isOn: true };
  const callers = Array.from({ length: 8 }, async () => {
    while (load.isOn) {
      calls += 1;
      const number = calls;
      if ((await postedStatus(url, { number })) === 200) acknowledged.push(number);
    }
  });
  await until('some load', () => acknowledged.length >= enough);
  await world.runtime.kill();
  load.isOn = false;
  await Promise.all(callers);
  await world.start();
}

test('W1 W2: what was answered 200 exists once after a kill -9, and runs', async () => {
  const receiver = await startReceiver();
  const workflow = await world.deploy({
    triggers: [httpTrigger],
    steps: [
      {
        namespace: 'tell',
        run: `await fetch('${receiver.url}/' + steps.trigger.event.body.number)`,
      },
    ],
  });
  const url = endpointOf(workflow);
  const acknowledged: number[] = [];
  await callsUntilKilled(url, acknowledged, 100);
  const all = await world.allEnded(workflow, acknowledged.length);
  expect(all.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  const told = new Set(receiver.received.map(({ path }) => Number(path.slice(1))));
  expect(acknowledged.filter((one) => !told.has(one))).toEqual([]);
  // Whoever was not answered may be there as well, and nobody twice.
  expect(all.length).toBeLessThanOrEqual(calls);
});

test('W3: what a source emits and the execution it starts are one write', async () => {
  const folder = await world.write({ steps: [] }, 'beside');
  const path = await sourceFile(
    folder,
    'source.mjs',
    `export default { name: 'Counter', props: { http: '$.interface.http' }, run({ body }) { this.$emit({ number: body.number }) } }`,
  );
  const source = await world.runtime.restData<{ id: string; endpoint_url: string }>(
    'POST',
    '/v1/sources',
    { component_path: path },
  );
  const workflow = await world.deploy({
    triggers: [{ id: source.id }],
    steps: [{ namespace: 'got', run: 'return steps.trigger.event.number' }],
  });
  const acknowledged: number[] = [];
  for (let kill = 0; kill < 3; kill += 1) {
    await callsUntilKilled(source.endpoint_url, acknowledged, 40);
  }
  // What was not answered may run as well: that as many have ended does not say that these have.
  const lost = await until('an execution for each', async (seen) => {
    const all = await world.executions(workflow);
    const numbers = await Promise.all(
      all.map(async ({ id }) => (await world.execution(id)).steps[0]?.return_value),
    );
    const left = seen(acknowledged.filter((one) => !numbers.includes(one)));
    return left.length === 0 && left;
  });
  expect(lost).toEqual([]);
});

test('W4: a workflow that is switched off answers 404 and has no row; an event has one that says so', async () => {
  const workflow = await world.deploy({
    triggers: [httpTrigger],
    steps: [{ namespace: 'one', run: 'return 1' }],
  });
  const emitter = await world.deploy({
    steps: [{ namespace: 'emit', run: `$.send.emit({ raw_event: { a: 1 } })` }],
  });
  const listener = await world.deploy({
    triggers: [{ id: emitter.id }],
    steps: [{ namespace: 'one', run: 'return 1' }],
  });
  for (const { id } of [workflow, listener]) {
    await world.runtime.restData('PUT', `/v1/workflows/${id}`, { active: false });
  }
  expect((await post(endpointOf(workflow), {})).status).toBe(404);
  await world.run(emitter);
  const [dropped] = await world.allEnded(listener, 1);
  expect(dropped).toMatchObject({ status: 'dropped', reason: 'inactive' });
  expect(await world.executions(workflow)).toEqual([]);
});

test('W5: x-pd-notrigger stores a test event and runs nothing', async () => {
  const workflow = await world.deploy({
    triggers: [respondingTrigger],
    steps: [{ namespace: 'one', run: `$.respond({ status: 201, body: 'ran' })` }],
  });
  const answer = await fetch(endpointOf(workflow), {
    method: 'POST',
    headers: { 'x-pd-notrigger': '1', 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(answer.status).toBe(200);
  const [dropped] = await world.allEnded(workflow, 1);
  expect(dropped).toMatchObject({ status: 'dropped', reason: 'test event' });
  expect((await world.execution(dropped!.id)).steps).toEqual([]);
  // What was stored can be run.
  const replayed = await world.runtime.restData<{ status: string }>(
    'POST',
    `/v1/executions/${dropped!.id}/replay`,
    { wait: true },
  );
  expect(replayed.status).toBe('succeeded');
});

test('W5: x-pd-nostore runs and keeps nothing but that it ran', async () => {
  const receiver = await startReceiver();
  const workflow = await world.deploy({
    triggers: [respondingTrigger],
    steps: [
      {
        namespace: 'one',
        run: `console.log('private line'); $.export('a', 'private value');
          $.send.http({ method: 'POST', url: '${receiver.url}/sent', data: 'private body' });
          $.respond({ status: 201, body: 'ran' }); return 'private value';`,
      },
    ],
  });
  const answer = await fetch(endpointOf(workflow), {
    method: 'POST',
    headers: { 'x-pd-nostore': '1', 'content-type': 'application/json' },
    body: '{"a":"private"}',
  });
  expect([answer.status, await answer.text()]).toEqual([201, 'ran']);
  const [kept] = await world.allEnded(workflow, 1);
  expect(kept).toMatchObject({ status: 'succeeded' });
  await until('what it sent to be there, and not kept', async (seen) => {
    const shown = JSON.stringify(await world.execution(kept!.id));
    return receiver.received.length === 1 && !seen(shown).includes('private');
  });
  const { status } = await world.runtime.rest('POST', `/v1/executions/${kept!.id}/replay`, {});
  expect(status).toBe(409);
});

test('W5: with data_retention off only counts are kept', async () => {
  const workflow = await world.deploy({
    settings: { data_retention: false },
    steps: [{ namespace: 'one', run: `console.log('private line'); return 'private value'` }],
  });
  const { id } = await world.run(workflow, { secret: 'private' });
  const kept = await world.ended(id);
  expect(kept.status).toBe('succeeded');
  expect(JSON.stringify(kept)).not.toContain('private');
});

test('W5: a body that is too large is a 413 and a row', async () => {
  const workflow = await world.deploy({
    triggers: [httpTrigger],
    steps: [{ namespace: 'one', run: 'return 1' }],
  });
  const answer = await fetch(endpointOf(workflow), { method: 'POST', body: 'x'.repeat(3_000_000) });
  expect(answer.status).toBe(413);
  const [row] = await world.allEnded(workflow, 1);
  expect(row).toMatchObject({ status: 'dropped', reason: 'body too large' });
});
