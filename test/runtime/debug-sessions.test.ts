import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../src/client/connection.ts';
import type { DebuggedProcess, Source } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { attach } from './support/inspector.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const code = (body: string, top = '') => `${top}
export default {
  name: 'Debugged', type: 'source',
  props: { db: '$.service.db', http: { type: '$.interface.http', customResponse: true } },
  hooks: { async activate() { this.db.set('hook', 1); } },
  async run(event) { ${body} },
};`;

let runtime: TestRuntime;
let client: Connection;
let folder: string;
let waiting: DebuggedProcess[];

beforeEach(async () => {
  folder = temporaryFolder();
  runtime = await startRuntime({ folder, args: ['--set', 'run.timeoutSeconds=2'] });
  client = await debugger_();
});

/** A client that learns of processes that wait for a debugger. */
async function debugger_(): Promise<Connection> {
  const connection = await runtime.connect();
  waiting = [];
  connection.onChanges((batch) => {
    for (const change of batch) if (change.type === 'debug') waiting.push(change.process);
  });
  return connection;
}

const process_ = () => until('a process that waits', () => waiting.shift());
const get = (id: string) => runtime.restData<Source>('GET', `/v1/sources/${id}`);

async function deploy(text: string): Promise<Source> {
  const path = await sourceFile(folder, 'debugged.mjs', text);
  return client.call('sources.deploy', { component_path: path });
}

async function refuses(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/json`).then(
    () => false,
    () => true,
  );
}

describe('a deployed source under a debugger', () => {
  test('stops at module top level, in run, longer than its time limit, while others run', async () => {
    const source = await deploy(
      code('const n = 41; debugger; this.$emit({ n: n + 1 });', 'debugger;'),
    );
    const other = await client.call('sources.deploy', {
      component_path: await sourceFile(
        folder,
        'other.mjs',
        `export default { name: 'Other', run() { this.$emit('here'); } };`,
      ),
    });
    expect(source.debug).toBeNull();

    const { processes } = await client.call('debug.start', { id: source.id });
    const [opened] = processes;
    expect(opened?.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\//);
    expect((await process_()).url).toBe(opened?.url);
    const inspector = await attach(opened?.url ?? '');
    await inspector.begin();
    const top = await inspector.paused();
    expect(top.callFrames[0]).toMatchObject({ functionName: '' });
    await client.call('debug.paused', { id: source.id, paused: true });
    expect((await get(source.id)).debug).toMatchObject({ paused: true });
    await client.call('debug.paused', { id: source.id, paused: false });
    await inspector.resume();

    const answer = fetch(source.endpoint_url ?? '', { method: 'POST', body: '{}' });
    const stop = await inspector.paused();
    expect(stop.callFrames[0]?.functionName).toBe('run');
    expect(await inspector.evaluate(stop, 'n')).toBe(41);
    expect(await inspector.evaluate(stop, 'this.db.get("hook")')).toBe(1);
    // The time limit is two seconds.
    const until = Date.now() + 2600;
    while (Date.now() < until) {
      const run = await client.call('sources.invoke', { id: other.id });
      expect(run.emitted).toHaveLength(1);
    }
    await inspector.resume();
    expect((await answer).status).toBe(400);
    const events = await client.call('events.list', { id: source.id });
    expect(events.data.map(({ event }) => event)).toEqual([{ n: 42 }]);

    await client.call('debug.stop', { id: source.id });
    await expect.poll(() => refuses(opened?.port ?? 0)).toBe(true);
    expect((await get(source.id)).debug).toBeNull();
    expect((await fetch(source.endpoint_url ?? '', { method: 'POST', body: '{}' })).status).toBe(
      400,
    );
  }, 30_000);

  test('each update opens another process, which waits again; a compile error changes nothing', async () => {
    const source = await deploy(code('debugger;'));
    await client.call('debug.start', { id: source.id });
    const first = await process_();
    const inspector = await attach(first.url);
    await inspector.begin();

    await sourceFile(folder, 'debugged.mjs', 'export default {');
    const failed = client.call('sources.update', {
      id: source.id,
      component_path: source.path ?? '',
    });
    await expect(failed).rejects.toMatchObject({ code: 'bad_component' });
    expect(inspector.closed).toBe(false);
    expect((await get(source.id)).debug?.processes).toHaveLength(1);

    await sourceFile(folder, 'debugged.mjs', code('const mark = "new"; debugger;'));
    const updated = client.call('sources.update', {
      id: source.id,
      component_path: source.path ?? '',
    });
    const second = await process_();
    expect(second.url).not.toBe(first.url);
    const again = await attach(second.url);
    await again.begin();
    await updated;
    await until('the old process to end', () => inspector.closed);
    const run = client.call('sources.invoke', { id: source.id, event: {} });
    const stop = await again.paused();
    expect(await again.evaluate(stop, 'mark')).toBe('new');
    await again.resume();
    await run;
    expect((await get(source.id)).debug?.processes).toHaveLength(1);
  }, 30_000);

  test('code that is deployed already runs no hooks, only a fresh process', async () => {
    const source = await deploy(code(''));
    const hooks = async () =>
      (await client.call('invocations.list', { id: source.id })).data.filter(
        ({ hook }) => hook !== null,
      ).length;
    const before = await hooks();
    const updated = client.call('sources.update', {
      id: source.id,
      component_path: source.path ?? '',
      debug: true,
    });
    await (await attach((await process_()).url)).begin();
    await updated;
    expect(await hooks()).toBe(before);
  });

  test('code that has changed is built once', async () => {
    const source = await deploy(code(''));
    const path = await sourceFile(folder, 'debugged.mjs', code('console.log("changed");'));
    const steps: string[] = [];
    const updated = client.call(
      'sources.update',
      { id: source.id, component_path: path, debug: true },
      { progress: (step) => steps.push(step) },
    );
    await (await attach((await process_()).url)).begin();
    await updated;
    expect(steps.filter((step) => step === 'Bundling debugged.mjs')).toHaveLength(1);
    expect(await client.call('sources.get', { id: source.id, include_code: true })).toMatchObject({
      code: expect.stringContaining('console.log("changed")'),
    });
  });

  test('the client is gone: the inspector closes and the paused run goes on', async () => {
    const source = await deploy(code('debugger; this.$emit("went on");'));
    await client.call('debug.start', { id: source.id });
    const { url, port } = await process_();
    const inspector = await attach(url);
    await inspector.begin();
    const watcher = await runtime.connect();
    const run = watcher.call('sources.invoke', { id: source.id, event: {} });
    await inspector.paused();
    client.close();
    inspector.close();
    expect((await run).status).toBe('succeeded');
    await expect.poll(() => refuses(port)).toBe(true);
    expect((await get(source.id)).debug).toBeNull();
  });

  test('a debugger that never comes: the client gone, the source runs without one', async () => {
    const source = await deploy(code('this.$emit(1);'));
    await client.call('debug.start', { id: source.id });
    const { port } = await process_();
    client.close();
    const watcher = await runtime.connect();
    const run = await watcher.call('sources.invoke', { id: source.id, event: {} });
    expect(run.emitted).toHaveLength(1);
    await expect.poll(() => refuses(port)).toBe(true);
  });

  test('after its process has died, the next run opens another one', async () => {
    const source = await deploy(code('process.exit(3);'));
    await client.call('debug.start', { id: source.id });
    await (await attach((await process_()).url)).begin();
    expect((await client.call('sources.invoke', { id: source.id })).status).toBe('failed');
    const run = client.call('sources.invoke', { id: source.id });
    await (await attach((await process_()).url)).begin();
    expect((await run).status).toBe('failed');
  });
});

test.for(['run(event) { ', 'async run(event) { ', 'async run(event) { await later(); '])(
  'an error that %s} lets out is uncaught to a debugger, one that it catches is not',
  async (run) => {
    const later = 'const later = () => new Promise((resolve) => setTimeout(resolve, 5));';
    const text = code('', later).replace(
      'async run(event) { ',
      `${run} try { JSON.parse('{'); } catch {} throw new Error('let out'); `,
    );
    const source = await deploy(text);
    await client.call('debug.start', { id: source.id });
    const inspector = await attach((await process_()).url);
    await inspector.begin();
    await inspector.send('Debugger.setPauseOnExceptions', { state: 'uncaught' });
    const ended = client.call('sources.invoke', { id: source.id, event: {} });
    const stop = await inspector.paused();
    expect(stop.data).toMatchObject({ uncaught: true });
    expect(stop.data?.description).toContain('let out');
    await inspector.resume();
    expect(await ended).toMatchObject({ status: 'failed', error: { message: 'let out' } });
    // And nobody was punished for it: the process is the same.
    expect((await get(source.id)).debug?.processes).toHaveLength(1);
  },
);

test('code that does not let go of its process cannot be debugged, which is said', async () => {
  const patient = await startRuntime({ folder: temporaryFolder() });
  const watcher = await patient.connect();
  const block = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
  const path = await sourceFile(folder, 'blocks.mjs', code(block));
  const source = await watcher.call('sources.deploy', { component_path: path });
  void watcher.call('sources.invoke', { id: source.id, event: {} }).catch(() => undefined);
  const asked = watcher.call('debug.start', { id: source.id });
  await expect(asked).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('No debugger can attach to Debugged now') as string,
  });
  expect((await watcher.call('sources.get', { id: source.id })).debug).toBeNull();
}, 60_000);

