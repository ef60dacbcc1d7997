/** The RPC client against a real runtime: changes in order of commit, cancellation, a lost runtime. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReconnectingClient } from '../../src/client/reconnecting.ts';
import type { Change } from '../../src/protocol/rpc.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const code = `export default {
  name: 'Slow', props: { http: '$.interface.http' },
  async run({ body, forever }) { if (forever) await new Promise(() => {}); this.$emit(body ?? {}) },
}`;

test('what one client does, another hears', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const [actor, watcher] = [await runtime.connect(), await runtime.connect()];
  const heard: Change[] = [];
  watcher.onChanges((batch) => heard.push(...batch));
  const component_path = await sourceFile(folder, 'slow.mjs', code);
  const steps: string[] = [];
  const source = await actor.call(
    'sources.deploy',
    { component_path },
    { progress: (step) => steps.push(step) },
  );
  expect(steps.length).toBeGreaterThan(0);
  await until('the source', () =>
    heard.some((one) => one.type === 'source' && one.source.id === source.id),
  );
  const invocation = await actor.call('sources.invoke', { id: source.id, event: { body: 1 } });
  await until('its event', () =>
    heard.some((one) => one.type === 'event' && one.event.invocation_id === invocation.id),
  );
  await actor.call('sources.delete', { id: source.id });
  await until('its end', () =>
    heard.some((one) => one.type === 'source.deleted' && one.id === source.id),
  );
  expect((await actor.call('runtime.info', {})).clients).toBe(2);
});

test('who has the answer of a call has been told what it changed', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const client = await runtime.connect();
  const told: Change[] = [];
  client.onChanges((batch) => told.push(...batch));
  const component_path = await sourceFile(folder, 'slow.mjs', code);
  const { id } = await client.call('sources.deploy', { component_path });
  for (let n = 1; n <= 20; n++) {
    const name = `Slow ${n}`;
    await client.call('sources.update', { id, name });
    const last = told.findLast((change) => change.type === 'source');
    expect(last?.source.name).toBe(name);
  }
});

test('a call that is cancelled while its run goes on is answered, and the run stays', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const client = await runtime.connect();
  const component_path = await sourceFile(folder, 'slow.mjs', code);
  const { id } = await client.call('sources.deploy', { component_path });
  const running = (cause: string) =>
    until(`a ${cause} that goes on`, async () => {
      const { data } = await client.call('invocations.list', { id });
      return data.find((run) => run.cause === cause && run.status === 'running');
    });
  const cancelling = async (call: (signal: AbortSignal) => Promise<unknown>, cause: string) => {
    const aborter = new AbortController();
    const called = call(aborter.signal);
    const run = await running(cause);
    aborter.abort();
    await expect(called).rejects.toMatchObject({ code: 'cancelled', message: expect.any(String) });
    expect((await running(cause)).id).toBe(run.id);
    await client.call('invocations.stop', { id, invocation_id: run.id });
    return run.id;
  };
  const event = { forever: true };
  const invocation_id = await cancelling(
    (signal) => client.call('sources.invoke', { id, event }, { signal }),
    'manual',
  );
  await cancelling(
    (signal) => client.call('sources.replay', { id, invocation_id }, { signal }),
    'replay',
  );
});

test('a killed runtime rejects what waits; the next one is found by itself', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const client = createReconnectingClient({ dataFolder: join(folder, 'data') });
  onTestFinished(() => client.close());
  await client.connected();
  const component_path = await sourceFile(folder, 'slow.mjs', code);
  const source = await client.call('sources.deploy', { component_path });
  const waiting = client
    .call('sources.invoke', { id: source.id, event: { forever: true } })
    .catch((error: unknown) => error);
  await until('the run', async () => {
    const { last_invocation: last } = await client.call('sources.get', { id: source.id });
    return last?.ended_at === null;
  });
  await runtime.kill();
  expect(await waiting).toMatchObject({ name: 'WeirError', code: 'runtime_unavailable' });
  const next = await startRuntime({ folder });
  await client.connected();
  expect((await client.call('runtime.info', {})).pid).toBe(next.pid);
  expect(client.state).toMatchObject({ is: 'connected', runtime: { pid: next.pid } });
});

test('runtime.stop answers, then ends cleanly', async () => {
  const runtime = await startRuntime({ folder: temporaryFolder() });
  const connection = await runtime.connect();
  const closed = new Promise((resolve) => connection.onClose(resolve));
  await connection.call('runtime.stop', {});
  expect(await closed).toMatch(/stop/i);
});
