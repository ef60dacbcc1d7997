import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { backoff, createReconnectingClient } from '../../../src/client/reconnecting.ts';
import {
  answeringRuntime,
  findRuntime,
  lookForRuntime,
  readRuntimeFile,
} from '../../../src/client/runtime-file.ts';
import { folderId } from '../../../src/protocol/folder-id.ts';
import type { RuntimeFile } from '../../../src/protocol/rpc.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { apiKey, type Harness, startHarness } from '../runtime/api/harness.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const health = (_request: unknown, response: { end(text: string): unknown }): void =>
  void response.end('{"status":"ok"}');

async function start(): Promise<Harness> {
  const runtime = await startHarness({
    api: health,
    handlers: { 'runtime.stop': () => ({}) },
  });
  await write({ url: runtime.url });
  return runtime;
}

async function write(part: Partial<RuntimeFile>): Promise<void> {
  const file = { url: '', pid: process.pid, apiKey, version: '0', startedAt: '', ...part };
  await writeFile(join(folder, 'runtime.json'), JSON.stringify(file));
}

describe('runtime.json', () => {
  test('no file, no folder', async () => {
    expect(await readRuntimeFile(folder)).toBeUndefined();
    expect(await findRuntime(join(folder, 'none'))).toBeUndefined();
  });

  test.each(['', '{"url":', '{}'])('%j cannot be read and is named', async (text) => {
    await writeFile(join(folder, 'runtime.json'), text);
    await expect(readRuntimeFile(folder)).rejects.toThrow(/runtime\.json/);
  });

  test('a runtime that answers is found', async () => {
    const runtime = await start();
    expect(await findRuntime(folder)).toMatchObject({ url: runtime.url });
  });

  test('the file that came with a copy of the folder names the runtime of another one', async () => {
    const runtime = await start();
    await write({ url: runtime.url, folder: folderId(folder) });
    expect(await findRuntime(folder)).toMatchObject({ url: runtime.url });
    await write({ url: runtime.url, folder: folderId('.') });
    expect(await findRuntime(folder)).toBeUndefined();
  });

  test('the file a crash left behind is not taken for a runtime', async () => {
    const runtime = await start();
    await runtime.stop();
    expect(await readRuntimeFile(folder)).toBeDefined();
    expect(await findRuntime(folder)).toBeUndefined();
  });

  test('one that takes connections and says nothing is there, and does not answer', async () => {
    const silent = await startHarness({ api: () => undefined });
    await write({ url: silent.url });
    expect(await lookForRuntime(folder)).toMatchObject({
      answers: false,
      file: { url: silent.url },
    });
    expect(await findRuntime(folder)).toBeUndefined();
    await expect(answeringRuntime(folder)).rejects.toThrow(`(pid ${process.pid}) does not answer`);
  });

  test('somebody else on the same port is not taken for a runtime', async () => {
    const other = await startHarness({ api: (_request, response) => void response.end('<html>') });
    await write({ url: other.url });
    expect(await findRuntime(folder)).toBeUndefined();
  });
});

describe('the reconnecting client', () => {
  test('finds the next runtime after the first is gone, and tells each state once', async () => {
    const client = createReconnectingClient({ dataFolder: folder, random: () => 0 });
    onTestFinished(() => client.close());
    const states: string[] = [];
    client.onState((state) => states.push(state.is));
    await expect(client.call('runtime.stop', {})).rejects.toMatchObject({
      code: 'runtime_unavailable',
    });

    const first = await start();
    await client.connected();
    await client.call('runtime.stop', {});
    const changes: unknown[] = [];
    client.onChanges((batch) => changes.push(...batch));

    await first.stop();
    await expect.poll(() => client.state.is).toBe('disconnected');
    expect(client.state).toMatchObject({
      reason: expect.stringMatching(/test is over|No runtime/),
    });

    const second = await start();
    client.retryNow();
    await client.connected();
    second.change([{ type: 'source.deleted', id: 'dc_1' }]);
    await expect.poll(() => changes).toHaveLength(1);
    const connections = states.filter((state) => state === 'connected');
    expect(connections).toHaveLength(2);
  });

  test('connected() rejects when its signal aborts and when the client is closed', async () => {
    const client = createReconnectingClient({ dataFolder: folder });
    const aborter = new AbortController();
    const aborted = client.connected(aborter.signal);
    aborter.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled' });
    const closed = client.connected();
    client.close();
    await expect(closed).rejects.toMatchObject({ code: 'cancelled' });
  });
});

test.each([
  [0, 0.5, 100],
  [1, 0.5, 200],
  [5, 0.5, 3200],
  [6, 0.5, 5000],
  [1000, 0.5, 5000],
  [0, 0, 80],
  [0, 1, 120],
])('the wait after attempt %i with %f is %i ms', (attempt, random, ms) => {
  expect(backoff(attempt, random)).toBe(ms);
});
