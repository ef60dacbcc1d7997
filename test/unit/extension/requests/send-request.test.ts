import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/extension/clock.ts';
import type { PreparedRequest } from '../../../../src/extension/requests/prepare-request.ts';
import { keptBytes, sendRequest } from '../../../../src/extension/requests/send-request.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const never = new AbortController().signal;

function send(url: string, parts: Partial<PreparedRequest> = {}, signal = never) {
  const request = { method: 'GET', url, headers: [], body: Buffer.of(), timeoutMs: undefined };
  return sendRequest({ ...request, ...parts }, systemClock, signal);
}

test('what is written is sent, and nothing is followed', async () => {
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(302, 'Elsewhere', { location: '/other', 'X-Two': ['1', '2'] });
      const { method, rawHeaders } = request;
      response.end(
        JSON.stringify({ method, rawHeaders, body: Buffer.concat(chunks).toString('hex') }),
      );
    });
  });
  const headers = [
    { name: 'X-One', value: 'a' },
    { name: 'x-one', value: 'b' },
    { name: 'Content-Length', value: '99' },
  ];
  const answer = await send(url, { method: 'DELETE', headers, body: Buffer.from([0, 255]) });
  expect(answer).toMatchObject({
    status: 302,
    reason: 'Elsewhere',
    httpVersion: '1.1',
    isCut: false,
  });
  expect(answer.headers).toContainEqual({ name: 'X-Two', value: '2' });
  const seen = JSON.parse(Buffer.from(answer.body).toString());
  expect(seen).toMatchObject({ method: 'DELETE', body: '00ff' });
  expect(seen.rawHeaders.join('|')).toContain('X-One|a|X-One|b');
  expect(seen.rawHeaders.join('|').toLowerCase()).toContain('content-length|2');
});

test('a body is decoded; of a large one the beginning is kept', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(keptBytes * 3));
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
  });
  expect(Buffer.from((await send(url)).body).toString()).toBe('packed');
  const large = await send(`${url}large`);
  expect([large.body.length, large.bytes, large.isCut]).toEqual([keptBytes, keptBytes * 3, true]);
});

test('waiting can be cancelled, and has an end', async () => {
  const url = await serve(() => undefined);
  const abort = new AbortController();
  const cancelled = send(url, {}, abort.signal);
  abort.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  await expect(send(url, { timeoutMs: 50 })).rejects.toMatchObject({
    code: 'runtime_unavailable',
    message: expect.stringMatching(/did not answer within 0\.05 s; "# @timeout 1200"/),
  });
});

test('nobody there, half an answer, and headers that HTTP does not take are errors', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 10 });
    response.write('half');
    setImmediate(() => response.destroy());
  });
  await expect(send('http://127.0.0.1:1/')).rejects.toThrow(
    /http:\/\/127\.0\.0\.1:1\/: .*ECONNREFUSED/,
  );
  await expect(send(url)).rejects.toMatchObject({ code: 'runtime_unavailable' });
  await expect(send(url, { headers: [{ name: 'a b', value: '' }] })).rejects.toThrow(
    'The header "a b" has characters that HTTP does not take.',
  );
});
