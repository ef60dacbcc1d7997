/** Sources that several nodes run: each has one owner, any node takes requests, and what a node leaves others take up. */
import { expect, test } from 'vitest';
import type { Source, Webhook } from '../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { post } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { readStream } from '../support/sse-reader.ts';
import { until } from '../support/until.ts';
import { counter, deploy, emitted, endpointPath, type TestNode } from './support/node.ts';
import { startCluster } from './support/cluster.ts';

const postgres = await startPostgres(atEndOfSuite());

/** Says what it was told, and nothing back to who asked. */
const plain = `export default {
  name: 'Plain',
  props: { http: '$.interface.http', db: '$.service.db' },
  async run(event) {
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.$emit({ count, said: event.body.said }, { id: String(count), summary: 'x' });
  },
};`;

/** Emits what it hears, after whom it heard it from. */
const listener = `export default {
  name: 'Listener',
  props: { db: '$.service.db' },
  async run(event) {
    this.$emit({ heard: event }, { summary: 'x' });
  },
};`;

async function deployAll(
  node: TestNode,
  code: string,
  names: readonly string[],
): Promise<Source[]> {
  const made: Source[] = [];
  for (const name of names) made.push(await deploy(node, code, name));
  return made;
}

/**
 * Posts to a source by way of a node, as callers do: a database that is slow is answered 503, and sent to again. What was answered
 * so may be there all the same (P7.59), so that a source counts at least what it was told.
 */
async function tell(node: TestNode, source: Source): Promise<void> {
  const url = new URL(endpointPath(source), node.url).href;
  await until(`${source.name} to be told`, async () => {
    const { status } = await post(url, { said: source.name });
    expect([200, 503]).toContain(status);
    return status === 200;
  });
}

test('(15, 21, 25, 27, 28, 36, 38) sources are shared out, and answer at every node', async () => {
  const { nodes, isSpread, left } = await startCluster(postgres, 3);
  const [one, other, third] = nodes as [TestNode, TestNode, TestNode];
  const sources = await deployAll(one, counter, ['a', 'b', 'c', 'd', 'e', 'f']);
  await isSpread([2, 2, 2]);
  const streams = await Promise.all(
    sources.map(({ id }) => readStream(other, `/v1/sources/${id}/sse`)),
  );
  for (const source of sources) {
    const answers = [];
    for (const node of [one, other, third]) {
      const answer = await post(new URL(endpointPath(source), node.url).href, { said: 'hi' });
      answers.push([answer.status, answer.headers.get('x-count'), await answer.json()]);
    }
    expect(answers).toEqual([1, 2, 3].map((count) => [201, String(count), { count }]));
  }
  for (const stream of streams) await expect.poll(() => stream.length).toBe(3);
  for (const source of sources) expect(await emitted(third, source)).toHaveLength(3);
  const { data } = (await one.rest('GET', '/v1/sources')).body as { data: Source[] };
  expect(data.map(({ last_invocation: last }) => last?.status)).toEqual(
    sources.map(() => 'succeeded'),
  );
  expect(await left()).toEqual([]);
});

test('(29, 38) whatever is done with a source is done to the one that runs, wherever that is', async () => {
  const { nodes, isSpread } = await startCluster(postgres, 2);
  const [one, other] = nodes as [TestNode, TestNode];
  const sources = await deployAll(one, plain, ['a', 'b', 'c', 'd']);
  await isSpread([2, 2]);
  const say = (source: Source, node: TestNode) =>
    post(new URL(endpointPath(source), node.url).href, { said: source.name });
  for (const source of sources) {
    expect((await say(source, other)).status).toBe(200);
    await expect.poll(() => emitted(one, source)).toHaveLength(1);
    const { body } = await other.rest('GET', `/v1/sources/${source.id}?include_code=true`);
    expect(JSON.stringify(body)).toContain('event.body.said');
    expect(await other.weirJson('db', 'get', source.id, 'count')).toBe(1);
    await other.restData('PUT', `/v1/sources/${source.id}`, { active: false });
    expect([(await say(source, one)).status, (await say(source, other)).status]).toEqual([
      404, 404,
    ]);
    await one.restData('PUT', `/v1/sources/${source.id}`, { active: true });
    expect((await say(source, other)).status).toBe(200);
    await expect.poll(() => emitted(other, source)).toHaveLength(2);
    expect((await other.rest('DELETE', `/v1/sources/${source.id}`)).status).toBe(200);
    expect([(await say(source, one)).status, (await say(source, other)).status]).toEqual([
      404, 404,
    ]);
  }
});

