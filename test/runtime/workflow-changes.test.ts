import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../src/client/connection.ts';
import type { Execution, Workflow } from '../../src/protocol/catalogue.ts';
import type { Change } from '../../src/protocol/rpc.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { attach } from './support/inspector.ts';

let runtime: TestRuntime;
let client: Connection;
let folder: string;
let changes: Change[];

beforeEach(async () => {
  folder = temporaryFolder();
  runtime = await startRuntime({ folder });
  client = await runtime.connect();
  changes = [];
  client.onChanges((batch) => changes.push(...batch));
});

/** Steps by name: the body of `run({ steps, $ })`. */
async function workflow(
  steps: Readonly<Record<string, string>>,
  settings: readonly string[] = [],
): Promise<string> {
  const lines = Object.keys(steps).flatMap((name) => [
    `  - namespace: ${name}`,
    `    uses: ./${name}/entry.mjs`,
  ]);
  const yaml = [
    'schema: workflow/2022.04',
    'name: Told',
    ...settings,
    'triggers:',
    '  - uses: $.interface.http',
    'steps:',
    ...lines,
    '',
  ];
  const place = join(folder, 'told');
  for (const [name, body] of Object.entries(steps)) {
    await mkdir(join(place, name), { recursive: true });
    const code = `export default defineComponent({ async run({ steps, $ }) { ${body} } });`;
    await writeFile(join(place, name, 'entry.mjs'), code);
  }
  await writeFile(join(place, 'workflow.yaml'), yaml.join('\n'));
  return place;
}

const deploy = async (path: string, debug = false): Promise<Workflow> =>
  client.call('workflows.deploy', { workflow_path: path, debug });

const told = (): Execution[] =>
  changes.flatMap((change) => (change.type === 'execution' ? [change.execution] : []));

describe('changes of workflows', () => {
  test('tell of its deployment, each step of an execution and its end, and nothing of sources', async () => {
    const deployed = await deploy(
      await workflow({ first: 'return 1;', second: 'return 2;', third: 'return 3;' }),
    );
    const { id } = await client.call('executions.start', { id: deployed.id, wait: true });
    await until('its end', () => told().some(({ status }) => status === 'succeeded'));
    expect(new Set(told().map((one) => one.id))).toEqual(new Set([id]));
    expect(told().at(-1)).toMatchObject({ workflow_id: deployed.id, status: 'succeeded' });
    expect(told().length).toBeGreaterThan(2);
    const whole = await client.call('executions.get', { id });
    expect(whole.steps.map(({ namespace }) => namespace)).toEqual(['first', 'second', 'third']);
    expect(whole.trigger).toEqual({ kind: 'event', event: {} });
    await client.call('workflows.update', { id: deployed.id, active: false });
    await until('the switch', () =>
      changes.some((one) => one.type === 'workflow' && !one.workflow.active),
    );
    await client.call('workflows.delete', { id: deployed.id });
    await until('the end', () => changes.some(({ type }) => type === 'workflow.deleted'));
    const types = new Set(changes.map(({ type }) => type));
    expect([...types].filter((type) => /source|invocation/.test(type))).toEqual([]);
  });

  test('tell until when a pause lasts, and that it was cancelled', async () => {
    const { id } = await deploy(await workflow({ wait: 'await $.flow.delay(60_000);' }));
    const { id: execution } = await client.call('executions.start', { id, wait: true });
    const paused = await until('the pause', () => told().find((one) => one.status === 'paused'));
    expect(paused.resumes_at).toBeGreaterThan(Date.now());
    await client.call('executions.cancel', { id: execution });
    await until('the end', () => told().at(-1)?.status === 'cancelled');
  });
});

describe('a workflow under a debugger', () => {
  test('waits for it before its first step, and its time stands still at a breakpoint', async () => {
    const place = await workflow(
      { first: 'const n = 41; debugger; return n + 1;', second: 'return steps.first;' },
      ['settings:', '  lambda_timeout: 1'],
    );
    const deploying = deploy(place, true);
    const change = await until('a process that waits', () =>
      changes.find((one) => one.type === 'debug'),
    );
    if (change.type !== 'debug') throw new Error('unreachable');
    expect(change.process.path).toBe(join(place, 'workflow.yaml'));
    const inspector = await attach(change.process.url);
    await inspector.begin();
    const { id, debug } = await deploying;
    expect(debug).toMatchObject({ paused: false, processes: [{ source_id: id }] });
    const ended = client.call('executions.start', { id, wait: true });
    const stop = await inspector.paused();
    expect(stop.callFrames[0]?.functionName).toBe('run');
    expect(await inspector.evaluate(stop, 'n')).toBe(41);
    await client.call('debug.paused', { id, paused: true });
    await until('the change', () =>
      changes.some((one) => one.type === 'workflow' && one.workflow.debug?.paused === true),
    );
    // Longer than its time limit.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await inspector.resume();
    expect(await ended).toMatchObject({ status: 'succeeded' });
    await client.call('debug.stop', { id });
    expect((await client.call('workflows.get', { id })).debug).toBeNull();
    await until('the inspector to close', () => inspector.closed);
  });

  test('whose steps have processes of their own is a session for each of them', async () => {
    const place = await workflow(
      {
        first: 'const n = 41; debugger; return n + 1;',
        second: 'const m = steps.first.$return_value; debugger; return m;',
      },
      ['settings:', '  isolate: step'],
    );
    const process = (count: number) =>
      until(`process ${count}`, () => {
        const all = changes.flatMap((one) => (one.type === 'debug' ? [one.process] : []));
        return all[count - 1];
      });
    const deploying = deploy(place, true);
    await (await attach((await process(1)).url)).begin();
    const { id } = await deploying;
    const ended = client.call('executions.start', { id, wait: true });
    for (const [count, name, value] of [
      [2, 'n', 41],
      [3, 'm', 42],
    ] as const) {
      const inspector = await attach((await process(count)).url);
      await inspector.begin();
      const stop = await inspector.paused();
      expect(await inspector.evaluate(stop, name)).toBe(value);
      await inspector.resume();
    }
    expect(await ended).toMatchObject({ status: 'succeeded' });
  });

  test('that asks for it while its process runs attaches to that', async () => {
    const { id } = await deploy(await workflow({ first: 'return 1;' }));
    await client.call('executions.start', { id, wait: true });
    const { processes } = await client.call('debug.start', { id });
    expect(processes).toMatchObject([{ source_id: id }]);
    const inspector = await attach(processes[0]?.url ?? '');
    await inspector.begin();
    inspector.close();
  });
});
