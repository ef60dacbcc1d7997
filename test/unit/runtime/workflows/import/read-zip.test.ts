import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { expect, test } from 'vitest';
import { readZip } from '../../../../../src/runtime/workflows/import/read-zip.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const { signal } = new AbortController();

async function read(bytes: Uint8Array) {
  const file = join(temporaryFolder(), 'some.zip');
  await writeFile(file, bytes);
  return readZip(file, temporaryFolder(), signal);
}

/** A ZIP whose directory and local headers say another size. */
function lying(files: Zippable, size: number): Uint8Array {
  const bytes = Buffer.from(zipSync(files));
  for (let at = 0; at < bytes.length - 30; at += 1) {
    if (bytes.readUInt32LE(at) === 0x02014b50) bytes.writeUInt32LE(size, at + 24);
    if (bytes.readUInt32LE(at) === 0x04034b50) bytes.writeUInt32LE(size, at + 22);
  }
  return bytes;
}

test('files are unpacked, packed or stored, empty, and beneath folders', async () => {
  const files: Zippable = {
    'a.txt': strToU8('a'.repeat(1000)),
    'deep/b.txt': [strToU8('b'), { level: 0 }],
    'deep/empty': new Uint8Array(),
    '__MACOSX/x': strToU8('x'),
    'folder/': new Uint8Array(),
  };
  const found = await read(zipSync(files));
  expect([...found.keys()].sort()).toEqual(['a.txt', 'deep/b.txt', 'deep/empty']);
  const text = async (path: string) => readFile(found.get(path)?.file ?? '', 'utf8');
  expect(await text('a.txt')).toBe('a'.repeat(1000));
  expect(await text('deep/b.txt')).toBe('b');
  expect(found.get('deep/empty')?.size).toBe(0);
});

const large = strToU8('0'.repeat(30_000_000));

test.each([
  ['a directory with too small a size', lying({ a: large }, 10), 'larger than its directory says'],
  ['a directory with too large a size', lying({ a: strToU8('abc') }, 100), 'is cut off'],
  ['a size of nothing', lying({ a: large }, 0), 'larger than its directory says'],
  ['no ZIP', strToU8('PK, says the text'), 'its end is missing'],
  ['a ZIP that is cut off', zipSync({ a: large, b: large }).slice(2000), 'cut off'],
  [
    'a file and a folder of one name',
    zipSync({ a: large, 'a/b': strToU8('b') }),
    'a file and a folder',
  ],
  ['a path that leads elsewhere', zipSync({ '../a': strToU8('a') }), 'leads elsewhere'],
  ['a path with backslashes', zipSync({ '..\\a': strToU8('a') }), 'leads elsewhere'],
])('%s is refused', async (_, bytes, why) => {
  await expect(read(bytes)).rejects.toThrow(why);
});

test('more than 512 MB are not unpacked, and memory stays as it was', async () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, large]));
  const before = process.memoryUsage().rss;
  let most = 0;
  let last = performance.now();
  let stopped = 0;
  const bytes = zipSync(files, { level: 1 });
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
    stopped = Math.max(stopped, performance.now() - last);
    last = performance.now();
  }, 20);
  last = performance.now();
  await expect(read(bytes)).rejects.toThrow('512 MB');
  clearInterval(timer);
  expect(most - before).toBeLessThan(200 * 1024 * 1024);
  expect(stopped).toBeLessThan(3000);
}, 120_000);
