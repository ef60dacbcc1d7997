/** Workflows that several nodes run: each has one owner, and what is asked of it at any node is done there. */
import { expect, test } from 'vitest';
import type {
  Execution,
  Page,
  Source,
  WholeExecution,
  Workflow,
} from '../../src/protocol/catalogue.ts';
import { deployWorkflow, endpointOf, http } from '../runtime/support/workflows.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { post } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { startCluster } from './support/cluster.ts';
import { deploy, emitted, endpointPath, type TestNode } from './support/node.ts';

const postgres = await startPostgres(atEndOfSuite());

/** Its endpoint, at a node. */
const at = (node: TestNode, workflow: Workflow): string =>
  new URL(new URL(endpointOf(workflow)).pathname, node.url).href;

const executions = async (
  node: TestNode,
  { id }: Pick<Workflow, 'id'>,
): Promise<readonly Execution[]> =>
  ((await node.rest('GET', `/v1/workflows/${id}/executions`)).body as Page<Execution>).data;

const ended = (node: TestNode, workflow: Pick<Workflow, 'id'>, count: number) =>
  until(`${count} executions that have ended`, async (seen) => {
    const all = seen(await executions(node, workflow));
    return all.length === count && all.every(({ ended_at: at }) => at !== null) && all;
  });

const deployAll = async (
  node: TestNode,
  names: readonly string[],
  steps: Readonly<Record<string, string>>,
  triggers = http,
): Promise<Workflow[]> => {
  const made: Workflow[] = [];
  for (const name of names) made.push(await deployWorkflow(node, { name, triggers, steps }));
  return made;
};

const answering = `${http}\n    response: workflow`;

test('(15, 21, 25, 28, 36, 38) workflows are shared out, and are run and shown at every node', async () => {
  const { nodes, isSpread, left } = await startCluster(postgres, 3);
  const [one, other, third] = nodes as [TestNode, TestNode, TestNode];
  const workflows = await deployAll(
    one,
    ['a', 'b', 'c'],
    { answer: 'await $.respond({ status: 201, body: steps.trigger.event.body }); return 7;' },
    answering,
  );
  await isSpread([1, 1, 1]);
  for (const workflow of workflows) {
    const answers = [];
    for (const [i, node] of [one, other, third].entries()) {
      const answer = await post(at(node, workflow), { n: i });
      answers.push([answer.status, await answer.json()]);
    }
    expect(answers).toEqual([0, 1, 2].map((n) => [201, { n }]));
    const [newest] = await ended(third, workflow, 3);
    const whole = await other.restData<WholeExecution>('GET', `/v1/executions/${newest?.id}`);
    expect(whole.steps).toMatchObject([{ namespace: 'answer', return_value: 7 }]);
  }
  // By hand, and once more.
  for (const { id } of workflows) {
    const started = await other.restData<WholeExecution>('POST', `/v1/workflows/${id}/executions`, {
      event: { n: 1 },
      wait: true,
    });
    expect(started).toMatchObject({ status: 'succeeded', cause: 'manual' });
    const again = await third.restData<WholeExecution>(
      'POST',
      `/v1/executions/${started.id}/replay`,
      { wait: true },
    );
    expect(again).toMatchObject({ status: 'succeeded', replay_of: started.id });
  }
  expect(await left()).toEqual([]);
});

test('(38) a change of a workflow takes effect where it runs before it is answered', async () => {
  const { nodes, isSpread, ownerOf } = await startCluster(postgres, 2);
  const [one, other] = nodes as [TestNode, TestNode];
  const workflows = await deployAll(one, ['a', 'b'], { say: 'return "before";' });
  await isSpread([1, 1]);
  for (const workflow of workflows) {
    const { name } = workflow;
    const said = async (n: number) => {
      const [newest] = await ended(one, workflow, n);
      const whole = await one.restData<WholeExecution>('GET', `/v1/executions/${newest?.id}`);
      return whole.steps[0]?.return_value;
    };
    expect((await post(at(other, workflow), {})).status).toBe(200);
    expect(await said(1)).toBe('before');
    const owner = await ownerOf(workflow);
    await deployWorkflow(one, { name, triggers: http, steps: { say: 'return "after";' } });
    // It has stayed where it was.
    expect(await ownerOf(workflow)).toBe(owner);
    expect((await post(at(other, workflow), {})).status).toBe(200);
    expect(await said(2)).toBe('after');
    await other.restData('PUT', `/v1/workflows/${workflow.id}`, { active: false });
    const statuses = [];
    for (const node of nodes) statuses.push((await post(at(node, workflow), {})).status);
    expect(statuses).toEqual([404, 404]);
    await other.restData('PUT', `/v1/workflows/${workflow.id}`, { active: true });
    expect((await post(at(other, workflow), {})).status).toBe(200);
    expect(await said(3)).toBe('after');
  }
});

