/** What was acknowledged and has not started is there at the next start, however the runtime ended. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Invocation, RuntimeInfo, Source, Workflow } from '../../src/protocol/catalogue.ts';
import { allEvents, allPages } from '../support/all-events.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const requests = 100;

/** The part of an event of `$errors` that is looked at. */
interface FailedRun {
  readonly original_event: unknown;
  readonly original_context: { readonly id: string };
  readonly error: { readonly message: string };
}

/**
 * A source whose runs wait until the file `go` is there. Its module loads only while there is no file `hold`;
 * the ids of the processes that began to are in the file `loads`.
 */
async function deployWaiting(runtime: TestRuntime, folder: string): Promise<Source> {
  const code = `import { access, appendFile } from 'node:fs/promises';
    await appendFile(${JSON.stringify(join(folder, 'loads'))}, process.pid + '\\n');
    const isThere = (path) => access(path).then(() => true, () => false);
    while (await isThere(${JSON.stringify(join(folder, 'hold'))})) await new Promise((again) => setTimeout(again, 10));
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
    Array.from({ length: n }, (_, number) => send(source, number)),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
}

/** Resolves with the status; rejects when nothing listens. */
async function send({ endpoint_url: url }: Source, number: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url!, { method: 'POST', headers, body: JSON.stringify({ number }) })).status;
}

/** A source that emits what it hears. */
async function deployListener(runtime: TestRuntime, folder: string): Promise<Source> {
  const code = `export default { name: 'Listener', run(event) { this.$emit(event); } }`;
  const path = await sourceFile(folder, 'listener.mjs', code);
  return runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
}

/** Oldest first. */
function invocations(runtime: TestRuntime, source: Source): Promise<Invocation[]> {
  return allPages(runtime, `/v1/sources/${source.id}/invocations`);
}

/** What was emitted, oldest first. */
async function emitted(runtime: TestRuntime, source: Source): Promise<unknown[]> {
  return (await allEvents(runtime, source.id)).map(({ event }) => event);
}

const count = (runs: readonly Invocation[], like: Partial<Invocation>): number =>
  runs.filter((run) =>
    Object.entries(like).every(([name, value]) => run[name as keyof Invocation] === value),
  ).length;

/** Starts again and lets all runs end. */
async function runAll(folder: string, args: readonly string[], source: Source) {
  await writeFile(join(folder, 'go'), '');
  const runtime = await startRuntime({ folder, args });
  return { runtime, ...(await allRun(runtime, source)) };
}

/** Waits for all runs to end; with the numbers of what was emitted, the least first. */
async function allRun(runtime: TestRuntime, source: Source) {
  const runs = await until('all runs to end', async () => {
    const all = await invocations(runtime, source);
    return all.every(({ ended_at }) => ended_at !== null) && all;
  });
  const numbers = (await emitted(runtime, source)).map(
    (event) => (event as { number: number }).number,
  );
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
  expect(count(runs, { status: 'succeeded', attempt: 1 })).toBe(requests);
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
  // Who finds it now is told, and does not hold up its end.
  const { status, body } = await runtime.rest('GET', '/v1/health');
  expect([status, body]).toMatchObject([503, { error: 'The runtime is stopping.' }]);
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
  const source = await deployWaiting(runtime, folder);
  const connection = await runtime.connect();
  await until('its process to end', async () => {
    const info: RuntimeInfo = await connection.call('runtime.info', {});
    return info.hosts.length === 0;
  });
  await writeFile(join(folder, 'hold'), '');
  await acknowledged(source, requests);
  expect(count(await invocations(runtime, source), { status: 'queued' })).toBe(requests);
  expect(await runtime.stop()).toBe(0);

  await rm(join(folder, 'hold'));
  const { runs, numbers } = await runAll(folder, args, source);
  expect(numbers).toEqual(allNumbers);
  expect(count(runs, { status: 'succeeded', attempt: 1 })).toBe(requests);
});

test('kill -9 of the process that 100 requests wait for while it loads: all run, for the first time', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder, args: ['--set', 'run.idleSeconds=0.2'] });
  const source = await deployWaiting(runtime, folder);
  const connection = await runtime.connect();
  await until('its process to end', async () => {
    const info: RuntimeInfo = await connection.call('runtime.info', {});
    return info.hosts.length === 0;
  });
  const loads = async (): Promise<number[]> =>
    (await readFile(join(folder, 'loads'), 'utf8')).trim().split('\n').map(Number);
  const before = (await loads()).length;
  await writeFile(join(folder, 'hold'), '');
  await acknowledged(source, requests);
  const pid = await until('it to load', async () => (await loads())[before]);
  process.kill(pid, 'SIGKILL');

  await rm(join(folder, 'hold'));
  await writeFile(join(folder, 'go'), '');
  const { runs, numbers } = await allRun(runtime, source);
  expect(numbers).toEqual(allNumbers);
  expect(count(runs, { status: 'succeeded', attempt: 1 })).toBe(requests);
});

test('P12.14 kill -9 six times with 60 requests, two of which run each time: none is given up', async () => {
  const folder = temporaryFolder();
  const args = ['--set', 'run.httpConcurrency=2'];
  let runtime = await startRuntime({ folder, args });
  const source = await deployWaiting(runtime, folder);
  await acknowledged(source, 60);
  for (let kill = 0; kill < 6; kill += 1) {
    if (kill > 0) runtime = await startRuntime({ folder, args });
    await until('two to run', async () => {
      return count(await invocations(runtime, source), { status: 'running' }) === 2;
    });
    await runtime.kill();
  }
  const { runs } = await runAll(folder, args, source);
  expect(count(runs, { status: 'succeeded', attempt: 1 })).toBe(60);
}, 300_000);

test('P12.14 one that ends the runtime is found after three deaths; what runs beside it is finished', async () => {
  const folder = temporaryFolder();
  let runtime = await startRuntime({ folder });
  const source = await deployWaiting(runtime, folder);
  const code = `export default {
    name: 'Poison', props: { http: '$.interface.http' },
    async run() {
      await new Promise((later) => setTimeout(later, 200));
      process.kill(process.ppid, 'SIGKILL');
      await new Promise((later) => setTimeout(later, 10_000));
    },
  }`;
  const poison = await runtime.restData<Source>('POST', '/v1/sources', {
    component_path: await sourceFile(folder, 'poison.mjs', code),
  });
  const listener = await deployListener(runtime, folder);
  const path = `/v1/subscriptions?emitter_id=${poison.id}&event_name=$errors`;
  await runtime.restData('POST', `${path}&listener_id=${listener.id}`);
  await acknowledged(source, 3);
  await send(poison, 1);
  let deaths = 0;
  const told = await until(
    'it to be found',
    async () => {
      try {
        const all = (await emitted(runtime, listener)) as FailedRun[];
        return all.length > 0 && all;
      } catch {
        // It has died.
        await runtime.kill();
        deaths += 1;
        runtime = await startRuntime({ folder });
        return undefined;
      }
    },
    120_000,
  );
  const [crashed] = await invocations(runtime, poison);
  expect(crashed).toMatchObject({ status: 'crashed', attempt: 3 });
  expect(told).toMatchObject([
    {
      original_event: { method: 'POST', bodyRaw: '{"number":1}' },
      original_context: { id: crashed?.id },
      error: { message: expect.stringContaining('3 times while nothing but this ran') },
    },
  ]);
  // The first counts against nobody, and others that outlive their time alone may come before it.
  expect(deaths).toBeGreaterThanOrEqual(4);
  expect(deaths).toBeLessThanOrEqual(7);
  await writeFile(join(folder, 'go'), '');
  const { runs } = await allRun(runtime, source);
  expect(count(runs, { status: 'succeeded', attempt: 1 })).toBe(3);
}, 300_000);

test('a caller that does not pause while the runtime starts again: each request is run once', async () => {
  const folder = temporaryFolder();
  const args = ['--set', 'run.httpConcurrency=4'];
  const killed = await startRuntime({ folder, args });
  const source = await deployWaiting(killed, folder);
  await acknowledged(source, requests);
  await killed.kill();
  await writeFile(join(folder, 'go'), '');

  const sent: number[] = [];
  const started = new AbortController();
  const calling = (async () => {
    for (let number = requests; !started.signal.aborted || sent.length < 20; number += 1) {
      // Refused until it listens: at the same port as before.
      const status = await send(source, number).catch(() => undefined);
      if (status === 200) sent.push(number);
    }
  })();
  const runtime = await startRuntime({ folder, args });
  started.abort();
  await calling;
  const { runs, numbers } = await allRun(runtime, source);
  expect(runs).toHaveLength(requests + sent.length);
  expect(numbers).toEqual([...allNumbers, ...sent]);
});

test('callers that never pause while it is stopped and killed in turn: each acknowledged request is run once', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'go'), '');
  const args = ['--set', 'run.httpConcurrency=4'];
  let runtime = await startRuntime({ folder, args });
  const source = await deployWaiting(runtime, folder);

  const acknowledgedNumbers: number[] = [];
  let sent = 0;
  const over = new AbortController();
  const caller = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const number = sent++;
      if ((await send(source, number).catch(() => 0)) === 200) acknowledgedNumbers.push(number);
    }
  };
  const callers = Array.from({ length: 8 }, caller);
  const restarts = ['stop', 'kill', 'stop', 'kill', 'stop'] as const;
  try {
    for (const end of restarts) {
      const before = acknowledgedNumbers.length;
      await until('more requests', () => acknowledgedNumbers.length >= before + 50);
      const code = await runtime[end]();
      if (end === 'stop') expect(code).toBe(0);
      runtime = await startRuntime({ folder, args });
    }
  } finally {
    over.abort();
    await Promise.all(callers);
  }
  const { runs, numbers } = await allRun(runtime, source);
  const once = new Set(numbers);
  expect(acknowledgedNumbers.filter((number) => !once.has(number))).toEqual([]);
  // One whose caller was not told may have been taken in; none has run to its end twice.
  expect(numbers).toEqual([...once]);
  expect(count(runs, { status: 'succeeded' })).toBe(runs.length);
  expect(runs).toHaveLength(numbers.length);
  // Twice killed: only what was running is attempted again.
  expect(runs.length - count(runs, { attempt: 1 })).toBeLessThanOrEqual(2 * 4);
});

test('SIGTERM: an endpoint that answers by itself says 503 and keeps what comes, which runs at the next start', async () => {
  const folder = temporaryFolder();
  const args = ['--verbose'];
  const runtime = await startRuntime({ folder, args });
  const busy = await deployWaiting(runtime, folder);
  const path = await sourceFile(
    folder,
    'answers.mjs',
    `export default { name: 'Answers', props: { http: { type: '$.interface.http', customResponse: true } },
      run({ body }) { this.http.respond({ status: 201 }); this.$emit(body); } }`,
  );
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const workflowPath = join(folder, 'answering');
  await mkdir(workflowPath);
  await writeFile(
    join(workflowPath, 'workflow.yaml'),
    `schema: workflow/2022.04
name: answering
triggers:
  - uses: $.interface.http
    props: { response: workflow }
steps:
  - namespace: answer
    uses: ./answer.mjs
`,
  );
  await writeFile(
    join(workflowPath, 'answer.mjs'),
    `export default { async run({ steps, $ }) { await $.respond({ status: 201 }); return steps.trigger.event.body; } }`,
  );
  const workflow = await runtime.restData<Workflow>('POST', '/v1/workflows', {
    workflow_path: workflowPath,
  });
  const urls = [
    source.endpoint_url!,
    workflow.triggers.find(({ endpoint_url: url }) => url)!.endpoint_url!,
  ];
  // What runs keeps the runtime from ending at once.
  await acknowledged(busy, 1);
  await until('it to run', async () => {
    return count(await invocations(runtime, busy), { status: 'running' }) === 1;
  });
  const stopped = runtime.stop();
  await until('it to stop', () => runtime.output().includes('Stopping'));
  const answers = await Promise.all(
    urls.map(async (url, number) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ number }),
      });
      return [answer.status, await answer.text()];
    }),
  );
  const kept = 'The runtime is stopping. The event is kept and runs at its next start.\n';
  expect(answers).toEqual([
    [503, kept],
    [503, kept],
  ]);
  expect(await stopped).toBe(0);
  const next = await startRuntime({ folder });
  await until('the source to run', async () => (await emitted(next, source)).length === 1);
  await until('the workflow to run', async () => {
    const all = await allPages<{ status: string }>(next, `/v1/workflows/${workflow.id}/executions`);
    return all.length === 1 && all[0]?.status === 'succeeded';
  });
});
