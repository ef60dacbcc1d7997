import { expect, test } from 'vitest';
import {
  decodeFrame,
  encodeFrame,
  FrameReader,
  FrameTooLong,
} from '../../../src/protocol/frames.ts';

const messages = [
  { q: 1, m: [{ t: 'ready' }] },
  { q: 2, m: [{ text: 'é漢😀', bytes: new Uint8Array([0, 1, 255]) }] },
  { q: 3, m: ['x'.repeat(70_000)] },
];
const bytes = Buffer.concat(messages.map(encodeFrame));

test.each([1, 3, 4, 5, 1000, bytes.length])('comes whole out of chunks of %d bytes', (size) => {
  const reader = new FrameReader(100_000);
  const bodies: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    reader.push(bytes.subarray(at, at + size), (body) => bodies.push(body));
  }
  // What is read as a view of Node's pool is compared by its bytes.
  expect(JSON.stringify(bodies.map(decodeFrame))).toBe(JSON.stringify(messages));
});

test('a length that is too long is refused before anything of the frame is kept', () => {
  const reader = new FrameReader(1000);
  const bodies: Buffer[] = [];
  const chunk = Buffer.concat([encodeFrame('before'), Buffer.from([0x7f, 0xff, 0xff, 0xff])]);
  expect(() => reader.push(chunk, (body) => bodies.push(body))).toThrow(FrameTooLong);
  expect(bodies.map(decodeFrame)).toEqual(['before']);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('{"q":1}')],
  ['half a message', encodeFrame(messages).subarray(4, 40)],
])('%s is no message', (_name, body) => {
  expect(() => decodeFrame(body)).toThrow(Error);
});
