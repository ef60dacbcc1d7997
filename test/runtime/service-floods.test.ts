/** Callers that send too much, too slowly or too often. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conformanceWorld, endpointOf } from './conformance/world.ts';
import { memoryOf } from './support/memory.ts';

const world = conformanceWorld();
const mb = 1024 * 1024;

const source = () =>
  world.deploy(
    `export default { name: 'Taker', props: { http: '$.interface.http' }, run() { this.$emit(1); } }`,
  );

/**
 * Sends a body of so many bytes as fast as it is taken, until there is an answer.
 * @returns the status, and the bytes that left
 */
async function upload(url: string, bytes: number, headers: Record<string, string>) {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  const sending = request(url, { method: 'POST', headers });
  const answered = once(sending, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
  let sent = 0;
  const more = (): void => {
    while (sent < bytes && !sending.destroyed) {
      sent += piece.length;
      if (!sending.write(piece)) return void sending.once('drain', more);
    }
    sending.end();
  };
  more();
  const [response] = await answered;
  response.resume();
  sending.destroy();
  return { status: response.statusCode, sent };
}

test('bodies of 100 MB are refused while they come, at REST and at an endpoint', async () => {
  const endpoint = endpointOf(await source());
  const { url, apiKey, pid } = world.runtime;
  const before = memoryOf(pid);
  for (const to of [`${url}/v1/webhooks`, endpoint]) {
    const { status, sent } = await upload(to, 100 * mb, { authorization: `Bearer ${apiKey}` });
    expect(status).toBe(413);
    expect(sent).toBeLessThan(50 * mb);
  }
  const keyless = await upload(`${url}/v1/webhooks`, 100 * mb, {});
  expect(keyless.status).toBe(401);
  expect(memoryOf(pid) - before).toBeLessThan(100);
});

/** Reads nothing before all of a body of 100 MB is written. Returns the whole answer, head included. */
async function writeThenRead(url: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const all = { host: hostname, 'content-length': 100 * mb, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(100 * mb, 0x20), resolve));
  let answer = '';
  for await (const piece of socket) answer += String(piece);
  return answer;
}

test('who reads only when all is written is told why it was refused', async () => {
  const endpoint = endpointOf(await source());
  const { url, apiKey } = world.runtime;
  const tooLarge = /^HTTP\/1\.1 413 [^]*The body is larger than \d+ KB\./;
  const key = { authorization: `Bearer ${apiKey}` };
  expect(await writeThenRead(`${url}/v1/webhooks`, key)).toMatch(tooLarge);
  expect(await writeThenRead(endpoint, {})).toMatch(tooLarge);
  await rm(join(world.folder, 'data', 'files'), { recursive: true });
  const notStored = /^HTTP\/1\.1 503 [^]*The body could not be stored\./;
  expect(await writeThenRead(endpoint, { 'x-pd-upload-body': '1' })).toMatch(notStored);
});

test('a thousand callers that say nothing more keep nobody else out', async () => {
  const endpoint = endpointOf(await source());
  const { port } = new URL(world.runtime.url);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  // Half silent, half in the middle of a head.
  for (let n = 0; n < 1000; n += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    if (n % 2 === 0) socket.write('POST /h/x HTTP/1.1\r\nhost: x\r\nx-slow: ');
  }
  expect((await fetch(endpoint, { method: 'POST' })).status).toBe(200);
  expect((await world.runtime.rest('GET', '/v1/sources')).status).toBe(200);
});

test.each([
  '/v1/sources/..%2f..%2fetc%2fpasswd',
  '/v1/sources/../../etc/passwd',
  '/v1/sources/%00',
  '/v1/sources/%E0%A4%A',
  '/v1/webhooks/wh_%0d%0ax-evil:%201',
  '/v1/deliveries/del_-1',
  '/v1/deliveries/del_1e3',
  '/v1/accounts/..',
  '/v1/sources/dc_x/events/../../../accounts',
])('%s leads nowhere', async (path) => {
  const { url, apiKey } = world.runtime;
  const { hostname, port } = new URL(url);
  // By hand: fetch would tidy the path up.
  const asked = request({
    hostname,
    port,
    path,
    headers: { authorization: `Bearer ${apiKey}` },
  }).end();
  const [answer] = (await once(asked, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number; headers: object },
  ];
  let text = '';
  for await (const piece of answer) text += String(piece);
  expect(answer.statusCode).toBe(404);
  expect(answer.headers).not.toHaveProperty('x-evil');
  expect(JSON.parse(text)).toMatchObject({
    code: 'not_found',
    error: expect.stringMatching(/^There is no /),
  });
  expect(text).not.toMatch(/ENOENT|node:|\.ts:/);
});

test.each([
  'javascript:alert(1)',
  'data:text/plain,x',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'http://',
  'http:///x',
  'http:x',
  'https:\\\\x/',
  'nope',
  '',
  'http://127.0.0.1/\r\nX-Evil: 1',
  'http://127.0.0.1/a b',
  'http://me:secret@127.0.0.1/',
])('%j is no webhook', async (url) => {
  const answer = await world.runtime.rest('POST', '/v1/webhooks', { url });
  expect(answer).toMatchObject({ status: 400, body: { code: 'bad_input' } });
});
