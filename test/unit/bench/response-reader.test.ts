import { describe, expect, test } from 'vitest';
import { ResponseReader } from '../../../bench/harness/response-reader.mts';

const answers = {
  'an empty body': ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200],
  'a body': ['HTTP/1.1 503 No\r\nContent-Length: 5\r\n\r\nsorry', 503],
  chunks: ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', 200],
  'no chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 200],
} as const;

describe.each(Object.entries(answers))('%s', (_, [text, status]) => {
  test('in one piece, twice', () => {
    const reader = new ResponseReader();
    expect(reader.push(Buffer.from(text))).toBe(status);
    expect(reader.push(Buffer.from(text))).toBe(status);
  });

  test('byte by byte', () => {
    const reader = new ResponseReader();
    const bytes = Buffer.from(text);
    const heard = [...bytes.keys()].map((at) => reader.push(bytes.subarray(at, at + 1)));
    expect(heard.slice(0, -1).every((answer) => answer === undefined)).toBe(true);
    expect(heard.at(-1)).toBe(status);
  });
});
