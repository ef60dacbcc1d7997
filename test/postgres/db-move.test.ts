/** `weir db move`: the real command between real runtimes, as somebody who outgrows one machine uses it. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { MoveConnection } from '../../src/runtime/store/postgres/open-store.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { gather, runCli, spawnCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { post } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { clusterKey, counter, emitted, endpointPath, startNode } from './support/node.ts';

// Each starts several processes.
vi.setConfig({ testTimeout: 180_000 });

const postgres = await startPostgres(atEndOfSuite());
const env = { WEIR_KEY: clusterKey, PGPASSWORD: 'top-secret' };

async function move(folder: string, ...args: string[]) {
  const command = ['db', 'move', '--data', join(folder, 'data'), ...args];
  return runCli(command, { configFolder: join(folder, 'config'), env });
}

/** A stopped runtime whose source has counted to one. */
async function stoppedRuntime() {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder, env });
  const component_path = await sourceFile(folder, 'counter.mjs', counter);
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path });
  await post(new URL(endpointPath(source), runtime.url).href, { said: 'embedded' });
  await runtime.stop();
  return { folder, source };
}

test('a source goes on counting on PostgreSQL, and again in the folder it came from', async () => {
  const { folder, source } = await stoppedRuntime();
  const url = await postgres.newDatabase();
  const there = await move(folder, '--to', url);
  expect(there).toMatchObject({ code: 0, stderr: '' });
  expect(there.stdout).toMatch(/TABLE +ROWS +CHECKSUM/);
  expect(there.stdout).toMatch(/events +1 +[0-9a-f]{16}/);
  expect(there.stdout).toContain(source.id);
  expect(there.stdout).not.toContain('top-secret');

  const refused = await runCli(['serve', '--data', join(folder, 'data')], {
    configFolder: join(folder, 'config'),
    env,
  });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was moved to postgres://') as string,
  });

  // On another machine, which has nothing but the database.
  const node = await startNode({ url });
  const answer = await post(new URL(endpointPath(source), node.url).href, { said: 'database' });
  expect(await answer.json()).toEqual({ count: 2 });
  const early = await move(folder, '--from', url);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('stop all') as string });
  await node.stop();

  // The code is in the database alone.
  await rm(join(folder, 'data', 'deployments'), { recursive: true });
  const back = await move(folder, '--from', url, '--json');
  expect(back).toMatchObject({ code: 0, stderr: '' });
  expect(back.json()).toMatchObject({
    data: join(folder, 'data'),
    emitters: [{ name: source.id }],
  });
  const again = await startRuntime({ folder, env });
  const last = await post(new URL(endpointPath(source), again.url).href, { said: 'embedded' });
  expect(await last.json()).toEqual({ count: 3 });
  await expect.poll(async () => (await emitted({ ...again, folder }, source)).length).toBe(3);
});

test('a kill -9 in the middle leaves the folder usable and the database empty', async () => {
  const { folder, source } = await stoppedRuntime();
  const url = await postgres.newDatabase();
  await (await MoveConnection.open(url)).end();
  const holder = new Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE events IN SHARE MODE');
  const child = spawnCli(['db', 'move', '--data', join(folder, 'data'), '--to', url], {
    configFolder: join(folder, 'config'),
    env,
  });
  const printed = gather(child.stderr);
  const ended = once(child, 'exit');
  await until('the move to wait for the events', async () => {
    if (child.exitCode !== null) throw new Error(printed());
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'weir move'`;
    return (await postgres.query(waiting))[0]?.['n'] === 1;
  });
  child.kill('SIGKILL');
  await ended;
  await holder.query('ROLLBACK');
  expect(await postgres.query('SELECT count(*)::int AS n FROM sources', url)).toEqual([{ n: 0 }]);
  const runtime = await startRuntime({ folder, env });
  const answer = await post(new URL(endpointPath(source), runtime.url).href, { said: 'on' });
  expect(await answer.json()).toEqual({ count: 2 });
  await runtime.stop();
  expect(await move(folder, '--to', url)).toMatchObject({ code: 0 });
});

test('a password is not taken from where others see it, and a wrong direction is refused', async () => {
  const folder = temporaryFolder();
  const url = await postgres.newDatabase();
  const shown = await move(folder, '--to', url.replace('weir@', 'weir:top-secret@'));
  expect(shown.code).not.toBe(0);
  expect(shown.stderr).toContain('--to in PGPASSWORD');
  expect(shown.stderr).not.toContain('top-secret');
  expect(await move(folder)).toMatchObject({ code: 2 });
  expect(await move(folder, '--to', url, '--from', url)).toMatchObject({ code: 2 });
  expect(await move(folder, '--to', url)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no store') as string,
  });
  const gone = await move(folder, '--from', 'postgres://weir@127.0.0.1:1/none');
  expect(gone.code).toBe(1);
  expect(gone.stderr).not.toContain('top-secret');
});
