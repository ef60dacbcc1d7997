/** Two nodes on one database: one leads, any takes requests, and another takes over. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Webhook } from '../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { post } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { readStream } from '../support/sse-reader.ts';
import { until } from '../support/until.ts';
import {
  counter,
  deploy,
  emitted,
  endpointPath,
  startNode,
  type TestNode,
} from './support/node.ts';

const postgres = await startPostgres(atEndOfSuite());

/** Short, so that a test need not wait long. */
const args = ['--lease', '2'];

const say = (node: TestNode, path: string, said: string) =>
  post(new URL(path, node.url).href, { said });

test('(27, 28, 29, 36, 38) what is done at one node is so at the other, endpoints, streams and calls', async () => {
  const url = await postgres.newDatabase();
  const [one, other] = [await startNode({ url, args }), await startNode({ url, args })];
  const source = await deploy(one, counter, 'Counter');
  const path = endpointPath(source);
  const stream = await readStream(other, `/v1/sources/${source.id}/sse`);
  const answers = [];
  for (const node of [other, one, other]) {
    const answer = await say(node, path, 'hello');
    answers.push([answer.status, answer.headers.get('x-count'), await answer.json()]);
  }
  expect(answers).toEqual([1, 2, 3].map((count) => [201, String(count), { count }]));
  await expect.poll(() => stream.length).toBe(3);
  expect(await emitted(other, source)).toHaveLength(3);
  // The command line of the other one, over its WebSocket.
  expect(await other.weirJson('list', 'sources')).toMatchObject([{ id: source.id }]);
  await other.restData('PUT', `/v1/sources/${source.id}`, { active: false });
  expect((await say(one, path, 'late')).status).toBe(404);
  expect((await say(other, path, 'late')).status).toBe(404);
});

test('(15, 21) of nodes that start at once on an empty database one leads', async () => {
  const url = await postgres.newDatabase();
  const nodes = await Promise.all([1, 2, 3].map(() => startNode({ url, args })));
  const [one, other, third] = nodes as [TestNode, TestNode, TestNode];
  const path = endpointPath(await deploy(one, counter, 'Counter'));
  const counts = [];
  for (const node of [other, third, one]) {
    counts.push((await say(node, path, 'x')).headers.get('x-count'));
  }
  expect(counts).toEqual(['1', '2', '3']);
  expect(new Set(nodes.map(({ apiKey }) => apiKey)).size).toBe(1);
  expect(
    await postgres.query('SELECT DISTINCT node = active AS ok FROM emitters, cluster', url),
  ).toEqual([{ ok: true }]);
});

test('(1-3, 6, 20, 25, 32, 42, 43) one is killed: the other has its code, and goes on where it was', async () => {
  const url = await postgres.newDatabase();
  const receiver = await startReceiver();
  const one = await startNode({ url, args });
  const other = await startNode({ url, args });
  const source = await deploy(one, counter, 'Counter');
  const hook = await one.restData<Webhook>('POST', '/v1/webhooks', { url: receiver.url });
  await one.restData('POST', '/v1/subscriptions', { emitter_id: source.id, listener_id: hook.id });
  const path = endpointPath(source);
  expect((await say(other, path, 'before')).status).toBe(201);
  // An answer of a run comes before its end.
  await expect.poll(() => receiver.bodies()).toHaveLength(1);
  await one.kill();
  // It waits for the lease, and for the other one to start.
  // A connection that the first one served breaks with it.
  const answer = await until('an answer', () => say(other, path, 'after').catch(() => undefined));
  expect([answer.status, answer.headers.get('x-count')]).toEqual([201, '2']);
  expect(await emitted(other, source)).toEqual([
    { count: 1, said: 'before' },
    { count: 2, said: 'after' },
  ]);
  await until('both deliveries', () => receiver.bodies().includes('{"count":2,"said":"after"}'));
  expect(receiver.bodies()[0]).toBe('{"count":1,"said":"before"}');
  // The first one comes back, and stands by.
  const again = await startNode({ url, args, folder: one.folder });
  expect((await say(again, path, 'again')).headers.get('x-count')).toBe('3');
});

test('(22) a node that is stopped gives everything over at once', async () => {
  const url = await postgres.newDatabase();
  const one = await startNode({ url, args: ['--lease', '60'] });
  const other = await startNode({ url, args: ['--lease', '60'] });
  const source = await deploy(one, counter, 'Counter');
  const path = endpointPath(source);
  await say(other, path, 'before');
  await expect.poll(() => emitted(one, source)).toHaveLength(1);
  expect(await one.stop()).toBe(0);
  // Far below the lease.
  const answer = await until('the other one to run it', () =>
    say(other, path, 'after').catch(() => undefined),
  );
  expect([answer.status, answer.headers.get('x-count')]).toEqual([201, '2']);
});

test('(4, 15, 16) a node that was stopped for longer than its lease writes nothing more, and stands by', async () => {
  const url = await postgres.newDatabase();
  const one = await startNode({ url, args });
  const other = await startNode({ url, args });
  const source = await deploy(one, counter, 'Counter');
  const path = endpointPath(source);
  await say(one, path, 'before');
  await expect.poll(() => emitted(one, source)).toHaveLength(1);
  process.kill(one.pid, 'SIGSTOP');
  const answer = await say(other, path, 'meanwhile');
  expect(answer.headers.get('x-count')).toBe('2');
  process.kill(one.pid, 'SIGCONT');
  one.expectErrors(/Another runtime has taken over/);
  const after = await until('the first one to pass on', () =>
    say(one, path, 'after').then(
      (got) => got.status === 201 && got,
      () => undefined,
    ),
  );
  expect(Number(after.headers.get('x-count'))).toBeGreaterThanOrEqual(3);
  const counts = (await emitted(other, source)).map((event) => (event as { count: number }).count);
  expect(counts).toEqual(counts.map((_, i) => i + 1));
  const log = await readFile(join(one.folder, 'data', 'logs', 'runtime.log'), 'utf8');
  expect(log).toContain('Follows: another node leads');
});

test('(17) a node that was stopped for less than its lease goes on', async () => {
  const url = await postgres.newDatabase();
  const one = await startNode({ url, args: ['--lease', '30'] });
  const other = await startNode({ url, args: ['--lease', '30'] });
  const source = await deploy(one, counter, 'Counter');
  process.kill(one.pid, 'SIGSTOP');
  const answer = say(other, endpointPath(source), 'meanwhile');
  process.kill(one.pid, 'SIGCONT');
  expect((await answer).headers.get('x-count')).toBe('1');
  expect(await postgres.query('SELECT epoch FROM emitters', url)).toEqual([{ epoch: '1' }]);
});