test('a workflow whose executions wait for a key goes on with its new files, wherever it runs', async () => {
  const { nodes, isSpread } = await startCluster(postgres, 2);
  const [one, other] = nodes as [TestNode, TestNode];
  const settings = `settings:\n  concurrency:\n    key: '{{event.body.key}}'\n`;
  const keyed = (name: string, said: string) =>
    deployWorkflow(one, { name, triggers: http, settings, steps: { say: `return '${said}';` } });
  const workflows = [await keyed('a', 'before'), await keyed('b', 'before')];
  await isSpread([1, 1]);
  for (const workflow of workflows) await keyed(workflow.name, 'after');
  for (const workflow of workflows) {
    expect((await post(at(other, workflow), { key: 'x' })).status).toBe(200);
    const [newest] = await ended(one, workflow, 1);
    const whole = await one.restData<WholeExecution>('GET', `/v1/executions/${newest?.id}`);
    expect(whole).toMatchObject({ status: 'succeeded', steps: [{ return_value: 'after' }] });
  }
});

test('a workflow that comes to need the machine of the node that leads is brought there', async () => {
  const { nodes, isSpread, ownerOf } = await startCluster(postgres, 2);
  const [one] = nodes as [TestNode, TestNode];
  const workflows = await deployAll(one, ['a', 'b'], { say: 'return 1;' });
  await isSpread([1, 1]);
  for (const { name } of workflows) {
    const steps = { keep: 'await $.files.open("kept.txt").write("kept"); return 2;' };
    await deployWorkflow(one, { name, triggers: http, steps });
  }
  await isSpread([0, 2]);
  for (const workflow of workflows) expect(await ownerOf(workflow)).toBe(one);
});

test('an execution at another node is cancelled, and deleted with its workflow', async () => {
  const { nodes, isSpread } = await startCluster(postgres, 2);
  const [one, other] = nodes as [TestNode, TestNode];
  const workflows = await deployAll(one, ['a', 'b'], {
    long: 'await new Promise((resolve) => setTimeout(resolve, 60_000));',
  });
  await isSpread([1, 1]);
  for (const workflow of workflows) {
    await post(at(one, workflow), {});
    const [first] = await until('the execution to run', async () => {
      const all = await executions(other, workflow);
      return all[0]?.status === 'running' && all;
    });
    const whole = await until('the step to run', async () => {
      const shown = await one.restData<WholeExecution>('GET', `/v1/executions/${first?.id}`);
      return shown.steps.length > 0 && shown;
    });
    expect(whole.steps).toMatchObject([{ namespace: 'long', status: 'running' }]);
    // The second time it does not wait for its step.
    for (let i = 0; i < 2; i++) await one.rest('POST', `/v1/executions/${first?.id}/cancel`);
    await until(
      'its end',
      async () => (await executions(one, workflow))[0]?.status === 'cancelled',
    );
    await post(at(other, workflow), {});
    await until('the second one', async () => (await executions(one, workflow)).length === 2);
    expect((await other.rest('DELETE', `/v1/workflows/${workflow.id}`)).status).toBe(200);
    expect((await post(at(other, workflow), {})).status).toBe(404);
  }
  expect(await one.restData('GET', '/v1/workflows')).toEqual([]);
});

