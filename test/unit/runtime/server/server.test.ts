import { createServer as createTcpServer, connect as connectTcp, type AddressInfo } from 'node:net';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/runtime/base/clock.ts';
import {
  createServer,
  type RequestHandler,
  type Server,
  type ServerOptions,
} from '../../../../src/runtime/server/server.ts';

const apiKey = 'correct';
const key = { authorization: `Bearer ${apiKey}` };

interface Started extends Server {
  readonly warnings: string[];
  readonly reported: unknown[];
}

async function start(options: Partial<ServerOptions> = {}): Promise<Started> {
  const warnings: string[] = [];
  const reported: unknown[] = [];
  const server = await createServer({
    apiKey,
    callerOf: () => undefined,
    endpoint: (_request, response) => void response.end('endpoint'),
    api: (_request, response) => void response.end('api'),
    upgrade: (_request, socket) => void socket.end(),
    warn: (message) => warnings.push(message),
    report: (_where, error) => reported.push(error),
    ...options,
  });
  onTestFinished(() => server.close(100));
  return { ...server, warnings, reported };
}

/** `fetch` writes its own Host, so the requests are made by hand. */
async function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const piece of response) body += String(piece);
  return { status: response.statusCode ?? 0, body };
}

async function takenPort(): Promise<number> {
  const other = createTcpServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

describe('who may pass', () => {
  test.each<[string, string, Record<string, string>, number, string]>([
    [
      'an endpoint, any Host, no key',
      '/h/hi_abc1234/x',
      { host: 'tunnel.example.com' },
      200,
      'endpoint',
    ],
    [
      'an endpoint, a web page',
      '/h/hi_abc1234',
      { origin: 'https://example.com' },
      200,
      'endpoint',
    ],
    ['health without a key', '/v1/health', {}, 200, 'api'],
    ['health with a query', '/v1/health?x=1', {}, 200, 'api'],
    ['health under a foreign Host', '/v1/health', { host: 'evil.example' }, 403, 'foreign_host'],
    ['health-like paths are not open', '/v1/healthy', {}, 401, 'unauthorized'],
    ['the key', '/v1/sources', key, 200, 'api'],
    ['any case of the scheme', '/v1/sources', { authorization: 'bearer correct' }, 200, 'api'],
    ['no key', '/v1/sources', {}, 401, 'unauthorized'],
    ['a wrong key', '/v1/sources', { authorization: 'Bearer wrong' }, 401, 'unauthorized'],
    ['a prefix of the key', '/v1/sources', { authorization: 'Bearer correc' }, 401, 'unauthorized'],
    ['another scheme', '/v1/sources', { authorization: 'Basic correct' }, 401, 'unauthorized'],
    [
      'the key under a foreign Host',
      '/v1/sources',
      { ...key, host: 'evil.example' },
      403,
      'foreign_host',
    ],
    [
      'the key from a web page',
      '/v1/sources',
      { ...key, origin: 'https://evil.example' },
      403,
      'foreign_host',
    ],
    [
      'the key from a sandboxed page',
      '/v1/sources',
      { ...key, origin: 'null' },
      403,
      'foreign_host',
    ],
    [
      'the key from a local page',
      '/v1/sources',
      { ...key, origin: 'http://localhost:5173' },
      200,
      'api',
    ],
  ])('%s', async (_name, path, headers, status, says) => {
    const server = await start();
    const answer = await ask(server.port, path, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(says);
  });
});

/** Sends these bytes, ends its half of the connection when asked to, and reads until the other half ends. */
async function send(port: number, bytes: string, ends: 'ends' | 'stays open'): Promise<string> {
  const socket = connectTcp(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  if (ends === 'ends') socket.end();
  let said = '';
  for await (const piece of socket) {
    said += String(piece);
    if (ends === 'stays open' && said.includes('\r\n\r\n')) break;
  }
  return said;
}

test.each([
  ['GET /v1/health HTTP/1.1\r\nHost: localhost\r\nhost: 127.0.0.1\r\n\r\n', 'one Host header'],
  [
    'POST /h/hi_1 HTTP/1.0\r\nhost: localhost\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding',
  ],
])(
  'a head that servers read in two ways is refused, and nothing after it answered',
  async (head, why) => {
    const server = await start({ endpoint: (_request, response) => void response.end('answered') });
    const next = 'POST /h/hi_2 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n';
    const said = await send(server.port, head + next, 'ends');
    expect(said).toMatch(/^HTTP\/1\.[01] 400 /);
    expect(said).toContain(why);
    expect(said).not.toContain('answered');
    expect(said.match(/HTTP\/1\.\d \d{3} /g)).toHaveLength(1);
  },
);

describe('a target in absolute form', () => {
  test.each<[string, string, string, string]>([
    ['an endpoint', 'http://a.example:80/h/hi_1/x?y=1', '127.0.0.1', '200'],
    ['an endpoint, another scheme', 'HTTPS://a.example/h/hi_1', '127.0.0.1', '200'],
    ['the API of this machine', 'http://127.0.0.1/v1/health', 'evil.example', '200'],
    [
      'the API under a foreign name, whatever Host says',
      'http://evil.example/v1/health',
      '127.0.0.1',
      '403',
    ],
  ])('%s', async (_name, target, host, status) => {
    const server = await start({
      endpoint: ({ url, headers }, response) => void response.end(`${headers.host} ${url}`),
    });
    const said = await send(
      server.port,
      `GET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
      'stays open',
    );
    expect(said).toContain(`HTTP/1.1 ${status} `);
    if (target.includes('hi_1/x')) expect(said).toContain('a.example:80 /h/hi_1/x?y=1');
  });
});

describe('a caller that has sent all and still reads', () => {
  test('gets the answer of an endpoint, however late', async () => {
    const server = await start({
      endpoint: (request, response) => {
        request.resume();
        request.socket.on('end', () => setTimeout(() => response.end('late'), 20));
      },
    });
    const said = await send(
      server.port,
      'POST /h/x HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}',
      'ends',
    );
    expect(said).toMatch(/^HTTP\/1\.1 200 [^]*late$/);
  });

  test('in the middle of a body is refused', async () => {
    const server = await start({
      endpoint: (request) => void request.on('error', () => undefined),
    });
    const said = await send(
      server.port,
      'POST /h/x HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{}',
      'ends',
    );
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('has gone for the API, which cancels what it asked for', async () => {
    let cancelled = 0;
    const server = await start({
      api: (_request, response) => void response.on('close', () => cancelled++),
    });
    const head = `GET /v1/x HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiKey}\r\n\r\n`;
    expect(await send(server.port, head, 'ends')).toBe('');
    await expect.poll(() => cancelled).toBe(1);
  });
});

describe('an offer to upgrade that nobody takes', () => {
  const offers: [string, string, string][] = [
    ['h2c at an endpoint', '/h/hi_1', 'h2c'],
    ['a WebSocket at an endpoint', '/h/hi_1', 'websocket'],
    ['a WebSocket at an endpoint, in absolute form', 'http://x/h/hi_1', 'websocket'],
    ['h2c at the API', '/v1/health', 'h2c'],
  ];
  test.each(offers)('%s', async (_name, target, protocol) => {
    let upgrades = 0;
    const echo: RequestHandler = (request, response) => void request.pipe(response);
    const server = await start({ endpoint: echo, api: echo, upgrade: () => void upgrades++ });
    const head = [
      `POST ${target} HTTP/1.1`,
      'host: localhost',
      'connection: Upgrade, HTTP2-Settings',
      `upgrade: ${protocol}`,
      'http2-settings: AAMAAABkAAQCAAAAAAIAAAAA',
      'content-length: 4',
    ];
    const said = await send(server.port, `${head.join('\r\n')}\r\n\r\nbody`, 'ends');
    expect(said).toMatch(/^HTTP\/1\.1 200 [^]*body/);
    expect(upgrades).toBe(0);
  });
});

test('an error that a handler lets through shows neither stack nor words of its own', async () => {
  const secret = new Error('password=hunter2');
  const server = await start({ api: () => Promise.reject(secret) });
  const answer = await ask(server.port, '/v1/sources', key);
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), code: 'internal' });
  expect(answer.body).not.toMatch(/hunter2|at /);
  expect(server.reported).toEqual([secret]);
});

describe('the port', () => {
  test('a free one without a wish', async () => {
    expect((await start()).port).toBeGreaterThan(0);
  });

  test('an asked one that is taken is an error that names it', async () => {
    const taken = await takenPort();
    const started = start({ port: { asked: taken, remembered: 0 } });
    await expect(started).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`Port ${taken}`),
    });
  });

  test('a remembered one is used again', async () => {
    const first = await start();
    await first.close();
    const second = await start({ port: { remembered: first.port } });
    expect(second.port).toBe(first.port);
  });

  test('a remembered one that is taken is replaced, with a warning', async () => {
    const taken = await takenPort();
    const server = await start({ port: { remembered: taken } });
    expect(server.port).not.toBe(taken);
    expect(server.warnings).toEqual([expect.stringContaining(`Port ${taken}`)]);
  });

  test('0 asks for a free one even if another is remembered', async () => {
    const first = await start();
    await first.close();
    const holder = await start({ port: { asked: first.port } });
    const server = await start({ port: { asked: 0, remembered: holder.port } });
    expect(server.warnings).toEqual([]);
  });
});

describe('a WebSocket handshake', () => {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };

  test.each<[string, string, Record<string, string>, string]>([
    ['no key', '/rpc', {}, '401'],
    ['a wrong key', '/rpc', { authorization: 'Bearer wrong' }, '401'],
    ['a web page of this machine', '/rpc', { ...key, origin: 'http://localhost:80' }, '403'],
    ['a foreign Host', '/rpc', { ...key, host: 'evil.example' }, '403'],
    ['another path', '/rpc2', key, '404'],
  ])('%s is refused', async (_name, path, headers, status) => {
    let upgrades = 0;
    const server = await start({ upgrade: () => void upgrades++ });
    const answer = await ask(server.port, path, { ...handshake, ...headers });
    expect(String(answer.status)).toBe(status);
    expect(upgrades).toBe(0);
  });
});

describe('close', () => {
  test('lets a request in flight end, and accepts no other', async () => {
    let finish: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      onTestFinished(() => finish());
      void start({
        api: (_request, response) => {
          finish = () => response.end('late');
          resolve();
        },
      }).then((server) => (started = server));
    });
    let started: Started | undefined;
    await expect.poll(() => started).toBeDefined();
    const server = started!;
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: '/v1/x',
      headers: key,
      agent,
    }).end();
    await reached;
    const closed = server.close(10_000);
    await expect(ask(server.port, '/v1/x', key)).rejects.toThrow(/ECONNREFUSED/);
    finish();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    await closed;
  });

  test('waits for nobody whose body was refused', async () => {
    const server = await start({
      // Neither the time to linger nor the grace ends.
      clock: {
        ...systemClock,
        after: (ms, callback) => (ms < 1000 ? systemClock.after(ms, callback) : () => undefined),
      },
      api: (_request, response, refuse) => refuse(response, 413, {}, 'too large'),
    });
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: '/v1/x',
      method: 'POST',
      headers: key,
      agent: false,
    });
    request.on('error', () => undefined);
    request.write('the beginning');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
    await server.close();
  });

  test('cuts off what does not end in time', async () => {
    const server = await start({ api: () => undefined });
    const socket = connectTcp(server.port, '127.0.0.1');
    socket.write(
      `GET /v1/x HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiKey}\r\n\r\n`,
    );
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const gone = once(socket, 'close');
    await server.close(50);
    await gone;
    expect(socket.destroyed).toBe(true);
  });
});
