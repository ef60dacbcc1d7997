import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerText, inBytes, prettyJson } from '../../../../src/extension/requests/answer-text.ts';
import { type Answer, keptBytes } from '../../../../src/extension/requests/send-request.ts';

function text(type: string, body: string | Uint8Array, more: Partial<Answer> = {}): string {
  const bytes = Buffer.from(body);
  const answer: Answer = {
    httpVersion: '1.1',
    status: 200,
    reason: 'OK',
    headers: type === '' ? [] : [{ name: 'Content-Type', value: type }],
    body: bytes,
    bytes: bytes.length,
    isCut: false,
    ms: 12,
    ...more,
  };
  return answerText(answer, { method: 'POST', url: 'http://127.0.0.1:1/h/hi_1/x' });
}

test('an answer as HTTP writes it, JSON on several lines', () => {
  expect(text('application/json; charset=utf-8', '{"a":[1,{}],"b":12345678901234567890}')).toBe(
    `# POST http://127.0.0.1:1/h/hi_1/x
# answered after 12 ms with 37 bytes
HTTP/1.1 200 OK
Content-Type: application/json; charset=utf-8

{
  "a": [
    1,
    {}
  ],
  "b": 12345678901234567890
}
`,
  );
});

test('what is no JSON stays as it is, and an empty body leaves no trace', () => {
  expect(text('application/json', '{"a":')).toMatch(/\n\n\{"a":\n$/);
  expect(text('text/html', '<p>\r\nhi</p>\n')).toMatch(/\n\n<p>\nhi<\/p>\n$/);
  expect(text('', '', { status: 204, reason: 'No Content' })).toMatch(
    /HTTP\/1\.1 204 No Content\n$/,
  );
});

test('what is no text is shown by its size and its first bytes', () => {
  const png = Buffer.concat([
    Buffer.from([0x89]),
    Buffer.from('PNG\r\n\x1a\n'),
    Buffer.alloc(1000),
  ]);
  const shown = text('image/png', png);
  expect(shown).toContain('(binary body of 1008 bytes; its first 256 bytes:)\n');
  expect(shown).toContain(
    '00000000  89 50 4e 47 0d 0a 1a 0a 00 00 00 00 00 00 00 00  .PNG............\n',
  );
  expect(shown.trimEnd().split('\n').length).toBe(6 + 16);
  expect(text('text/plain; charset=latin1', Buffer.from([0xe4]))).toContain('\n\nä\n');
  expect(text('text/plain', Buffer.from([0xe4]))).toContain('(binary body of 1 byte:)\n');
});

test('a large body is cut, and says so', () => {
  const kept = Buffer.from('ä'.repeat(keptBytes / 2)).subarray(0, keptBytes - 1);
  const shown = text('text/plain', kept, { isCut: true, bytes: 5 * keptBytes });
  expect(shown).toMatch(/ä\n\(cut: this is the first 1 MB of a body of 5 MB\)\n$/);
});

test('sizes', () => {
  expect([1, 1023, 1024, 1536, 1048576].map(inBytes)).toEqual([
    '1 byte',
    '1023 bytes',
    '1 KB',
    '1.5 KB',
    '1 MB',
  ]);
});

test('JSON means the same on several lines', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(prettyJson(json) ?? '')).toEqual(JSON.parse(json));
    }),
  );
  // Where nothing is lost by it, it is what JSON.stringify writes.
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});
