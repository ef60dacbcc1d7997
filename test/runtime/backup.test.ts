/** `weir db copy`: one file that a data folder can be made of, and what does not stand in it. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import type { EmittedEvent, Source, WholeExecution } from '../../src/protocol/catalogue.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime, useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { deployWorkflow, runWorkflow, stepOf } from './workflows/script-files.ts';

const runtime = useRuntime();
const secret = 'hunter2-in-the-clear';
let backup: string;
let source: Source;

const code = `import { greeting } from './greeting.mjs';
export default { name: 'Kept', props: { db: '$.service.db', token: { type: 'string', secret: true } },
  run() { const n = (this.db.get('n') ?? 0) + 1; this.db.set('n', n); this.$emit({ n, greeting }, { summary: 'searchable ' + n }) } }`;

beforeAll(async () => {
  await runtime.file('greeting.mjs', `export const greeting = 'hello'`);
  const component_path = await runtime.file('kept.mjs', code);
  source = await runtime.restData<Source>('POST', '/v1/sources', {
    component_path,
    configured_props: { token: secret },
  });
  await runtime.restData('POST', `/v1/sources/${source.id}/invocations`);
  backup = join(runtime.folder, 'backup.db');
  await runtime.weirJson('db', 'copy', backup);
  await rm(component_path);
});

/** Restores the backup into a new folder, with the key of the first machine unless said. */
async function restored({ withKey = true, from = backup } = {}) {
  const folder = temporaryFolder();
  const configFolder = join(folder, 'config');
  if (withKey) await symlink(join(runtime.folder, 'config'), configFolder);
  const data = join(folder, 'data');
  const cli = { configFolder };
  const run = await runCli(['db', 'copy', from, '--restore', '--data', data], cli);
  return { folder, data, cli, run };
}

test('a backup restores alone: code, db, events and key of the API are there', async () => {
  const { folder, run, data } = await restored();
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(`Restored ${data}`) });
  const again = await startRuntime({ folder });
  expect(again.apiKey).toBe(runtime.apiKey);
  const path = `/v1/sources/${source.id}`;
  expect(await again.restData('POST', `${path}/invocations`)).toMatchObject({
    status: 'succeeded',
    emitted: [{ event: { n: 2, greeting: 'hello' } }],
  });
  const found = await until('both events to be found', async (seen) => {
    const list = await again.restData<EmittedEvent[]>(
      'GET',
      `${path}/event_summaries?q=searchable`,
    );
    return seen(list).length === 2 && list;
  });
  expect(found.map(({ event }) => (event as { n: number }).n)).toEqual([2, 1]);
});

test('a paused execution goes on from a backup, with its variables and without its folder', async () => {
  const workflow = await deployWorkflow(runtime, {
    steps: [
      { namespace: 'ask', uses: './ask.mjs' },
      { namespace: 'tell', uses: './tell.mjs' },
    ],
    files: {
      'ask.mjs': `export default defineComponent({ run({ $ }) { $.flow.suspend(); return process.env.KEPT_KEY.length } })`,
      'tell.mjs': `export default defineComponent({ run({ steps }) { return [steps.ask.$return_value, process.env.KEPT_KEY === 'kept-value'] } })`,
    },
  });
  await runtime.weirJson('env', 'set', 'KEPT_KEY', 'kept-value');
  const paused = await runWorkflow(runtime, workflow);
  expect(paused.status).toBe('paused');
  const file = join(runtime.folder, 'paused.db');
  await runtime.weirJson('db', 'copy', file);
  await rm(workflow.path, { recursive: true });
  const { folder } = await restored({ from: file });
  const again = await startRuntime({ folder });
  await again.restData('POST', `/v1/executions/${paused.id}/resume`, {});
  const ended = await until('it to end', async () => {
    const now = await again.restData<WholeExecution>('GET', `/v1/executions/${paused.id}`);
    return now.status === 'succeeded' && now;
  });
  expect(stepOf(ended, 'tell').return_value).toEqual([10, true]);
});

test('a data folder that has a store is not overwritten', async () => {
  const { data, cli } = await restored();
  expect(await runCli(['db', 'copy', backup, '--restore', '--data', data], cli)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('weir.db is there already'),
  });
});

test('what is no backup is refused, and leaves no store', async () => {
  const folder = temporaryFolder();
  const cli = { configFolder: join(folder, 'config') };
  const data = join(folder, 'data');
  const none = join(folder, 'none.db');
  const restore = () => runCli(['db', 'copy', none, '--restore', '--data', data], cli);
  expect(await restore()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no file'),
  });
  await writeFile(none, 'not a database, but long enough to be looked at '.repeat(10));
  expect(await restore()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not a SQLite database'),
  });
  const doctor = await runCli(['doctor', '--data', data], cli);
  expect(doctor.stdout).toContain('weir.db is created at the first start.');
});

test('neither the key of the API nor a secret stands in it in the clear', async () => {
  const bytes = await readFile(backup, 'latin1');
  expect(bytes).toContain('searchable 1');
  expect(bytes).not.toContain(runtime.apiKey);
  expect(bytes).not.toContain(secret);
});

test('other SQLite programs find it undamaged', () => {
  const db = new DatabaseSync(backup, { readOnly: true });
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  db.close();
});

test('without the key doctor and start say the same, and the rest works', async () => {
  const { folder, data, cli } = await restored({ withKey: false });
  await mkdir(join(folder, 'config', 'weir'), { recursive: true });
  const key = join(folder, 'config', 'weir', 'key');
  await writeFile(key, `${Buffer.alloc(32, 1).toString('base64')}\n`);
  const sentence = `The secrets of source kept were sealed with another key than that of ${key}: put the old key back, or enter them again.`;
  const doctor = await runCli(['doctor', '--data', data], cli);
  expect(doctor).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`warning  store: ${sentence}`),
  });
  const again = await startRuntime({ folder });
  expect(again.output()).toContain(sentence);
  expect(again.apiKey).not.toBe(runtime.apiKey);
  expect(await again.rest('GET', `/v1/sources/${source.id}`)).toMatchObject({ status: 200 });
});
