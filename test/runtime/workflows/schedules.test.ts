/** Schedules of workflows: refused before anything is stored (P8.25), and one that is stored nonetheless (P8.27). */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Workflow } from '../../../src/protocol/catalogue.ts';
import { runCli } from '../../support/cli.ts';
import { until } from '../../support/until.ts';
import { workflowWorld } from './world.ts';

const world = workflowWorld();
const steps = [{ namespace: 'note', run: 'return 1' }];
const timer = (props: object) => ({ steps, triggers: [{ uses: '$.interface.timer', props }] });
const workflows = () => world.runtime.restData<Workflow[]>('GET', '/v1/workflows');

test.for([
  [{ cron: '0/15 * * * *' }, 'Write \\"*/15\\".'],
  [{ cron: '0 9 * * 1#1' }, 'L, W and # are not supported'],
  [{ cron: '0 9 L * *' }, 'L, W and # are not supported'],
  [{ cron: '0 9 ? * MON' }, 'Write \\"*\\".'],
  [{ cron: '' }, 'it has 0 fields'],
  [{ cron: '0 0 30 2 *' }, 'never comes due'],
  [{ cron: '0 9 * * *', timezone: 'Mars/Phobos' }, 'is not a time zone'],
] as const)('the timer %j is refused, and nothing is left', async ([props, why]) => {
  const folder = await world.write(timer(props));
  const before = (await workflows()).length;
  const answer = await world.runtime.rest('POST', '/v1/workflows', { workflow_path: folder });
  expect(answer).toMatchObject({ status: 400, body: { code: 'bad_input' } });
  expect(JSON.stringify(answer.body)).toContain(why);
  expect(await workflows()).toHaveLength(before);
});

test('an update with a bad timer leaves the good one', async () => {
  const folder = await world.write(timer({ intervalSeconds: 3600 }), 'updated');
  const { id, deployment_id: first } = await world.deployFolder(folder);
  await world.write(timer({ cron: '0 9 L * *' }), 'updated');
  const answer = await world.runtime.rest('POST', '/v1/workflows', { workflow_path: folder });
  expect(answer.status).toBe(400);
  const [kept] = (await workflows()).filter((one) => one.id === id);
  expect(kept).toMatchObject({ deployment_id: first, triggers: [{ interval_seconds: 3600 }] });
});

test('a cron with seconds is warned of', async () => {
  const folder = await world.write(timer({ cron: '0 0 0 1 1 *' }));
  const run = await world.runtime.weir('deploy', folder);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout + run.stderr).toContain('it takes five fields');
});

test('a stored timer that cannot be read keeps nothing from starting, is told, and can be deleted', async () => {
  const bad = await world.deploy(timer({ cron: '0 9 1 1 *' }), 'bad');
  const good = await world.deploy(timer({ intervalSeconds: 1 }), 'good');
  await world.runtime.stop();
  const data = join(world.folder, 'data');
  const db = new DatabaseSync(join(data, 'weir.db'));
  // As an earlier version of Weir stored it.
  db.prepare(`UPDATE interfaces SET cron = '0 9 L * *' WHERE cron = '0 9 1 1 *'`).run();
  db.close();
  const told = /The timer of bad does not tick: "0 9 L \* \* *" is not a cron expression/;
  const cli = { configFolder: join(world.folder, 'config') };
  expect((await runCli(['doctor', '--data', data], cli)).stdout).toMatch(told);

  await world.start();
  world.runtime.expectErrors(told);
  const [newest] = await world.executions(good);
  await until('the other timer to tick', async () => {
    const [last] = await world.executions(good);
    return last !== undefined && last.id !== newest?.id;
  });
  expect((await world.runtime.weir('delete', bad.id)).code).toBe(0);
  expect((await workflows()).map(({ id }) => id)).not.toContain(bad.id);
  await world.runtime.weir('delete', good.id);
});
