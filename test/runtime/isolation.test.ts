import { describe, expect, test } from 'vitest';
import type {
  Invocation,
  LogLine,
  Page,
  RuntimeInfo,
  Source,
} from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime, useRuntime } from '../support/runtime.ts';
import { isAlive } from '../support/is-alive.mts';
import { until } from '../support/until.ts';

/** User code may do what it likes: it ends its own invocation, and nobody else notices (P15.14). */
const runtime = useRuntime(['--set', 'run.timeoutSeconds=2', '--set', 'run.memoryMb=64']);

async function deploy(name: string, run: string): Promise<Source> {
  const code = `export default { name: '${name}', props: { http: '$.interface.http' }, async run(event) { ${run} } }`;
  const path = await runtime.file(`${name}.mjs`, code);
  return runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
}

describe('what a component does to itself ends its own invocation with a line that says so', () => {
  test.each([
    ['loops', 'for (;;);', 'ran longer than 2 s'],
    ['exits', 'process.exit(3);', 'process.exit(3)'],
    [
      'throws later',
      `setTimeout(() => { throw new Error('late') }, 5); await new Promise(() => {});`,
      'late',
    ],
    [
      'rejects',
      `void Promise.reject(new Error('nobody waits')); await new Promise(() => {});`,
      'nobody waits',
    ],
    ['eats memory', 'const all = []; for (;;) all.push(new Array(1_000_000).fill(1));', 'memory'],
  ])('one that %s', async (name, run, expected) => {
    const other = await deploy(`beside ${name}`, 'this.$emit(event.body)');
    const source = await deploy(
      name,
      `console.log('before'); this.$emit('kept'); await new Promise(setImmediate); ${run}`,
    );
    const before = await runtime.restData<Invocation>(
      'POST',
      `/v1/sources/${other.id}/invocations`,
      {},
    );
    const ended = await runtime.restData<Invocation & { logs: LogLine[]; emitted: unknown[] }>(
      'POST',
      `/v1/sources/${source.id}/invocations`,
      {},
    );
    expect(ended.status).toBe('failed');
    expect(ended.error?.message).toContain(expected);
    // What had reached the runtime by then is kept.
    expect(ended.emitted).toHaveLength(1);
    expect(ended.logs.map(({ text }) => text)).toContain('before');

    const after = await runtime.restData<Invocation>(
      'POST',
      `/v1/sources/${other.id}/invocations`,
      {},
    );
    expect([before.status, after.status]).toEqual(['succeeded', 'succeeded']);
    // It runs again, in a new process.
    const again = await runtime.restData<Invocation>(
      'POST',
      `/v1/sources/${source.id}/invocations`,
      {},
    );
    expect(again.id).not.toBe(ended.id);
  });
});

test('requests that were in flight beside the one that ended the process run again', async () => {
  const source = await deploy(
    'beside',
    `if (event.path === '/end') { await new Promise((go) => setTimeout(go, 200)); process.exit(1) }
     await new Promise((go) => setTimeout(go, 400)); this.$emit(event.path)`,
  );
  await Promise.all(['/a', '/b', '/end'].map((path) => fetch(source.endpoint_url + path)));
  const runs = await until('all runs', async () => {
    const { body } = await runtime.rest('GET', `/v1/sources/${source.id}/invocations?limit=100`);
    const all = (body as Page<Invocation>).data;
    return all.length === 3 && all.every(({ ended_at }) => ended_at !== null) && all;
  });
  expect(runs.map(({ status, attempt }) => `${status} ${attempt}`).toSorted()).toEqual([
    'failed 1',
    'succeeded 2',
    'succeeded 2',
  ]);
});

test('after kill -9 of the runtime no process is left spinning', async () => {
  const own = temporaryFolder();
  const victim = await startRuntime({ folder: own });
  const path = await sourceFile(
    own,
    'spin.mjs',
    `export default { name: 'Spin', props: { http: '$.interface.http' }, run() { for (;;); } }`,
  );
  const source = await victim.restData<Source>('POST', '/v1/sources', { component_path: path });
  await fetch(source.endpoint_url!);
  const connection = await victim.connect();
  const info: RuntimeInfo = await connection.call('runtime.info', {});
  const pids = info.hosts.map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(0);
  await victim.kill();
  await until('the processes to end', () => !pids.some(isAlive));
});
