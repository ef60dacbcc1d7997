import { createServer, type RequestListener, type Server } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { failureOfThrown } from '../../../../../src/runtime/events/delivery/failure.ts';
import { createSender, type Sender } from '../../../../../src/runtime/events/delivery/send.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function sender(timeoutMs = 5000): Sender {
  const made = createSender(timeoutMs);
  closing.push(() => made.close());
  return made;
}

async function listening(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`;
}

const http = (listener: RequestListener) => listening(createServer(listener));
const tcp = (connected: (socket: Socket) => void) =>
  listening(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      connected(socket);
    }),
  );

const to = (url: string, body = '{"a":1}') => ({
  method: 'POST',
  url,
  headers: { 'x-test': 'yes' },
  body,
});

test('posts the body byte for byte and brings back status, headers and body', async () => {
  const seen: unknown[] = [];
  const url = await http((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push([
        request.method,
        request.url,
        request.headers['x-test'],
        Buffer.concat(chunks).toString(),
      ]);
      response.writeHead(201, { 'x-a': ['1', '2'] }).end('thanks');
    });
  });
  const sent = await sender().send(to(url, '{"ü":"🔑"}'));
  expect(seen).toEqual([['POST', '/hook?a=1', 'yes', '{"ü":"🔑"}']]);
  expect(sent).toMatchObject({
    answer: { status: 201, headers: { 'x-a': '1, 2' }, body: 'thanks' },
    failure: undefined,
  });
  expect(sent!.totalMs).toBeGreaterThan(0);
});

test('each step is timed; an open connection needs neither a name nor a handshake', async () => {
  const url = await http((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  const post = sender();
  const byName = url.replace('127.0.0.1', 'localhost');
  const first = (await post.send(to(byName)))!.phases;
  expect(first).toEqual({
    dns: expect.any(Number),
    connect: expect.any(Number),
    tls: null,
    firstByte: expect.any(Number),
  });
  // A connection becomes free a moment after its answer has ended.
  await post.send(to(byName));
  const again = (await post.send(to(byName)))!;
  expect(again.phases).toEqual({
    ...first,
    dns: null,
    connect: null,
    firstByte: expect.any(Number),
  });
  const { dns, connect, firstByte } = first;
  expect(dns! + connect! + firstByte!).toBeGreaterThan(0);
  const refused = await post.send(to('http://127.0.0.1:9/'));
  expect(refused!.phases).toEqual({ dns: null, connect: null, tls: null, firstByte: null });
});

describe('interim answers', () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
  const ok = { answer: { status: 200, body: 'ok' }, failure: undefined };

  /** Answers each request with these pieces, apart from each other. */
  const inPieces = (...pieces: string[]) =>
    tcp((socket) => {
      socket.setNoDelay(true);
      socket.on('data', async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      });
    });

  test.for<[string, ...string[]]>([
    ['100 by itself', goOn, answer],
    ['100 with the answer', goOn + answer],
    ['100 without a reason', `HTTP/1.1 100\r\n\r\n${answer}`],
    ['several, with headers', `HTTP/1.1 102 P\r\na: b\r\n\r\n${goOn}${goOn}${answer}`],
    ['103 before 100', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', goOn, answer],
    ['cut anywhere', ...Array.from(goOn + answer)],
  ])('%s: the answer that follows counts, also of the next request', async ([, ...pieces]) => {
    const url = await inPieces(...pieces);
    const post = sender();
    for (let i = 0; i < 3; i++) expect(await post.send(to(url))).toMatchObject(ok);
  });

  test('what looks like one within a body is body', async () => {
    const url = await inPieces(`HTTP/1.1 200 OK\r\ncontent-length: ${goOn.length}\r\n\r\n`, goOn);
    const sent = await sender().send(to(url));
    expect(sent).toMatchObject({ answer: { status: 200, body: goOn }, failure: undefined });
  });

  test.for([goOn, 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'])(
    'without an answer that follows it is not an answer in time: %j',
    async (piece) => {
      const sent = await sender(100).send(to(await inPieces(piece)));
      expect(sent).toMatchObject({ answer: null, failure: { class: 'timeout' } });
    },
  );
});

test('connections are used again', async () => {
  const ports = new Set<number | undefined>();
  const url = await http((request, response) => {
    ports.add(request.socket.remotePort);
    request.resume().on('end', () => response.end('ok'));
  });
  const post = sender();
  for (let i = 0; i < 20; i++) await post.send(to(url));
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('of a long answer the first 20 KB are kept, whole characters only, and the next one goes out', async () => {
  const url = await http((request, response) => {
    request.resume().on('end', () => response.end(`x${'ü'.repeat(500_000)}`));
  });
  const post = sender();
  for (let i = 0; i < 2; i++) {
    const sent = await post.send(to(url));
    expect(Buffer.byteLength(sent!.answer!.body)).toBe(20 * 1024 - 1);
    expect(sent!.answer!.body).toMatch(/^xü+$/);
  }
});

describe('failures', () => {
  test('a redirect is not followed and says where it points', async () => {
    let requests = 0;
    const url = await http((_request, response) => {
      requests++;
      response.writeHead(302, { location: 'http://elsewhere/' }).end();
    });
    const sent = await sender().send(to(url));
    expect(sent!.failure).toEqual({
      class: 'redirect',
      message:
        'The target answered 302, a redirect to http://elsewhere/. Redirects are not followed; give the webhook the final URL.',
    });
    expect(requests).toBe(1);
  });

  test('a status', async () => {
    const url = await http((_request, response) => response.writeHead(500).end('broken'));
    expect(await sender().send(to(url))).toMatchObject({
      answer: { status: 500, body: 'broken' },
      failure: { class: 'status', message: 'The target answered 500.' },
    });
  });

  test('nothing listens', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const sent = await sender().send(to(`http://127.0.0.1:${port}/`));
    expect(sent).toMatchObject({
      answer: null,
      failure: {
        class: 'refused',
        message: `Nothing listens at 127.0.0.1:${port} (ECONNREFUSED).`,
      },
    });
  });

  test('no such host', async () => {
    const sent = await sender().send(to('http://no-such-host.invalid/'));
    expect(sent!.failure).toMatchObject({ class: 'dns' });
    expect(sent!.failure!.message).toContain('no-such-host.invalid could not be found');
  });

  test('closed before an answer', async () => {
    const url = await tcp((socket) => socket.once('data', () => socket.destroy()));
    expect((await sender().send(to(url)))!.failure).toMatchObject({ class: 'reset' });
  });

  test('no answer in time', async () => {
    const url = await http(() => {});
    const sent = await sender(100).send(to(url));
    expect(sent!.failure).toMatchObject({ class: 'timeout' });
    expect(sent!.totalMs).toBeGreaterThanOrEqual(95);
  });

  test('https to a target that does not speak it', async () => {
    const url = await tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    const sent = await sender().send(to(url.replace('http:', 'https:')));
    expect(sent!.failure).toMatchObject({ class: 'tls' });
  });

  test('an answer that is no HTTP', async () => {
    const url = await tcp((socket) => socket.once('data', () => socket.end('hello\r\n\r\n')));
    expect((await sender().send(to(url)))!.failure).toMatchObject({ class: 'network' });
  });

  test.each([
    ['CERT_HAS_EXPIRED', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['EAI_AGAIN', 'dns'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['EHOSTUNREACH', 'network'],
    ['EPIPE', 'reset'],
  ])('%s is %s', (code, expected) => {
    const error = Object.assign(new Error('x'), { code });
    const wrapped = [error, new Error('outer', { cause: error }), new AggregateError([error])];
    const classes = wrapped.map((thrown) => failureOfThrown(thrown, new URL('http://a')).class);
    expect(classes).toEqual([expected, expected, expected]);
  });
});

test('an answer whose body never ends counts by its status', async () => {
  const url = await http((_request, response) => {
    response.writeHead(200);
    response.write('started');
  });
  const sent = await sender(200).send(to(url));
  expect(sent).toMatchObject({ answer: { status: 200, body: 'started' }, failure: undefined });
});

test('close cuts off what is in flight', async () => {
  let arrived: () => void = () => {};
  const waiting = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const url = await http(() => arrived());
  const post = createSender(30_000);
  const sent = post.send(to(url));
  await waiting;
  await post.close();
  expect(await sent).toBeUndefined();
});
