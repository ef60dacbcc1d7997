import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contentDecoder, isTooLong } from '../../../src/protocol/content-encoding.ts';

const text = 'the content, the content, the content';
const gzip = gzipSync(text);

test.for<[encoding: string, body: Buffer]>([
  ['gzip', gzip],
  ['GZip', gzip],
  ['x-gzip', gzip],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['gzip , br', brotliCompressSync(gzip)],
])('%s is undone', async ([encoding, body]) => {
  expect(String(await contentDecoder(encoding)?.(body, 1000))).toBe(text);
});

test.for(['utf-8', 'identity', 'zstd', '', 'gzip, utf-8', '__proto__', 'gzip,gzip,gzip,gzip,gzip'])(
  'no decoder for %j',
  (encoding) => {
    expect(contentDecoder(encoding)).toBeUndefined();
  },
);

test.for<[why: string, encoding: string, body: Buffer]>([
  ['another format', 'gzip', Buffer.from(text)],
  ['another format', 'br', gzip],
  ['another format', 'deflate', gzip],
  ['cut off', 'gzip', gzip.subarray(0, -9)],
  ['only the last of two', 'gzip, br', brotliCompressSync(text)],
])('%s: %s does not decode', async ([, encoding, body]) => {
  const error: unknown = await contentDecoder(encoding)?.(body, 1000).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(Error);
  expect(isTooLong(error)).toBe(false);
});

test.for<[encoding: string, bomb: Buffer]>([
  ['gzip', gzipSync(Buffer.alloc(5_000_000))],
  ['deflate', deflateSync(Buffer.alloc(5_000_000))],
  ['br', brotliCompressSync(Buffer.alloc(5_000_000))],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(5_000_000)))],
])('%s: what would be too long is not decoded to its end', async ([encoding, bomb]) => {
  const error: unknown = await contentDecoder(encoding)?.(bomb, 10_000).catch((e: unknown) => e);
  expect(isTooLong(error)).toBe(true);
});

test('what is just as long as allowed decodes', async () => {
  expect((await contentDecoder('gzip')?.(gzip, text.length))?.length).toBe(text.length);
  await expect(contentDecoder('gzip')?.(gzip, text.length - 1)).rejects.toSatisfy(isTooLong);
});
