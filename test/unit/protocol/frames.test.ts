import { expect, test } from 'vitest';
import { encodeFrame, FrameReader, FrameTooLong } from '../../../src/protocol/frames.ts';
import { decode } from '../../../src/protocol/message-pack/decode.ts';

const messages = [
  { q: 1, m: [{ t: 'ready' }] },
  { q: 2, m: [{ text: 'é漢😀', bytes: Buffer.from([0, 1, 255]) }] },
  { q: 3, m: ['x'.repeat(70_000)] },
];
const bytes = Buffer.concat(messages.map(encodeFrame));

test.each([1, 3, 4, 5, 1000, bytes.length])('comes whole out of chunks of %d bytes', (size) => {
  const reader = new FrameReader(100_000);
  const bodies: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    reader.push(bytes.subarray(at, at + size), (body) => bodies.push(body));
  }
  expect(bodies.map((body) => decode(body))).toEqual(messages);
});

test('a length that is too long is refused before anything of the frame is kept', () => {
  const reader = new FrameReader(1000);
  const bodies: Buffer[] = [];
  const chunk = Buffer.concat([encodeFrame('before'), Buffer.from([0x7f, 0xff, 0xff, 0xff])]);
  expect(() => reader.push(chunk, (body) => bodies.push(body))).toThrow(FrameTooLong);
  expect(bodies.map((body) => decode(body))).toEqual(['before']);
});
