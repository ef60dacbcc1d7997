/** A runtime that callers from other machines reach: over TLS, and behind a proxy. */
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readFile, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../../support/folder.ts';
import { expectErrors } from '../../support/runtime-log.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { ask } from '../support/ask.ts';
import { writeCertificate } from '../support/certificate.ts';
import { needsProgram } from '../support/not-run.ts';
import { deployInbox, here, serveOutside, weirIn } from './served.ts';

async function lastEvent(runtime: TestRuntime): Promise<unknown> {
  const { body } = await runtime.rest('GET', '/v1/sources/inbox/event_summaries?expand=event');
  return (body as { data: { event: unknown }[] }).data[0]?.event;
}

describe('weir serve --host 0.0.0.0 does not start', () => {
  test.each([
    ['without a key', [], false, /weir keys add NAME --scope deploy/],
    ['without TLS', [], true, /--tls-cert and --tls-key, or --trust-proxy/],
    ['with half of TLS', ['--tls-cert', 'x.pem'], true, /--tls-key is missing/],
    [
      'with files that are not there',
      ['--tls-cert', 'x', '--tls-key', 'y'],
      true,
      /x.*cannot|cannot.*x/,
    ],
    ['with a proxy that is none', ['--trust-proxy', 'nginx'], true, /"nginx" is not an address/],
  ])('%s', async (_name, args, withKey, sentence) => {
    const folder = temporaryFolder();
    if (withKey) await weirIn(folder, 'keys', 'add', 'ada', '--scope', 'read');
    expectErrors(join(folder, 'data'), /could not start/);
    const run = await weirIn(folder, 'serve', '--host', '0.0.0.0', ...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(sentence);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
  });
});

test('others get the asked port, also when it was that of this machine alone last time', async () => {
  const { runtime: alone, folder } = await serveOutside('read');
  const { port } = new URL(alone.url);
  await alone.stop();
  const args = ['--host', '0.0.0.0', '--trust-proxy', '--port', port];
  const runtime = await startRuntime({ folder, args });
  const { outside_url } = await (await runtime.connect()).call('runtime.info', {});
  expect(outside_url).toBe(`http://0.0.0.0:${port}`);
  expect((await runtime.weir('list')).code).toBe(0);
});

describe('over TLS', () => {
  beforeEach((context) => {
    needsProgram('openssl', context, 'version');
    context.skip(here === '', 'There is no network.');
  });

  async function serveTls(scope = 'deploy', ...args: string[]) {
    const folder = temporaryFolder();
    const files = await writeCertificate(folder, 'first.example');
    const tls = ['--tls-cert', files.cert, '--tls-key', files.key];
    return {
      ...(await serveOutside(scope, '--host', '0.0.0.0', ...tls, ...args)),
      certificates: folder,
    };
  }

  test('a named key opens it, the one of runtime.json does not', async () => {
    const { runtime, key, outside } = await serveTls();
    expect(outside).toMatch(/^https:/);
    expect(await ask(`${outside}/v1/sources`, { key })).toMatchObject({ status: 200 });
    expect(await ask(`${outside}/v1/sources`)).toMatchObject({ status: 401 });
    const refused = await ask(`${outside}/v1/sources`, { key: runtime.apiKey });
    expect(refused.status).toBe(403);
    expect(refused.body).toContain('weir keys add');
    // To the same listener, from the machine itself.
    const local = await ask(outside.replace(here, '127.0.0.1') + '/v1/sources', {
      key: runtime.apiKey,
    });
    expect(local.status).toBe(200);
    expect((await runtime.weir('list')).code).toBe(0);
  });

  test('under names that it was told, and addresses that it has', async () => {
    const { key, outside } = await serveTls(
      'read',
      '--public-url',
      'https://weir.example/base',
      '--allow-host',
      'Other.example',
    );
    const under = async (host: string) =>
      (await ask(`${outside}/v1/sources`, { key, headers: { host } })).status;
    expect(await under('weir.example')).toBe(200);
    expect(await under('other.example:8443')).toBe(200);
    expect(await under(`${here}:1`)).toBe(200);
    expect(await under('evil.example')).toBe(403);
    expect(await under('192.0.2.77')).toBe(403);
    const page = { host: 'weir.example', origin: 'https://evil.example' };
    expect((await ask(`${outside}/v1/sources`, { key, headers: page })).status).toBe(403);
  });

  test('an endpoint is told who really asks', async () => {
    const served = await serveTls();
    const { runtime, outside } = served;
    const path = await deployInbox(served);
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      'content-type': 'application/json',
    };
    const answer = await ask(outside + path, { method: 'POST', headers, body: '{"n":1}' });
    expect(answer.status).toBe(200);
    const event = await until('the event', async (seen) => seen(await lastEvent(runtime)), 5000);
    expect(event).toMatchObject({ client_ip: here, body: { n: 1 } });
    expect(event).toMatchObject({ url: expect.stringMatching(/^https:/) as unknown });
  });

  test('RPC goes over it as well', async () => {
    const { runtime, key, outside } = await serveTls('read');
    const open = (given: string) =>
      new WebSocket(`${outside.replace('https', 'wss')}/rpc`, {
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${given}` },
      });
    const socket = open(key);
    onTestFinished(() => socket.terminate());
    const [hello] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(String(hello))).toMatchObject({ method: 'hello' });
    const refused = open(runtime.apiKey);
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('403');
  });

  test('a certificate that is replaced is used without a restart; one that does not fit is not', async () => {
    const { outside, runtime, certificates } = await serveTls('read');
    const subject = async () => (await ask(`${outside}/v1/health`)).subject;
    expect(await subject()).toBe('first.example');
    const { cert } = await writeCertificate(certificates, 'second.example');
    await until('the new one', async () => (await subject()) === 'second.example', 20_000);
    const good = await readFile(cert);
    await writeFile(cert, 'half of it');
    await until('a line that says so', () => /stays in use/.test(runtime.output()), 20_000);
    expect(await subject()).toBe('second.example');
    await writeFile(cert, good);
  });
});

describe('behind a proxy', () => {
  /** A reverse proxy as one configures it: it says for whom it asks, and keeps the Host. */
  async function startProxy(target: string): Promise<string> {
    const proxy: Server = createServer((request, response) => {
      const before = request.headers['x-forwarded-for'];
      const client = '203.0.113.9';
      const headers = {
        ...request.headers,
        'x-forwarded-for': before === undefined ? client : `${String(before)}, ${client}`,
        'x-forwarded-proto': 'https',
      };
      const passed = httpRequest(target + (request.url ?? ''), { method: request.method, headers });
      passed.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  }

  test('on this machine: it is believed, and the key of runtime.json does not come through it', async () => {
    const served = await serveOutside(
      'deploy',
      '--trust-proxy',
      '--public-url',
      'https://weir.example',
    );
    const { runtime, key } = served;
    const proxy = await startProxy(runtime.url);
    const headers = { host: 'weir.example' };
    expect(await ask(`${proxy}/v1/sources`, { key, headers })).toMatchObject({ status: 200 });
    const local = await ask(`${proxy}/v1/sources`, { key: runtime.apiKey, headers });
    expect(local.status).toBe(403);
    expect((await ask(`${proxy}/v1/sources`, { key: runtime.apiKey })).status).toBe(403);
    expect((await runtime.weir('list')).code).toBe(0);
    const path = await deployInbox(served);
    const spoofed = { ...headers, 'x-forwarded-for': '198.51.100.1' };
    await ask(proxy + path, { method: 'POST', headers: spoofed, body: 'x' });
    const event = await until('the event', async (seen) => seen(await lastEvent(runtime)), 5000);
    expect(event).toMatchObject({ client_ip: '203.0.113.9' });
    expect(event).toMatchObject({
      url: expect.stringContaining('https://weir.example/h/') as unknown,
    });
  });

  test('a request that goes past it is refused', async (context) => {
    context.skip(here === '', 'There is no network.');
    const { runtime, key, outside } = await serveOutside(
      'read',
      '--host',
      '0.0.0.0',
      '--trust-proxy',
      '203.0.113.0/24,loopback',
    );
    const past = await ask(`${outside}/v1/sources`, { key });
    expect(past.status).toBe(403);
    expect(past.body).toContain('from its proxy only');
    const proxy = await startProxy(outside.replace(here, '127.0.0.1'));
    expect((await ask(`${proxy}/v1/sources`, { key })).status).toBe(200);
    expect(runtime.output()).toContain('--public-url');
  });
});

test('--plain-http lets others in without TLS, and says so', async (context) => {
  context.skip(here === '', 'There is no network.');
  const { runtime, key, outside } = await serveOutside('read', '--host', '0.0.0.0', '--plain-http');
  expect(outside).toMatch(/^http:/);
  expect((await ask(`${outside}/v1/sources`, { key })).status).toBe(200);
  expect(runtime.output()).toContain('in clear');
});