test('deploying under a debugger stops in the module and in the hooks', async () => {
  const path = await sourceFile(
    folder,
    'debugged.mjs',
    code('').replace('this.db.set', 'debugger; this.db.set'),
  );
  const deployed = client.call('sources.deploy', { component_path: path, debug: true });
  const opened = await process_();
  expect(opened.path).toBe(path);
  const inspector = await attach(opened.url);
  await inspector.begin();
  const stop = await inspector.paused();
  expect(stop.callFrames[0]?.functionName).toBe('activate');
  await inspector.resume();
  expect((await deployed).debug?.processes.map(({ url }) => url)).toEqual([opened.url]);
});

test('options() of a file that is debugged stops, and nothing else opens an inspector', async () => {
  const path = await sourceFile(
    folder,
    'options.mjs',
    `export default { name: 'Asks', props: { colour: { type: 'string', options() { debugger; return ['red']; } } }, run() {} };`,
  );
  const ask = () =>
    client.call('components.configure', { component_path: path, prop_name: 'colour' });
  expect((await ask()).options).toEqual([{ label: 'red', value: 'red' }]);
  expect(waiting).toEqual([]);
  await client.call('debug.start', { id: path });
  const asked = ask();
  const inspector = await attach((await process_()).url);
  await inspector.begin();
  expect((await inspector.paused()).callFrames[0]?.functionName).toBe('options');
  await inspector.resume();
  expect((await asked).options).toEqual([{ label: 'red', value: 'red' }]);
  await client.call('debug.stop', { id: path });
  await until('the inspector to close', () => inspector.closed);
});
