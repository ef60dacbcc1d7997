import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Change } from '../../../../src/protocol/rpc.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';

async function start(options?: HarnessOptions): Promise<Harness> {
  const runtime = await startHarness(options);
  return runtime;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: { code: string } };
}

/** The wire by hand, as a client that is not ours would speak it. */
async function rawClient(
  runtime: Harness,
): Promise<{ socket: WebSocket; got: Message[]; send: (message: unknown) => void }> {
  const socket = new WebSocket(`${runtime.url.replace('http', 'ws')}/rpc`, {
    headers: { authorization: `Bearer ${runtime.apiKey}` },
  });
  onTestFinished(() => socket.terminate());
  const got: Message[] = [];
  socket.on('message', (data) => got.push(JSON.parse((data as Buffer).toString()) as Message));
  await once(socket, 'open');
  return { socket, got, send: (message) => socket.send(JSON.stringify(message)) };
}

test('says hello first', async () => {
  const { got } = await rawClient(await start());
  await expect
    .poll(() => got[0])
    .toMatchObject({
      method: 'hello',
      params: { protocol: 1, version: '0.0.0', pid: process.pid },
    });
});

describe('errors on the wire', () => {
  test.each<[string, object, number, string]>([
    ['an unknown operation', { method: 'no.such', params: { params: {} } }, -32000, 'not_found'],
    ['wrong params', { method: 'sources.get', params: { params: {} } }, -32602, 'bad_input'],
    ['params that are a list', { method: 'sources.get', params: [1] }, -32602, 'bad_input'],
  ])('%s', async (_name, request, code, data) => {
    const { got, send } = await rawClient(await start());
    send({ jsonrpc: '2.0', id: 1, ...request });
    await expect.poll(() => got[1]).toMatchObject({ id: 1, error: { code, data: { code: data } } });
  });

  test.each([
    'hello?',
    '[]',
    'null',
    '{"jsonrpc":"2.0","method":"$/cancelRequest"}',
    '{"jsonrpc":"2.0","id":null,"method":"sources.list"}',
    '{"jsonrpc":"2.0","id":null,"method":"sources.list","result":1}',
    '{"jsonrpc":"2.0","id":{},"method":"sources.list"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"1.0","id":1,"method":"sources.list"}',
  ])('%s closes the connection, not the runtime, and is no error of ours', async (text) => {
    const runtime = await start();
    const { socket } = await rawClient(runtime);
    socket.send(text);
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1007);
    expect([runtime.reported, runtime.warned.length]).toEqual([[], 1]);
  });

  test.each([[1], ['1']])('a request with the id of one without an answer, %j', async (id) => {
    const { socket, got, send } = await rawClient(await start());
    const request = { jsonrpc: '2.0', method: 'no.such' };
    send({ ...request, id: 1 });
    await expect.poll(() => got[1]).toMatchObject({ id: 1 });
    send({ ...request, id: 1 });
    send({ ...request, id });
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect([code, String(reason)]).toEqual([
      1007,
      'The id of a request is that of one without an answer.',
    ]);
  });
});

test('bytes that are no frame end one connection with a code, are told once, and are no error of ours', async () => {
  const runtime = await start();
  const { socket } = await rawClient(runtime);
  const raw = (socket as unknown as { _socket: Socket })._socket;
  // Reserved bits, twice.
  raw.write(Buffer.from([0xf1, 0x80, 0xf1, 0x80]));
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBe(1002);
  expect(runtime.warned).toEqual([expect.stringContaining('Invalid WebSocket frame')]);
  expect(runtime.reported).toEqual([]);
  expect((await rawClient(runtime)).socket.readyState).toBe(WebSocket.OPEN);
});

test('$/cancelRequest aborts the operation and answers it', async () => {
  const { got, send } = await rawClient(
    await start({
      handlers: {
        'runtime.stop': (_params, { signal }) =>
          new Promise((_resolve, reject) => {
            const stop = (): void => reject(signal.reason as Error);
            if (signal.aborted) stop();
            signal.addEventListener('abort', stop);
          }),
      },
    }),
  );
  send({ jsonrpc: '2.0', id: 7, method: 'runtime.stop', params: { params: {} } });
  send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 7 } });
  await expect
    .poll(() => got[1])
    .toMatchObject({
      id: 7,
      error: { code: -32800, data: { code: 'cancelled' } },
    });
});

test('counts its clients', async () => {
  const runtime = await start();
  const counts: number[] = [];
  runtime.rpc.onClients((count) => counts.push(count));
  const { socket } = await rawClient(runtime);
  socket.close();
  await expect.poll(() => counts).toEqual([1, 0]);
});

test('a client that reads nothing is cut off, the others go on', async () => {
  const runtime = await start({ rpc: { maxBuffered: 100_000 } });
  const slow = await rawClient(runtime);
  const good = await rawClient(runtime);
  slow.socket.pause();
  const big: Change = { type: 'source.deleted', id: 'x'.repeat(1_000_000) };
  const closed = once(slow.socket, 'close');
  // The kernel takes some megabytes of what nobody reads.
  for (let sent = 0; runtime.rpc.clients === 2 && sent < 200; sent++) {
    runtime.change([big]);
    await expect.poll(() => good.got.length).toBe(sent + 2);
  }
  slow.socket.resume();
  await closed;
  expect(runtime.rpc.clients).toBe(1);
});

test('a peer that answers no ping is taken away', async () => {
  const runtime = await start({ rpc: { pingMs: 30 } });
  const { socket } = await rawClient(runtime);
  const alive = await rawClient(runtime);
  // A frozen process: its socket stays open and nothing comes back.
  socket.pause();
  await expect.poll(() => runtime.rpc.clients).toBe(1);
  expect(alive.socket.readyState).toBe(WebSocket.OPEN);
});