test('(32-35) events reach listeners and webhooks of other nodes, in order', async () => {
  const { nodes, isSpread, left } = await startCluster(postgres, 3);
  const [one, other] = nodes as [TestNode, TestNode];
  const receiver = await startReceiver();
  const emitters = await deployAll(one, plain, ['a', 'b', 'c']);
  const listeners = await deployAll(one, listener, ['x', 'y', 'z']);
  for (const emitter of emitters) {
    for (const { id } of listeners) {
      await one.restData('POST', '/v1/subscriptions', { emitter_id: emitter.id, listener_id: id });
    }
  }
  const hook = await one.restData<Webhook>('POST', '/v1/webhooks', { url: receiver.url });
  for (const { id } of emitters) {
    await one.restData('POST', '/v1/subscriptions', { emitter_id: id, listener_id: hook.id });
  }
  await isSpread([2, 2, 2]);
  const total = 20;
  for (let i = 1; i <= total; i++) {
    for (const emitter of emitters) {
      await tell(other, emitter);
    }
  }
  const all = async () => {
    const each = await Promise.all(emitters.map((emitter) => emitted(other, emitter)));
    return each.flat().length;
  };
  await expect.poll(all, { timeout: 120_000 }).toBeGreaterThanOrEqual(total * emitters.length);
  const inOrder = (counts: readonly number[]) => counts.map((_, i) => i + 1);
  for (const one_ of listeners) {
    await expect
      .poll(async () => (await emitted(other, one_)).length - (await all()), { timeout: 120_000 })
      .toBe(0);
    const heard = (await emitted(other, one_)) as { heard: { count: number; said: string } }[];
    for (const { name } of emitters) {
      const counts = heard.filter(({ heard: { said } }) => said === name).map((h) => h.heard.count);
      expect(counts.length).toBeGreaterThanOrEqual(total);
      expect(counts).toEqual(inOrder(counts));
    }
  }
  await until('all deliveries', async () => receiver.bodies().length >= (await all()));
  const delivered = receiver
    .bodies()
    .map((body) => JSON.parse(body) as { count: number; said: string });
  for (const { name } of emitters) {
    const counts = delivered.filter(({ said }) => said === name).map(({ count }) => count);
    expect(counts.length).toBeGreaterThanOrEqual(total);
    expect(counts).toEqual(inOrder(counts));
  }
  expect(await left()).toEqual([]);
  await one.restData('DELETE', `/v1/webhooks/${hook.id}`).catch(() => undefined);
  const before = receiver.bodies().length;
  for (const emitter of emitters) {
    const had = (await emitted(one, emitter)).length;
    await tell(other, emitter);
    await expect.poll(async () => (await emitted(one, emitter)).length).toBeGreaterThan(had);
  }
  expect(receiver.bodies()).toHaveLength(before);
});

test('(1-3, 6, 20, 25) a node that is killed: others run what it ran, and nobody waits', async () => {
  const { nodes, isSpread, left } = await startCluster(postgres, 3);
  const [one, other, third] = nodes as [TestNode, TestNode, TestNode];
  const sources = await deployAll(one, plain, ['a', 'b', 'c', 'd', 'e', 'f']);
  await isSpread([2, 2, 2]);
  const say = async (source: Source, node: TestNode, said: number) =>
    (await post(new URL(endpointPath(source), node.url).href, { said })).status;
  for (const source of sources) expect(await say(source, other, 1)).toBe(200);
  await third.kill();
  // Its sources have no owner for a while: what comes in for them is kept.
  for (const source of sources) expect(await say(source, other, 2)).toBe(200);
  for (const source of sources) expect(await say(source, one, 3)).toBe(200);
  await isSpread([3, 3]);
  // The one that leads.
  await one.kill();
  for (const source of sources) expect(await say(source, other, 4)).toBe(200);
  for (const source of sources) {
    await expect
      .poll(async () => (await emitted(other, source)).length, { timeout: 120_000 })
      .toBe(4);
    const events = (await emitted(other, source)) as { count: number; said: number }[];
    expect(events.map(({ count }) => count)).toEqual([1, 2, 3, 4]);
    expect(events.map(({ said }) => said).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  }
  await expect.poll(() => left()).toEqual([]);
});
