import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  createLingering,
  type Lingering,
  type LingerLimits,
} from '../../../../src/runtime/server/lingering.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const mb = 1024 * 1024;

/** A server that refuses everything before it has read any of it. */
async function start(
  limits?: LingerLimits,
): Promise<{ port: number; lingering: Lingering; clock: FakeClock }> {
  const clock = new FakeClock();
  const lingering = createLingering(clock, limits);
  const server = createServer((_request, response) => {
    lingering.refuse(response, 413, { 'x-why': 'size' }, 'too large');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, lingering, clock };
}

/** Sends the head of a request and as much of its body as is said, and reads nothing. */
async function send(port: number, length: number, body: Uint8Array): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
  if (body.length > 0) await new Promise((resolve) => socket.write(body, resolve));
  return socket;
}

/** Resolves with all that was read when the connection is closed, however that went. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => (text += String(piece)));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}

const whole =
  /^HTTP\/1\.1 413 Payload Too Large\r\nx-why: size\r\nconnection: close\r\n[^]*\r\n\r\ntoo large$/i;

test('who reads only when all is written gets the answer, and the connection is closed', async () => {
  const { port } = await start();
  const socket = await send(port, 20 * mb, Buffer.alloc(20 * mb));
  expect(await readToEnd(socket)).toMatch(whole);
});

test('who writes without end is cut off', async () => {
  const { port } = await start({ bytes: mb, ms: 60_000 });
  const socket = await send(port, 1024 * mb, new Uint8Array(0));
  const more = (): void => {
    while (socket.write(Buffer.alloc(64 * 1024)));
  };
  socket.on('drain', more);
  more();
  await readToEnd(socket);
  expect(socket.bytesWritten).toBeLessThan(100 * mb);
});

test('who says nothing more is cut off after the time', async () => {
  const { port, clock } = await start({ bytes: mb, ms: 500 });
  const socket = await send(port, mb, new Uint8Array(100));
  await once(socket, 'readable');
  let closed = false;
  socket.once('close', () => (closed = true));
  const ended = readToEnd(socket);
  clock.pass(499);
  await new Promise((resolve) => setImmediate(resolve));
  expect([clock.waits.length, closed]).toEqual([1, false]);
  clock.pass(1);
  expect(await ended).toMatch(whole);
});

test('when the server stops nobody lingers', async () => {
  const { port, lingering } = await start({ bytes: mb, ms: 60_000 });
  const socket = await send(port, mb, new Uint8Array(100));
  await once(socket, 'readable');
  const ended = readToEnd(socket);
  lingering.endAll();
  expect(await ended).toMatch(whole);
});
