import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpFile, requestAt } from '../../../../src/extension/requests/http-file.ts';

const only = (text: string) => {
  const [request, another] = parseHttpFile(text).requests;
  expect(another).toBeUndefined();
  return request;
};

test('a file as REST clients know it', () => {
  const text = [
    '@host = http://127.0.0.1:1',
    '@endpoint = {{host}}/h/hi_1',
    '',
    '### Order',
    '# of a customer',
    'POST {{endpoint}}/orders HTTP/1.1',
    '    ?shop=lisbon',
    '    &n=1',
    'Content-Type: application/json',
    '// as JSON',
    'X-Empty:',
    '',
    '{',
    '  "# no": "comment"',
    '}',
    '',
    '###',
    '',
    'http://example.com/a b',
    '',
  ].join('\n');
  const file = parseHttpFile(text);
  expect(file.variables).toEqual([
    { name: 'host', value: 'http://127.0.0.1:1', line: 0 },
    { name: 'endpoint', value: '{{host}}/h/hi_1', line: 1 },
  ]);
  expect(file.requests).toMatchObject([
    {
      name: 'Order',
      method: 'POST',
      url: '{{endpoint}}/orders?shop=lisbon&n=1',
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Empty', value: '' },
      ],
      body: [{ text: '{' }, { text: '  "# no": "comment"' }, { text: '}' }],
      line: 5,
      from: 3,
      to: 16,
      problem: undefined,
    },
    { name: undefined, method: 'GET', url: 'http://example.com/a b', line: 18 },
  ]);
  expect(requestAt(file, 13)).toBe(file.requests[0]);
  expect(requestAt(file, 17)).toBe(file.requests[1]);
  expect(requestAt(file, 1)).toBeUndefined();
  // With the line ends of Windows it is the same file.
  expect(parseHttpFile(text.replaceAll('\n', '\r\n'))).toEqual(file);
});

test('a first request needs no separator', () => {
  expect(only('# @name one\n# @timeout 2 m\nput http://x/\n')).toMatchObject({
    name: 'one',
    method: 'PUT',
    timeoutMs: 120_000,
  });
});

test('files stand for lines of a body; XML does not look like one', () => {
  expect(only('POST http://x\n\n<a>\n< ./b.bin\n<@ ./c.json\n</a>')?.body).toEqual([
    { text: '<a>' },
    { file: './b.bin', replaces: false },
    { file: './c.json', replaces: true },
    { text: '</a>' },
  ]);
});

describe('what cannot be sent says which line', () => {
  test.each([
    ['no header', 'GET http://x\nno header', /^Line 2 is not a header/],
    ['a script', 'GET http://x\n\n> {% client.log(1) %}', /^Line 3 is for a REST client that runs/],
    ['a script before', '< {% request %}\nGET http://x', /^Line 1 is for a REST client that runs/],
    ['a file for the answer', 'GET http://x\n\n>>! out.json', /^Line 3 is for a REST client that/],
    ['a charset', 'POST http://x\n\n<@latin1 ./a', /^Line 3 reads a file as latin1/],
  ])('%s', (_, text, problem) => {
    expect(only(text)?.problem).toMatch(problem);
  });
});

test('any text is read to its end: each line once, requests in their order', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '###',
      '### a',
      '',
      '@a = {{b}}',
      '# @name x',
      'GET http://x',
      '< ./f',
      ' ?a=1',
    ),
    fc.constantFrom('> {% %}', '{{', 'a: b', 'POST', '//', '#### ', '<@x y', '{"a":1}'),
    fc.string(),
    fc.string({ unit: 'binary' }),
  );
  const text = fc
    .array(line)
    .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
  fc.assert(
    fc.property(text, (written) => {
      const { lines, requests } = parseHttpFile(written);
      expect(lines.length).toBe(written.split(/\r?\n/).length);
      let end = 0;
      for (const { from, line: at, to } of requests) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(at).toBeGreaterThanOrEqual(from);
        expect(to).toBeGreaterThan(at);
        expect(lines[at]).toBe('request');
        end = to;
      }
      expect(end).toBeLessThanOrEqual(lines.length);
    }),
  );
});
