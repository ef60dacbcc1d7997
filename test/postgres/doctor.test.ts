/** `weir doctor` on a database: nodes, owners, replication. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEndOfSuite } from '../support/at-end.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { clusterKey, counter, deploy, startNode } from './support/node.ts';

const postgres = await startPostgres(atEndOfSuite());

interface Looked {
  readonly name: string;
  readonly state: string;
  readonly found: string;
}

async function doctor(url: string, key = clusterKey) {
  const folder = temporaryFolder();
  const run = await runCli(['doctor', '--json', '--data', join(folder, 'data')], {
    configFolder: join(folder, 'config'),
    env: { WEIR_STORE: url, WEIR_KEY: key },
  });
  const all = run.json() as Looked[];
  const of = (name: string) => all.find((one) => one.name === name);
  return { ...run, of };
}

test('doctor tells who leads, who runs what, and who is not heard of', async () => {
  const url = await postgres.newDatabase();
  const empty = await doctor(url);
  expect(empty.of('database')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/first start/) as string,
  });
  expect(empty.of('nodes')).toMatchObject({ state: 'ok', found: 'None runs.' });
  expect(empty.of('store')).toBeUndefined();

  const args = ['--lease', '2'];
  const one = await startNode({ url, args });
  await startNode({ url, args });
  await deploy(one, counter, 'Counter');
  const two = await doctor(url);
  expect(two.of('nodes')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(
      /^\d+ \(127\.0\.0\.1:\d+, Weir \S+, leads\); \d+ \(127\.0\.0\.1:\d+, Weir \S+\)\.$/,
    ) as string,
  });
  expect(two.of('owners')?.found).toMatch(
    /^1 of 1 sources and workflows have an owner: 1 by node \d+, 0 by node \d+\.$/,
  );
  expect(two.of('replication')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/No standby/) as string,
  });

  const stranger = await doctor(url, Buffer.alloc(32, 1).toString('base64'));
  expect(stranger).toMatchObject({ code: 1 });
  expect(stranger.of('database')).toMatchObject({
    state: 'bad',
    found: expect.stringMatching(/WEIR_KEY/) as string,
  });

  process.kill(one.pid, 'SIGSTOP');
  // The other one has taken over by then, or is about to.
  await until('it to be missed', async (seen) => {
    const { of } = await doctor(url);
    const found = seen(of('nodes'))?.found ?? '';
    return found.includes('not heard of') || !found.includes('; ');
  });
  await one.kill();
});

test('a server that is not there is a sentence', async () => {
  const none = await doctor('postgres://weir:hush@127.0.0.1:1/weir');
  expect(none).toMatchObject({ code: 1 });
  expect(none.of('database')?.found).toContain('postgres://127.0.0.1:1/weir');
  expect(none.stdout).not.toContain('hush');
});