test('a pause ends by a request to any node, by a person, and by its time after its node was killed', async () => {
  const { nodes, isSpread, ownerOf } = await startCluster(postgres, 3);
  const [one, other, third] = nodes as [TestNode, TestNode, TestNode];
  const workflows = await deployAll(one, ['a', 'b', 'c'], {
    wait: `const { how } = steps.trigger.event.body;
      if (how === 'delay') return void $.flow.delay(4000);
      const { resume_url } = $.flow.suspend();
      return resume_url;`,
    last: 'return "went on";',
  });
  await isSpread([1, 1, 1]);
  const paused = (workflow: Workflow, count: number) =>
    until(`${count} paused`, async (seen) => {
      const all = seen(await executions(other, workflow));
      return all.filter(({ status }) => status === 'paused').length === count && all;
    });
  for (const workflow of workflows) {
    await post(at(one, workflow), { how: 'suspend' });
    await post(at(other, workflow), { how: 'suspend' });
    const all = await paused(workflow, 2);
    const whole = await one.restData<WholeExecution>('GET', `/v1/executions/${all[0]?.id}`);
    const url = String(whole.steps[0]?.return_value);
    const { pathname } = new URL(url);
    const resumed = await post(new URL(pathname, third.url).href, { yes: true });
    expect(resumed.status).toBe(200);
    expect((await post(new URL(pathname, other.url).href, {})).status).toBe(410);
    await other.restData('POST', `/v1/executions/${all[1]?.id}/resume`, { event: { by: 'hand' } });
    const both = await ended(one, workflow, 2);
    expect(both.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    await post(at(third, workflow), { how: 'delay' });
    await paused(workflow, 1);
  }
  const victim = await ownerOf(workflows[2] as Workflow);
  await victim.kill();
  const alive = nodes.find((node) => node !== victim) as TestNode;
  for (const workflow of workflows) {
    const all = await until('the end of the delay', async (seen) => {
      const found = seen(await executions(alive, workflow).catch(() => []));
      return found.length === 3 && found.every(({ status }) => status === 'succeeded') && found;
    });
    const { steps } = await alive.restData<WholeExecution>('GET', `/v1/executions/${all[0]?.id}`);
    // None has run twice.
    expect(steps.map(({ namespace }) => namespace)).toEqual(['wait', 'last']);
  }
});

test('(32) events, timers, sends and data stores work across nodes', async () => {
  const { url, nodes, isSpread, left } = await startCluster(postgres, 2);
  const [one, other] = nodes as [TestNode, TestNode];
  const receiver = await startReceiver();
  const source = await deploy(
    one,
    `export default {
      name: 'From',
      props: { http: '$.interface.http' },
      run(event) { this.$emit(event.body, { summary: 'x' }); },
    };`,
    'From',
  );
  const listeners = await deployAll(
    one,
    ['x', 'y', 'z'],
    {
      hear: `$.send.http({ method: 'POST', url: '${receiver.url}', data: steps.trigger.event });
        $.send.emit({ raw_event: steps.trigger.event });`,
    },
    `  - id: ${source.id}`,
  );
  const [clock] = await deployAll(
    one,
    ['clock'],
    { tick: 'return steps.trigger.event.timestamp;' },
    '  - uses: $.interface.timer\n    props:\n      intervalSeconds: 1',
  );
  const stores = [];
  for (const name of ['s', 't']) {
    stores.push(
      await deploy(
        one,
        `export default {
          name: '${name}',
          props: { http: '$.interface.http', store: { type: 'data_store' } },
          async run() {
            const n = (await this.store.get('n')) ?? 0;
            await this.store.set('n', n + 1);
            this.$emit({ n: n + 1 }, { summary: 'x' });
          },
        };`.replace("type: 'data_store'", "type: 'data_store', default: 'shared'"),
        name,
      ),
    );
  }
  await isSpread([3, 4]);
  for (let n = 1; n <= 5; n++) await post(new URL(endpointPath(source), other.url).href, { n });
  await until('all that is sent', () => receiver.bodies().length === 15);
  for (const workflow of listeners) {
    const all = await ended(other, workflow, 5);
    expect(all.every(({ status }) => status === 'succeeded')).toBe(true);
    const page = await one.rest('GET', `/v1/workflows/${workflow.id}/event_summaries`);
    expect((page.body as Page<unknown>).data).toHaveLength(5);
  }
  for (let i = 0; i < 3; i++) {
    for (const one_ of stores) {
      await post(new URL(endpointPath(one_), other.url).href, {});
      await until('its event', async () => (await emitted(one, one_)).length === i + 1);
    }
  }
  const counts = [
    ...(await emitted(one, stores[0] as Source)),
    ...(await emitted(one, stores[1] as Source)),
  ];
  expect(counts.map((event) => (event as { n: number }).n).toSorted((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6,
  ]);
  await until('ticks', async () => (await executions(one, clock as Workflow)).length >= 3);
  const [ticks] = await postgres.query(
    `SELECT count(*)::int AS count, max(created_at) - min(created_at) AS ms FROM accepted a
     JOIN emitters e ON e.row = a.emitter WHERE e.id = '${clock?.id}'`,
    url,
  );
  // One a second, whichever node has them.
  expect(ticks?.['count']).toBeLessThanOrEqual(Number(ticks?.['ms']) / 1000 + 2);
  expect(await left()).toEqual([]);
});
