/** `weir serve --store`: the real command on a real server, with one node. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  Delivery,
  Source,
  Webhook,
  WholeExecution,
  Workflow,
} from '../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { post } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { readStream } from '../support/sse-reader.ts';
import { until } from '../support/until.ts';
import { clusterKey, counter, deploy, emitted, endpointPath, startNode } from './support/node.ts';

const postgres = await startPostgres(atEndOfSuite());

test('sources, endpoints, db, deliveries and streams work, and all of it outlives a kill -9', async () => {
  const url = await postgres.newDatabase();
  const receiver = await startReceiver();
  let node = await startNode({ url });
  const source = await deploy(node, counter, 'Counter');
  const hook = await node.restData<Webhook>('POST', '/v1/webhooks', { url: receiver.url });
  const ends = { emitter_id: source.id, listener_id: hook.id };
  await node.restData('POST', '/v1/subscriptions', ends);
  const stream = await readStream(node, `/v1/sources/${source.id}/sse`);
  const answer = await post(new URL(endpointPath(source), node.url).href, { said: 'one' });
  expect([answer.status, answer.headers.get('x-count'), await answer.json()]).toEqual([
    201,
    '1',
    { count: 1 },
  ]);
  await expect.poll(() => stream.length).toBe(1);
  await expect.poll(() => receiver.bodies()).toEqual(['{"count":1,"said":"one"}']);

  // Until it is kept that it arrived, it is sent again.
  await expect
    .poll(() => node.restData<Delivery[]>('GET', '/v1/deliveries'))
    .toMatchObject([{ status: 'delivered' }]);
  const { port } = new URL(node.url);
  await node.kill();
  node = await startNode({ url, folder: node.folder });
  expect(new URL(node.url).port).toBe(port);
  await post(new URL(endpointPath(source), node.url).href, { said: 'two' });
  await expect
    .poll(() => emitted(node, source))
    .toEqual([
      { count: 1, said: 'one' },
      { count: 2, said: 'two' },
    ]);
  await expect.poll(() => receiver.bodies()).toHaveLength(2);
  expect(existsSync(join(node.folder, 'data', 'weir.db'))).toBe(false);
});

test('a timer ticks, and an execution of a workflow is paused over a restart', async () => {
  const url = await postgres.newDatabase();
  let node = await startNode({ url });
  const ticking = `export default { name: 'Ticking', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } }, run() { this.$emit('tick'); } };`;
  const source = await deploy(node, ticking, 'Ticking');
  await until('two ticks', async () => (await emitted(node, source)).length >= 2);
  const folder = join(node.folder, 'pausing');
  await mkdir(folder);
  const step = `export default { name: 'Pause', async run({ $ }) { if ($.context.run.runs === 1) { const urls = $.flow.suspend(); return urls; } return 'resumed'; } };`;
  await writeFile(join(folder, 'pause.mjs'), step);
  await writeFile(
    join(folder, 'workflow.yaml'),
    JSON.stringify({
      schema: 'workflow/2022.04',
      name: 'pausing',
      triggers: [],
      steps: [{ namespace: 'pause', uses: './pause.mjs' }],
    }),
  );
  const workflow = await node.restData<Workflow>('POST', '/v1/workflows', {
    workflow_path: folder,
  });
  const begun = await node.restData<WholeExecution>(
    'POST',
    `/v1/workflows/${workflow.id}/executions`,
    { event: {}, wait: true },
  );
  expect(begun.status).toBe('paused');
  expect(await node.stop()).toBe(0);
  node = await startNode({ url, folder: node.folder });
  await node.restData('POST', `/v1/executions/${begun.id}/resume`, {});
  await until('its end', async (seen) => {
    const { status } = await node.restData<WholeExecution>('GET', `/v1/executions/${begun.id}`);
    return seen(status) === 'succeeded';
  });
});

test('what makes no sense on a database is refused with a sentence', async () => {
  const node = await startNode({ url: await postgres.newDatabase() });
  const copy = join(node.folder, 'copy.db');
  const copied = await node.weir('db', 'copy', copy);
  expect([copied.code, existsSync(copy)]).toEqual([2, false]);
  expect(copied.stderr).toContain('pg_dump');
});

test('keys are made before the first start, where WEIR_STORE says', async () => {
  const url = await postgres.newDatabase();
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const options = {
    configFolder: join(folder, 'config'),
    env: { WEIR_STORE: url, WEIR_KEY: clusterKey },
  };
  const made = await runCli(['keys', 'add', 'ops', '--scope', 'admin', '--data', data], options);
  expect(made.stderr).toBe('');
  const node = await startNode({ url, folder });
  expect(await node.weirJson('keys', 'list')).toMatchObject([{ name: 'ops', scope: 'admin' }]);
  expect(await postgres.query('SELECT count(*)::int AS n FROM nodes', url)).toEqual([{ n: 1 }]);
});

test('a password is taken from the environment, never from an argument, and shown nowhere', async () => {
  const url = new URL(await postgres.newDatabase());
  url.password = 'hush-hush';
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const options = { configFolder: join(folder, 'config') };
  const refused = await runCli(['serve', '--store', url.href, '--data', data], options);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('PGPASSWORD');
  url.port = '1';
  const unreached = await runCli(['serve', '--data', data, '--verbose'], {
    ...options,
    env: { WEIR_STORE: url.href },
  });
  expect(unreached.code).toBe(1);
  expect(unreached.stderr).toContain('postgres://127.0.0.1:1/');
  for (const text of [refused.stderr, unreached.stderr, unreached.stdout]) {
    expect(text).not.toContain('hush');
  }
});

test('(24) a node with another WEIR_KEY, or an older or newer Weir, is refused and touches nothing', async () => {
  const url = await postgres.newDatabase();
  const node = await startNode({ url });
  const source = await deploy(node, counter, 'Counter');
  const nodes = () => postgres.query('SELECT id, slot, version FROM nodes', url);
  const before = await nodes();
  const folder = temporaryFolder();
  const other = (key: string) =>
    runCli(['serve', '--store', url, '--data', join(folder, 'data')], {
      configFolder: join(folder, 'config'),
      env: { WEIR_KEY: key },
    });
  const stranger = await other(Buffer.alloc(32, 1).toString('base64'));
  expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining('WEIR_KEY')]);
  expect(await nodes()).toEqual(before);
  // As an older Weir would have made it, which runs.
  await postgres.query('UPDATE schema_version SET version = version - 1', url);
  const newer = await other(clusterKey);
  expect([newer.code, newer.stderr]).toEqual([1, expect.stringContaining('stop all of those')]);
  expect(await nodes()).toEqual(before);
  await postgres.query('UPDATE schema_version SET version = 999', url);
  const older = await other(clusterKey);
  expect([older.code, older.stderr]).toEqual([1, expect.stringContaining('newer version')]);
  expect(await nodes()).toEqual(before);
  expect(await node.restData<Source>('GET', `/v1/sources/${source.id}`)).toMatchObject({
    active: true,
  });
});
