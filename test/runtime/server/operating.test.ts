/** What whoever operates a server relies on: health, the log of requests, limits. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { startRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { connect } from '../../../src/client/connection.ts';
import { ask } from '../support/ask.ts';
import { deployInbox, here, serveOutside } from './served.ts';

test('live and ready, without a key and under any name', async () => {
  const runtime = await startRuntime({ folder: temporaryFolder() });
  const headers = { host: '10.1.2.3:8080' };
  const live = await ask(`${runtime.url}/healthz/live`, { headers });
  expect([live.status, live.body]).toEqual([200, '{"status":"live"}']);
  const ready = await ask(`${runtime.url}/healthz/ready`, { headers });
  expect([ready.status, ready.body]).toEqual([200, '{"status":"ready"}']);
  expect((await ask(`${runtime.url}/healthz/other`)).status).toBe(404);
});

test('a disk with less space than asked for is not ready, and live', async () => {
  const args = ['--set', 'health.freeMb=1e12'];
  const runtime = await startRuntime({ folder: temporaryFolder(), args });
  const ready = await ask(`${runtime.url}/healthz/ready`);
  expect([ready.status, ready.headers['retry-after']]).toEqual([503, '5']);
  expect(JSON.parse(ready.body)).toEqual({ status: 'not_ready', reason: 'disk_full' });
  expect((await ask(`${runtime.url}/healthz/live`)).status).toBe(200);
});

test('a server that stops is not ready while what runs may end', async () => {
  const served = await serveOutside('read');
  const { runtime } = served;
  const path = await deployInbox(served);
  await ask(`${runtime.url}${path}?wait=2500`, { method: 'POST', body: 'x' });
  const ended = runtime.stop();
  const reason = await until('its answer', async () => {
    const { status, body } = await ask(`${runtime.url}/healthz/ready`);
    return status === 503 && body;
  });
  expect(JSON.parse(reason)).toEqual({ status: 'not_ready', reason: 'stopping' });
  expect(await ended).toBe(0);
});

test('a store that failed is not ready', async () => {
  const served = await startRuntime({ folder: temporaryFolder(), largestFileKb: 2048 });
  served.expectErrors(/could not be read or written/);
  for (let n = 0; n < 200; n += 1) {
    const text = 'x'.repeat(100_000);
    const { status } = await served.rest('POST', '/v1/data_stores', { name: `${n} ${text}` });
    if (status === 503) break;
  }
  const { status, body } = await ask(`${served.url}/healthz/ready`);
  expect([status, JSON.parse(body)]).toEqual([
    503,
    { status: 'not_ready', reason: 'store_failed' },
  ]);
});

test('a line for each request, with who asked and without what is secret', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'requests.log');
  const served = await serveOutside('read', '--request-log', file, '--trust-proxy');
  const { runtime, key } = served;
  const path = await deployInbox(served);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await ask(`${runtime.url}${path}/inner?token=sesame`, {
    method: 'POST',
    headers,
    body: 'sesame',
  });
  await ask(`${runtime.url}/v1/sources?limit=1&q=sesame`, { key, headers });
  await ask(`${runtime.url}/v1/sources`, { key: 'sesame', headers });
  const client = await connect({ ...runtime, apiKey: key });
  await client.call('runtime.stop', {}).catch(() => undefined);
  client.close();
  const lines = await until('the lines', async () => {
    const text = await readFile(file, 'utf8');
    return text.includes('runtime.stop') && text.trim().split('\n');
  });
  const all = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const sources = (await runtime.weirJson<{ id: string }[]>('list'))[0];
  expect(all).toContainEqual(
    expect.objectContaining({
      method: 'POST',
      path: '/h/',
      status: 200,
      emitter: sources?.id,
      address: '203.0.113.9',
      ms: expect.any(Number) as unknown,
      at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
    }),
  );
  expect(all).toContainEqual(
    expect.objectContaining({ method: 'GET', path: '/v1/sources', status: 200, key: 'ada' }),
  );
  expect(all).toContainEqual(expect.objectContaining({ path: '/v1/sources', status: 401 }));
  expect(all).toContainEqual(
    expect.objectContaining({ method: 'RPC', path: 'runtime.stop', status: 403, key: 'ada' }),
  );
  const text = lines.join('\n');
  for (const secret of ['sesame', key, runtime.apiKey, path.slice(3)]) {
    expect(text).not.toContain(secret);
  }
});

test('a named key and an endpoint take so many requests a second, and say when there is room', async (context) => {
  context.skip(here === '', 'There is no network.');
  const limits = ['--set', 'limits.keyPerSecond=2', '--set', 'limits.endpointPerSecond=2'];
  const served = await serveOutside('read', '--host', '0.0.0.0', '--plain-http', ...limits);
  const { runtime, key, outside } = served;
  const path = await deployInbox(served);
  const statuses = async (count: number, once: () => Promise<{ status: number }>) => {
    const all = await Promise.all(Array.from({ length: count }, once));
    return new Set(all.map(({ status }) => status));
  };
  const list = () => ask(`${outside}/v1/sources`, { key });
  expect(await statuses(40, list)).toEqual(new Set([200, 429]));
  const refused = await until('a refusal', async () => {
    const answer = await list();
    return answer.status === 429 && answer;
  });
  expect(Number(refused.headers['retry-after'])).toBe(1);
  expect(JSON.parse(refused.body)).toMatchObject({
    code: 'rate_limited',
    error: 'The key "ada" asks too often; try again in 1 s.',
  });
  await until('room', async () => (await list()).status === 200);
  const client = await connect({ ...runtime, apiKey: key });
  const calls = Array.from({ length: 40 }, () =>
    client.call('users.me', {}).then(
      () => 'answered',
      (error: unknown) => (error as { code: string }).code,
    ),
  );
  expect(new Set(await Promise.all(calls))).toContain('rate_limited');
  client.close();

  const send = () => ask(outside + path, { method: 'POST', body: 'x' });
  expect(await statuses(40, send)).toEqual(new Set([200, 429]));
  const late = await until('a refusal', async () => {
    const answer = await send();
    return answer.status === 429 && answer;
  });
  expect([late.headers['retry-after'], late.body]).toEqual([
    '1',
    'Too many requests: try again in 1 s.\n',
  ]);
  await until('room', async () => (await send()).status === 200);
  // Programs of this machine are not counted.
  const local = () => ask(runtime.url + path, { method: 'POST', body: 'x' });
  expect(await statuses(40, local)).toEqual(new Set([200]));
  const own = () => ask(`${runtime.url}/v1/sources`, { key: runtime.apiKey });
  expect(await statuses(40, own)).toEqual(new Set([200]));
});
