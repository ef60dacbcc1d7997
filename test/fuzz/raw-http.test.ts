/** Bytes on the port of the endpoints: whatever they are, the next request is answered. */
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { holds } from '../support/holds.ts';
import { useRuntime } from '../support/runtime.ts';
import { ask, expectServing, unlessGone } from './support/served.ts';

const runtime = useRuntime();
let endpoint: URL;

beforeAll(async () => {
  const path = await runtime.file(
    'answers.mjs',
    `export default { name: 'Answers', props: { http: { type: '$.interface.http', customResponse: true } }, run({ body }) { this.http.respond({ status: 200, body: body ?? null }); } }`,
  );
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  endpoint = new URL(source.endpoint_url!);
});

const lines = fc.constantFrom(
  'Content-Length: 4',
  'Content-Length: 0',
  'Content-Length: -1',
  'Content-Length: 4, 4',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Trailer: x-a',
  'TE: trailers',
  'Connection: close',
  'Connection: upgrade',
  'Connection: keep-alive, x-a',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'HTTP2-Settings: AAMAAABk',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Extensions: permessage-deflate',
  'Expect: 100-continue',
  'Expect: nonsense',
  'Host: example.test',
  'Host: a, b',
  'Host:',
  'Content-Encoding: gzip',
  'Content-Encoding: br',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: multipart/form-data',
  'Content-Type: application/json',
  'Content-Type: ',
  'Content-Type: text/plain; charset=utf-16',
  'x-pd-upload-body: 1',
  'x-pd-notrigger: 1',
  'x-pd-nostore: 1',
  'x-forwarded-for: ,',
  'x-forwarded-proto: https',
  'x-a: b',
  ' folded',
  'x-a : b',
  ': b',
  '__proto__: x',
  'constructor: x',
  'x-é: ü',
  `x-long: ${'y'.repeat(9000)}`,
  'Authorization: Bearer wrong',
  'Origin: null',
  'Range: bytes=0-',
  'Cookie: a=b',
  'Set-Cookie: a',
  'Set-Cookie: b',
);
const bodies = fc.oneof(
  fc.constantFrom(
    '',
    'body',
    '4\r\nbody\r\n0\r\n\r\n',
    '0\r\n\r\n',
    'ffffffffffffffff\r\n',
    '4;a=b\r\nbody\r\n0\r\nx-a: b\r\n\r\n',
    '--x\r\n\r\n--x--',
    '{"a":1}',
  ),
  fc.string({ unit: 'binary-ascii' }),
);
const request = fc
  .record({
    method: fc.constantFrom(
      'GET',
      'POST',
      'PUT',
      'HEAD',
      'DELETE',
      'OPTIONS',
      'CONNECT',
      'TRACE',
      'PRI',
      'get',
      'M-SEARCH',
    ),
    target: fc.constantFrom(
      'ENDPOINT',
      'ENDPOINT/a?b=c',
      'ENDPOINT?pipedream_upload_body=1',
      '/',
      '*',
      '/h/',
      '/h//',
      '/h/hi_none',
      '/rpc',
      '/v1/health',
      '/v1/sources/x/sse',
      '//',
      'http://h/h/x',
      'http://',
      '/h/%00',
      '/h/\u00ff',
      '/h/../v1',
      '?',
      '#',
      'ENDPOINT#a',
      'hi_x:443',
    ),
    version: fc.constantFrom(
      'HTTP/1.1',
      'HTTP/1.1',
      'HTTP/1.1',
      'HTTP/1.0',
      'HTTP/2.0',
      'HTTP/9.9',
      '',
    ),
    headers: fc.array(lines, { maxLength: 6 }),
    body: bodies,
  })
  .map(({ method, target, version, headers, body }) =>
    [`${method} ${target} ${version}`, 'Host: 127.0.0.1', ...headers, '', body].join('\r\n'),
  );

interface Mutation {
  readonly at: number;
  readonly remove: number;
  readonly put: string;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 400 }),
  remove: fc.nat({ max: 4 }),
  put: fc.oneof(
    fc.constantFrom('', '\r', '\n', '\r\n', '\r\n\r\n', ' ', ':', '\0', '\u007f', '\u00ff'),
    fc.string({ unit: 'binary-ascii', maxLength: 4 }),
  ),
});
/** Several requests in a row too, as a caller that does not wait for answers sends them. */
const bytes = fc
  .tuple(fc.array(request, { minLength: 1, maxLength: 3 }), fc.array(mutation, { maxLength: 3 }))
  .map(([requests, mutations]) =>
    mutations.reduce(
      (text, { at, remove, put }) => text.slice(0, at) + put + text.slice(at + remove),
      requests.join(''),
    ),
  );
const ends = fc.constantFrom('waits', 'half-closes', 'resets');

test('any bytes on the port, and the next request is answered', async () => {
  await holds(
    fc.asyncProperty(
      bytes,
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
      ends,
      async (text, cuts, end) => {
        await unlessGone(runtime);
        const answered = await send(text.replaceAll('ENDPOINT', endpoint.pathname), cuts, end);
        expect(answered).toMatch(/^(?:$|HTTP\/1\.1 )/);
        expect(answered).not.toMatch(/^HTTP\/1\.1 5(?!03)/);
        const next = await ask(
          endpoint,
          { method: 'POST', headers: { 'content-type': 'application/json' } },
          '{"a":1}',
        );
        expect([next.status, String(next.body)]).toEqual([200, '{"a":1}']);
        await expectServing(runtime);
      },
    ),
    150,
  );
});

/** Resolves with what came, when the connection has ended or nothing comes any more. */
async function send(
  text: string,
  cuts: readonly number[],
  end: 'waits' | 'half-closes' | 'resets',
): Promise<string> {
  const socket = connect({ port: Number(endpoint.port), host: endpoint.hostname });
  let answered = '';
  let quiet: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    const wait = (ms: number): void => {
      clearTimeout(quiet);
      quiet = setTimeout(resolve, ms);
    };
    wait(400);
    socket.on('data', (piece: Buffer) => {
      answered += piece.toString('latin1');
      wait(50);
    });
    socket.on('close', () => resolve());
    // It may be reset in the middle of what is sent.
    socket.on('error', () => resolve());
  });
  let rest = Buffer.from(text, 'latin1');
  for (const length of cuts) {
    socket.write(rest.subarray(0, length));
    rest = rest.subarray(length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (end === 'half-closes') socket.end(rest);
  else socket.write(rest);
  if (end === 'resets') socket.resetAndDestroy();
  await over;
  clearTimeout(quiet);
  socket.destroy();
  return answered;
}
