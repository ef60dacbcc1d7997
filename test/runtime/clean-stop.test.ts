/** What was acknowledged and has not started is there at the next start, however the runtime ended. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  EmittedEvent,
  Invocation,
  Page,
  RuntimeInfo,
  Source,
} from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const requests = 100;

/** A source whose runs wait until the file `go` is there. `loadMs` is how long its module takes to load. */
async function deployWaiting(runtime: TestRuntime, folder: string, loadMs = 0): Promise<Source> {
  const code = `import { access } from 'node:fs/promises';
    await new Promise((loaded) => setTimeout(loaded, ${loadMs}));
    const isThere = (path) => access(path).then(() => true, () => false);
    export default {
      name: 'Waiting', props: { http: '$.interface.http' },
      async run({ body }) {
        while (!(await isThere(${JSON.stringify(join(folder, 'go'))}))) await new Promise((again) => setTimeout(again, 10));
        this.$emit(body);
      },
    }`;
  const path = await sourceFile(folder, 'waiting.mjs', code);
  return runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
}

/** Sends requests with the numbers 0 to n - 1 that are all acknowledged. */
async function acknowledged(source: Source, n: number): Promise<void> {
  const statuses = await Promise.all(
    Array.from({ length: n }, async (_, number) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ number });
      return (await fetch(source.endpoint_url!, { method: 'POST', headers, body })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
}

async function invocations(runtime: TestRuntime, source: Source): Promise<Invocation[]> {
  const { body } = await runtime.rest('GET', `/v1/sources/${source.id}/invocations?limit=100`);
  return (body as Page<Invocation>).data.toReversed();
}

const count = (runs: readonly Invocation[], like: Partial<Invocation>): number =>
  runs.filter((run) =>
    Object.entries(like).every(([name, value]) => run[name as keyof Invocation] === value),
  ).length;

/** Starts again, lets all runs end and returns them, with the numbers of what was emitted. */
async function runAll(folder: string, args: readonly string[], source: Source) {
  await writeFile(join(folder, 'go'), '');
  const runtime = await startRuntime({ folder, args });
  const runs = await until('all runs to end', async () => {
    const all = await invocations(runtime, source);
    return all.every(({ ended_at }) => ended_at !== null) && all;
  });
  const list = `/v1/sources/${source.id}/event_summaries?expand=event&limit=100`;
  const { data } = (await runtime.rest('GET', list)).body as Page<EmittedEvent>;
  const numbers = data.map(({ event }) => (event as { number: number }).number);
  return { runs, numbers: numbers.toSorted((a, b) => a - b) };
}

const allNumbers = Array.from({ length: requests }, (_, number) => number);

test('SIGTERM with 100 requests: those that run are cut off, the others wait for the next start', async () => {
  const folder = temporaryFolder();
  const args = ['--set', 'run.httpConcurrency=4'];
  const runtime = await startRuntime({ folder, args });
  const source = await deployWaiting(runtime, folder);
  await acknowledged(source, requests);
  await until('four to run', async () => {
    return count(await invocations(runtime, source), { status: 'running' }) === 4;
  });
  expect(await runtime.stop()).toBe(0);

  const { runs, numbers } = await runAll(folder, args, source);
  expect(numbers).toEqual(allNumbers);
  expect(count(runs, { status: 'succeeded' })).toBe(requests);
  expect([count(runs, { attempt: 1 }), count(runs, { attempt: 2 })]).toEqual([96, 4]);
});

test('SIGTERM while runs end: what is in flight ends, and nothing else starts', async () => {
  const folder = temporaryFolder();
  const args = ['--verbose', '--set', 'run.httpConcurrency=4'];
  const runtime = await startRuntime({ folder, args });
  const source = await deployWaiting(runtime, folder);
  await acknowledged(source, requests);
  await until('four to run', async () => {
    return count(await invocations(runtime, source), { status: 'running' }) === 4;
  });
  const stopped = runtime.stop();
  await until('it to stop', () => runtime.output().includes('Stopping'));
  await writeFile(join(folder, 'go'), '');
  expect(await stopped).toBe(0);
  const stoppedAt = Date.now();

  const { runs, numbers } = await runAll(folder, args, source);
  expect(numbers).toEqual(allNumbers);
  expect(count(runs, { status: 'succeeded', attempt: 1 })).toBe(requests);
  expect(runs.filter(({ ended_at }) => Number(ended_at) <= stoppedAt)).toHaveLength(4);
});

test('SIGTERM while the process of 100 requests loads: all run at the next start, for the first time', async () => {
  const folder = temporaryFolder();
  const args = ['--set', 'run.idleSeconds=0.2'];
  const runtime = await startRuntime({ folder, args });
  const source = await deployWaiting(runtime, folder, 1500);
  const connection = await runtime.connect();
  await until('its process to end', async () => {
    const info: RuntimeInfo = await connection.call('runtime.info', {});
    return info.hosts.length === 0;
  });
  await acknowledged(source, requests);
  expect(count(await invocations(runtime, source), { status: 'queued' })).toBe(requests);
  expect(await runtime.stop()).toBe(0);

  const { runs, numbers } = await runAll(folder, args, source);
  expect(numbers).toEqual(allNumbers);
  expect(count(runs, { status: 'succeeded', attempt: 1 })).toBe(requests);
});

test('kill -9 four times with 60 requests: only what has run three times is crashed', async () => {
  const folder = temporaryFolder();
  const args = ['--set', 'run.httpConcurrency=2'];
  let runtime = await startRuntime({ folder, args });
  const source = await deployWaiting(runtime, folder);
  await acknowledged(source, 60);
  for (let kill = 0; kill < 4; kill += 1) {
    if (kill > 0) runtime = await startRuntime({ folder, args });
    await until('two to run', async () => {
      return count(await invocations(runtime, source), { status: 'running' }) === 2;
    });
    await runtime.kill();
  }
  const { runs } = await runAll(folder, args, source);
  expect(runs.slice(0, 2).map(({ status, attempt }) => `${status} ${attempt}`)).toEqual([
    'crashed 3',
    'crashed 3',
  ]);
  expect(count(runs, { status: 'succeeded' })).toBe(58);
  // What waited behind them has not begun; of the next two a kill cut off one attempt.
  expect([count(runs, { attempt: 1 }), count(runs, { attempt: 2 })]).toEqual([56, 2]);
});
