import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Request } from '../../../../src/extension/inspector/curl.ts';
import {
  addressOfUrl,
  addressesIn,
  endpointsOf,
  ownRequests,
  sourcesBeside,
} from '../../../../src/extension/requests/endpoint-addresses.ts';
import { parseHttpFile } from '../../../../src/extension/requests/http-file.ts';
import { chance, prepareRequest } from '../../../../src/extension/requests/prepare-request.ts';
import { savedRequest } from '../../../../src/extension/requests/saved-request.ts';
import { sampleRequest, withRequest } from '../../../../src/extension/requests/write-request.ts';
import { source } from '../make.ts';

const endpoint = 'http://127.0.0.1:4000/h/hi_a1';

function received(parts: Partial<Request> = {}): Request {
  return {
    kind: 'http',
    method: 'POST',
    url: `${endpoint}/orders`,
    path: '/orders',
    query: '',
    headers: {},
    body: '',
    body_encoding: 'utf8',
    body_bytes: 0,
    client_ip: '127.0.0.1',
    ...parts,
  } as Request;
}

test('a new file: the address, and a request to begin with', () => {
  const { text, line } = withRequest('', endpoint, 'hello', {
    ...sampleRequest,
    title: 'Say hello',
  });
  expect(text).toBe(`@endpoint = ${endpoint}

### Say hello
POST {{endpoint}}/
content-type: application/json

{
  "hello": "weir"
}
`);
  expect(text.split('\n')[line]).toBe('POST {{endpoint}}/');
});

test('another source in the same file has a variable of its own, the same source has not', () => {
  const first = withRequest('', endpoint, 'hello', { ...sampleRequest, title: 'One' }).text;
  const moved = endpoint.replace('4000', '5000');
  expect(withRequest(first, moved, 'hello', { ...sampleRequest, title: 'Two' }).text).toContain(
    '}\n\n### Two\nPOST {{endpoint}}/\n',
  );
  const other = endpoint.replace('hi_a1', 'hi_b2');
  expect(
    withRequest(first, other, 'say-hello', { ...sampleRequest, title: 'Three' }),
  ).toMatchObject({
    text: expect.stringContaining(`}\n\n### Three\n@say_hello = ${other}\nPOST {{say_hello}}/\n`),
    line: 12,
  });
});

test('what was received is written without what the connection added', async () => {
  const headers = {
    host: '127.0.0.1:4000',
    'content-length': '9',
    'content-type': 'application/json',
  };
  const saved = await savedRequest(
    received({ query: 'n=1', headers, body: '{"a": 1}\n ' }),
    'hello.inv_1.body',
  );
  // The blank end would be lost in the text.
  expect(saved.parts).toMatchObject({
    method: 'POST',
    target: '/orders?n=1',
    headers: [{ name: 'content-type', value: 'application/json' }],
    body: '< ./hello.inv_1.body',
  });
  const short = await savedRequest(received({ headers, body: '{"a": 1}' }), 'x');
  expect(short).toMatchObject({ parts: { body: '{"a": 1}' }, bodyFile: undefined });
});

test('a header that would be a comment is refused', async () => {
  await expect(savedRequest(received({ headers: { '#x': '1' } }), 'x')).rejects.toThrow(
    'A .http file has no way to write a header of this request; use Copy as cURL.',
  );
});

test('any request that is saved is sent as it was received', async () => {
  const body = fc.oneof(
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    fc
      .array(
        fc.constantFrom('###', '< ./x', '{{a}}', '@a = b', '> {%', '', ' ', '\r', '{"a":1}', '# c'),
      )
      .map((lines) => Buffer.from(lines.join('\n'))),
  );
  const value = fc.oneof(
    fc.constantFrom('application/json', 'multipart/form-data; boundary=x', 'a {{b}}'),
    fc.constant('application/x-www-form-urlencoded'),
    fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/),
  );
  const headers = fc.dictionary(
    fc.oneof(fc.constant('content-type'), fc.stringMatching(/^[!#$%&'*+.^_`|~0-9a-z-]{1,8}$/)),
    value,
    { maxKeys: 4 },
  );
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'DELETE', 'M-SEARCH'),
    path: fc.constantFrom('/', '/orders', '/a%20b/{{c}}', '//x', '/HTTP/1.1'),
    query: fc.constantFrom('', 'a=1&b=2', 'q={{x}}', '?&'),
    headers,
    body,
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ body: bytes, ...parts }) => {
      const given = received({ ...parts, body: bytes.toString('base64'), body_encoding: 'base64' });
      const saved = await savedRequest(given, 'b.body').catch(() => undefined);
      if (saved === undefined) {
        const names = Object.entries(parts.headers);
        expect(names.some(([name, text]) => /^[#&]/.test(name) || text.includes('{{'))).toBe(true);
        return;
      }
      const before = 'GET http://example.com\n\nbody';
      const { text, line } = withRequest(before, endpoint, 'hello', saved.parts);
      const file = parseHttpFile(text);
      const written = file.requests.find((one) => one.line === line);
      if (written === undefined) throw new Error(text);
      const sent = await prepareRequest(file, written, { ...chance, now: Date.now }, async () => {
        return saved.bodyFile ?? Buffer.of();
      });
      const { hostname, pathname } = new URL(sent.url);
      expect(hostname).toBe('127.0.0.1');
      expect(decodeURI(pathname)).toBe(
        decodeURI(`/h/hi_a1${parts.path === '/' ? '' : parts.path}`),
      );
      expect(sent.method).toBe(parts.method);
      expect(Buffer.from(sent.body)).toEqual(bytes);
    }),
  );
});

test('an address counts where a request is made of it, and only there', () => {
  const text = `@endpoint = ${endpoint}\n# ${endpoint}\nPOST ${endpoint}/x?y\nreferer: ${endpoint}\n\n${endpoint}\n`;
  expect(addressesIn(text)).toEqual([
    { url: endpoint, id: 'hi_a1', line: 0, from: 12, to: 12 + endpoint.length },
    { url: endpoint, id: 'hi_a1', line: 2, from: 5, to: 5 + endpoint.length },
  ]);
  expect(addressOfUrl('https://t.dev/weir/h/hi_a1/x')).toEqual({
    url: 'https://t.dev/weir/h/hi_a1',
    id: 'hi_a1',
  });
  expect(addressOfUrl('https://t.dev/about')).toBeUndefined();
});

test('ours are endpoints of this machine, and those that are known elsewhere', () => {
  const file = parseHttpFile(
    [
      '@host = http://localhost:1',
      'GET {{host}}/h/hi_1',
      '###',
      'GET https://t.dev/h/hi_2',
      '###',
      'GET https://example.com/h/hi_3',
      '###',
      'GET {{host}}/v1/sources',
      '###',
      'GET {{unknown}}/h/hi_1',
    ].join('\n'),
  );
  const known = new Map([['hi_2', { url: 'https://t.dev/h/hi_2' }]]);
  expect(ownRequests(file, known).map(({ line }) => line)).toEqual([1, 3]);
});

test('every endpoint of a source is its own, and a file is beside its component', () => {
  const hello = source({
    path: '/w/hello.ts',
    endpoint_url: endpoint,
    configured_props: {
      http: { endpoint_url: endpoint },
      other: { endpoint_url: 'http://x/h/hi_2' },
    },
  });
  expect([...endpointsOf([hello]).keys()]).toEqual(['hi_a1', 'hi_2']);
  expect(sourcesBeside('/w/hello.http', [hello])).toEqual([hello]);
  expect(sourcesBeside('/w/sub/hello.http', [hello])).toEqual([]);
});
