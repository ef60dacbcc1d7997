/** PostgreSQL gone, hanging, and back, below a node. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { postedStatus } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { counter, deploy, emitted, endpointPath, startNode } from './support/node.ts';

const args = ['--lease', '2'];

test('(19, 30) PostgreSQL is gone for longer than the lease: 503, then 200 again without a restart, and nothing is lost', async () => {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase();
  const node = await startNode({ url, args });
  const source = await deploy(node, counter.replace(', customResponse: true', ''), 'Counter');
  const endpoint = new URL(endpointPath(source), node.url).href;
  let accepted = 0;
  const say = async (): Promise<number | undefined> => {
    const status = await postedStatus(endpoint, { said: 'x' });
    if (status === 200) accepted += 1;
    return status;
  };
  expect(await say()).toBe(200);
  await postgres.kill();
  expect(await say()).toBe(503);
  const begun = Date.now();
  const refused = await until('longer than the lease', async (seen) => {
    const status = seen(await say());
    return Date.now() - begun > 4000 && status;
  });
  expect(refused).toBe(503);
  const ready = await fetch(new URL('/healthz/ready', node.url));
  expect(ready.status).toBe(503);
  await postgres.start();
  await until('to be taken in again', async (seen) => seen(await say()) === 200);
  const events = await until('the runs', async (seen) => {
    const all = await emitted(node, source).catch(() => []);
    return seen(all.length) >= accepted && all;
  });
  expect(events.length).toBeGreaterThanOrEqual(accepted);
  expect(await postgres.query('SELECT epoch FROM emitters', url)).toEqual([{ epoch: '1' }]);
});

test('(13) PostgreSQL hangs for longer than anybody waits: what was sent meanwhile is there once', async () => {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase();
  const node = await startNode({ url, args: ['--lease', '60'] });
  const source = await deploy(node, counter.replace(', customResponse: true', ''), 'Counter');
  const endpoint = new URL(endpointPath(source), node.url).href;
  expect(await postedStatus(endpoint, { said: 'before' })).toBe(200);
  await expect.poll(() => emitted(node, source)).toHaveLength(1);
  postgres.signal('SIGSTOP');
  const begun = Date.now();
  expect(await postedStatus(endpoint, { said: 'meanwhile' })).toBe(503);
  // The connection counts as lost after 5 s: the group is looked up on the next one.
  await until('the connection to count as lost', () => Date.now() - begun > 7000);
  postgres.signal('SIGCONT');
  await until('to be taken in again', async (seen) => {
    return seen(await postedStatus(endpoint, { said: 'after' })) === 200;
  });
  const said = await until('the runs', async (seen) => {
    const all = (await emitted(node, source)) as { said: string }[];
    return seen(all).some((one) => one.said === 'after') && all.map((one) => one.said);
  });
  expect(said.filter((one) => one === 'meanwhile')).toHaveLength(1);
});

test('P12.25 a server that takes no writes for a while: 503, nothing begins, and what waits goes on without a restart', async () => {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase();
  const node = await startNode({ url, args: ['--lease', '60'] });
  const receiver = await startReceiver({
    answer: async () => {
      await wait(100);
      return {};
    },
  });
  const code = `export default { name: 'Quick', props: { http: '$.interface.http' },
    run(event) { this.$emit({ said: event.body.said }) } }`;
  const source = await deploy(node, code, 'Quick');
  const listener = await deploy(
    node,
    `export default { name: 'Listener', async run(event) { await fetch('${receiver.url}/' + event.said) } }`,
    'Listener',
  );
  await node.restData('POST', '/v1/subscriptions', {
    emitter_id: source.id,
    listener_id: listener.id,
  });
  const endpoint = new URL(endpointPath(source), node.url).href;
  const accepted: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    if ((await postedStatus(endpoint, { said: `a${n}` })) === 200) accepted.push(`/a${n}`);
  }
  const readOnly = async (isOn: boolean): Promise<void> => {
    await postgres.query(`ALTER SYSTEM SET default_transaction_read_only = ${isOn ? 'on' : 'off'}`);
    await postgres.query('SELECT pg_reload_conf()');
  };
  await readOnly(true);
  await until('a refusal', async (seen) => {
    return seen(await postedStatus(endpoint, { said: 'refused' })) === 503;
  });
  await until('readiness to say so', async () => {
    return (await fetch(new URL('/healthz/ready', node.url))).status === 503;
  });
  const before = receiver.received.length;
  expect(before).toBeLessThan(accepted.length);
  await wait(1500);
  expect(receiver.received.length - before).toBeLessThanOrEqual(1);
  await readOnly(false);
  await until('to be taken in again', async (seen) => {
    return seen(await postedStatus(endpoint, { said: 'after' })) === 200;
  });
  await until('all that was accepted', () => {
    const paths = new Set(receiver.received.map(({ path }) => path));
    return accepted.every((path) => paths.has(path));
  });
  const numbers = receiver.received.flatMap(({ path }) => /^\/a(\d+)$/.exec(path)?.[1] ?? []);
  expect(numbers.map(Number)).toEqual(accepted.map((path) => Number(path.slice(2))));
  expect(node.output()).not.toContain('error in Weir itself');
});

test('connections that go silent are replaced before the lease is over; a stop does not wait for them', async () => {
  const postgres = await startPostgres();
  const proxy = await tcpProxy(() => Number(new URL(postgres.url).port));
  const direct = new URL(await postgres.newDatabase());
  direct.port = String(proxy.port);
  const node = await startNode({ url: direct.href, args: ['--lease', '5'] });
  const source = await deploy(node, counter.replace(', customResponse: true', ''), 'Counter');
  const endpoint = new URL(endpointPath(source), node.url).href;
  expect(await postedStatus(endpoint, { said: 'before' })).toBe(200);
  proxy.silence();
  const begun = Date.now();
  await until('to be taken in again', async (seen) => {
    return seen(await postedStatus(endpoint, { said: 'after' })) === 200;
  });
  expect(Date.now() - begun).toBeLessThan(20_000);
  expect(node.output()).not.toContain('joins anew');
  await until('readiness to say so', async (seen) => {
    return seen((await fetch(new URL('/healthz/ready', node.url))).status) === 200;
  });
  proxy.silence();
  const stopping = Date.now();
  await node.stop();
  expect(Date.now() - stopping).toBeLessThan(20_000);
});
