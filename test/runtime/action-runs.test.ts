/** Runs of actions by themselves, as they are kept. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ActionRun, KeptActionRun, WholeActionRun } from '../../src/protocol/catalogue.ts';
import type { Change } from '../../src/protocol/rpc.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { startRuntime, useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();

test('a run is kept with its values, log, exports and requests, and no secret is shown', async () => {
  const { url } = await startReceiver({ answer: () => ({ status: 202, body: 'ok' }) });
  const account = await runtime.weirJson<{ id: string }>(
    'accounts',
    'add',
    'shop',
    '--field',
    'api_key=MARKER-of-account',
  );
  const action = await runtime.file(
    'ask.mjs',
    `export default { type: 'action', name: 'Ask', key: 'shop-ask', version: '0.0.3',
      props: { shop: { type: 'app', app: 'shop' }, who: 'string', how: { type: 'string', default: 'soft' }, pass: { type: 'string', secret: true } },
      async run({ $ }) {
        console.log('asking');
        await fetch('${url}/hook?token=MARKER-in-url', { method: 'POST', headers: { authorization: 'Bearer ' + this.shop.$auth.api_key }, body: 'key ' + this.shop.$auth.api_key });
        $.export('$summary', 'Asked ' + this.who);
        return { who: this.who };
      } }`,
  );
  const connection = await runtime.connect();
  const told: Change[] = [];
  connection.onChanges((batch) => told.push(...batch));
  const ran = await runtime.weirJson<ActionRun>(
    'run',
    action,
    '--prop',
    'who=Ada',
    '--prop',
    'pass=MARKER-of-prop',
  );
  const [newest] = await runtime.restData<KeptActionRun[]>('GET', '/v1/action_runs');
  expect(newest).toMatchObject({
    id: ran.id,
    name: 'Ask',
    key: 'shop-ask',
    version: '0.0.3',
    path: action,
    agent: null,
    status: 'succeeded',
    error: null,
  });
  const kept = await runtime.restData<WholeActionRun>('GET', `/v1/action_runs/${ran.id}`);
  expect(kept).toMatchObject({
    configured_props: {
      shop: { authProvisionId: account.id },
      who: 'Ada',
      how: 'soft',
      pass: { secret: true },
    },
    exports: { $summary: 'Asked Ada' },
    summary: 'Asked Ada',
    return_value: { who: 'Ada' },
    logs: [{ text: 'asking' }],
    requests: [{ method: 'POST', response: { status: 202, body: { text: 'ok' } } }],
  });
  expect(JSON.stringify(kept)).not.toContain('MARKER');
  expect(kept.requests[0]?.url).toContain(`${url}/hook`);
  await until('both changes', () =>
    ['running', 'succeeded'].every((status) =>
      told.some((one) => one.type === 'action_run' && one.action_run.status === status),
    ),
  );
  const shown = await runtime.weir('action-runs', ran.id);
  expect(shown.stdout).toMatch(/action: +Ask, shop-ask, 0\.0\.3\n/);
  expect(shown.stdout).toContain('POST http');
  expect((await runtime.weir('action-runs')).stdout).toContain(ran.id);
  expect((await runtime.weir('logs', ran.id)).stdout).toMatch(/ {2}asking\n$/);
});

test('one that failed says why, one that was refused is none, and one that is not there is named', async () => {
  const action = await runtime.file(
    'fails.mjs',
    `export default { type: 'action', name: 'Fails', props: { n: 'integer' }, run() { throw new RangeError('too much'); } }`,
  );
  const failed = await runtime.weir('run', action, '--prop', 'n=1');
  expect(failed.code).toBe(1);
  const [newest] = await runtime.weirJson<KeptActionRun[]>('action-runs', '-n', '1');
  expect(newest).toMatchObject({
    name: 'Fails',
    status: 'failed',
    error: { name: 'RangeError', message: 'too much' },
  });
  const connection = await runtime.connect();
  const refused = connection.call('actions.run', { component_path: action });
  await expect(refused).rejects.toMatchObject({ code: 'bad_input' });
  const [same] = await runtime.weirJson<KeptActionRun[]>('action-runs', '-n', '1');
  expect(same?.id).toBe(newest?.id);
  const none = await runtime.weir('action-runs', 'arun_999999');
  expect(none.stderr).toContain('There is no run arun_999999 of an action.');
});

test('one that a crash cut off has crashed at the next start', async () => {
  const folder = temporaryFolder();
  const own = await startRuntime({ folder });
  const action = await sourceFile(
    folder,
    'waits.mjs',
    `export default { type: 'action', name: 'Waits', run: () => new Promise((end) => setTimeout(end, 1e6)) }`,
  );
  const connection = await own.connect();
  const lost = connection.call('actions.run', { component_path: action }).catch(() => undefined);
  const id = await until('its beginning', async () => {
    const { data } = await connection.call('action_runs.list', {});
    return data[0]?.id;
  });
  await own.kill();
  await lost;
  const again = await (await startRuntime({ folder })).connect();
  expect(await again.call('action_runs.get', { id })).toMatchObject({
    status: 'crashed',
    logs: [],
    return_value: null,
  });
});

test('files that an older version kept of runs are taken into the store', async () => {
  const folder = temporaryFolder();
  const old = join(folder, 'data', 'agent-runs');
  await mkdir(old, { recursive: true });
  const kept = {
    id: '1760000000000-abcdef',
    at: '2025-10-09T08:53:20.000Z',
    action: 'shop-greet',
    origin: { component_path: '/greet.mjs' },
    props: { who: 'Ada' },
    exports: { $summary: 'Greeted Ada' },
    return_value: { said: 'Ada' },
    summary: 'Greeted Ada',
    logs: [{ ts: 5, level: 'info', text: 'hello' }],
  };
  await writeFile(join(old, '1760000000000-abcdef.json'), JSON.stringify(kept));
  await writeFile(join(old, '1760000000001-abcdef.json'), '{"id": "17');
  const own = await startRuntime({ folder });
  const [run] = await own.weirJson<KeptActionRun[]>('action-runs');
  expect(await own.weirJson('action-runs', run?.id ?? '')).toMatchObject({
    name: 'shop-greet',
    path: '/greet.mjs',
    status: 'succeeded',
    started_at: Date.parse(kept.at),
    configured_props: kept.props,
    return_value: kept.return_value,
    logs: kept.logs,
  });
  expect(await readdir(join(folder, 'data'))).not.toContain('agent-runs');
});
