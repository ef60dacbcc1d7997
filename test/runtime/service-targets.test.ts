/** Delivery targets that fail in every way a target can (P19). */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Delivery, Result, Source, Webhook } from '../../src/protocol/catalogue.ts';
import { conformanceWorld } from './conformance/world.ts';
import { memoryOf } from './support/memory.ts';
import { until } from '../support/until.ts';

const world = conformanceWorld();

type Detail = Result<'deliveries.get'>;

/** A server that says what it likes once a request has come. @returns its address */
async function target(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');

/** Writes as long as somebody reads: what a target of 4 GB does. */
function flood(socket: Socket): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece)) continue;
  };
  socket.on('drain', more);
  more();
}

/** What it does, how the attempt is classed, what a person reads, and the status that is kept. */
const ways: readonly (readonly [
  string,
  (socket: Socket, url: string) => void,
  string | null,
  RegExp,
  number | null,
])[] = [
  ['fails', (s) => s.end(head('500 Oh', 'content-length: 0')), 'status', /answered 500/, 500],
  ['knows nothing', (s) => s.end(head('404 No', 'content-length: 0')), 'status', /404/, 404],
  ['wants no more', (s) => s.end(head('410 Gone', 'content-length: 0')), 'status', /410/, 410],
  ['hangs up', (s) => s.end(), 'reset', /closed the connection/, null],
  ['resets', (s) => s.resetAndDestroy(), 'reset', /closed the connection/, null],
  ['speaks no HTTP', (s) => s.end('SSH-2.0-OpenSSH\r\n'), 'network', /could not be reached/, null],
  ['answers half a head', (s) => s.end('HTTP/1.1 200 OK\r\ncontent-le'), 'reset', /closed/, null],
  [
    'answers half a body',
    (s) => s.end(head('200 OK', 'content-length: 9') + 'half'),
    null,
    /^$/,
    200,
  ],
  [
    'redirects to itself',
    (s, url) => s.end(head('307 Temporary', `location: ${url}`, 'content-length: 0')),
    'redirect',
    /a redirect to http.*not followed/,
    307,
  ],
  [
    'sends 4 GB',
    (s) => (s.write(head('200 OK', 'content-length: 4294967296')), flood(s)),
    null,
    /^$/,
    200,
  ],
  [
    'sends heads for ever',
    (s) => (s.write('HTTP/1.1 200 OK\r\nx-a: '), flood(s)),
    'network',
    /could not be reached/,
    null,
  ],
  [
    'injects a header',
    (s) => s.end(head('200 OK', 'x-a: 1\r\nset-cookie: evil=1', 'content-length: 0')),
    null,
    /^$/,
    200,
  ],
];

test.each(ways)('a target that %s', async (_name, answer, failure, sentence, status) => {
  let url = '';
  url = await target((socket) => answer(socket, url));
  const before = memoryOf(world.runtime.pid);
  const detail = await attemptTo(url);
  const [attempt] = detail.attempts;
  expect(attempt?.error?.class ?? null).toBe(failure);
  expect(attempt?.error?.message ?? '').toMatch(sentence);
  expect(attempt?.response?.status ?? null).toBe(status);
  expect(attempt?.response?.body.length ?? 0).toBeLessThanOrEqual(20 * 1024);
  expect(detail.status).toBe(
    failure === null ? 'delivered' : status === 410 ? 'exhausted' : 'retrying',
  );
  // What it sends does not pile up here.
  expect(memoryOf(world.runtime.pid) - before).toBeLessThan(100);
});

test('https to a target without TLS is named', async () => {
  const url = (await target((socket) => socket.end('nothing'))).replace('http:', 'https:');
  const { attempts } = await attemptTo(url);
  expect(attempts[0]?.error).toMatchObject({ class: 'tls' });
});

/** Sends one event there; the delivery after its first attempt. */
async function attemptTo(url: string): Promise<Detail> {
  const { runtime } = world;
  const source: Source = await world.deploy(
    `export default { name: 'To a bad target', run(event) { this.$emit(event); } }`,
  );
  const hook = await runtime.restData<Webhook>('POST', '/v1/webhooks', { url });
  const ends = { emitter_id: source.id, listener_id: hook.id };
  await runtime.restData('POST', '/v1/subscriptions', ends);
  await world.run(source, { n: 1 });
  const path = `/v1/deliveries?webhook_id=${hook.id}`;
  const tried = await until('the first attempt', async () => {
    const [delivery] = await runtime.restData<Delivery[]>('GET', path);
    return (delivery?.attempt_count ?? 0) > 0 && delivery;
  });
  const detail = await runtime.restData<Detail>('GET', `/v1/deliveries/${tried.id}`);
  await runtime.rest('DELETE', `/v1/webhooks/${hook.id}`);
  return detail;
}
