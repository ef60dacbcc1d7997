import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { keyPath, loadKey } from '../../../../src/runtime/accounts/key-file.ts';
import { temporaryFolder } from '../../../support/folder.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

test.each([
  [{}, '/home/u/.config/weir/key'],
  [{ XDG_CONFIG_HOME: '/conf' }, '/conf/weir/key'],
  [{ XDG_CONFIG_HOME: 'relative' }, '/home/u/.config/weir/key'],
  [{ XDG_CONFIG_HOME: '' }, '/home/u/.config/weir/key'],
])('with %o the key is in %s', (env, path) => {
  expect(keyPath({ env, home: '/home/u' })).toBe(path);
});

test('is made once, for the user alone, and leaves nothing beside it', async () => {
  const first = await loadKey({ env: {}, home });
  expect(first.bytes).toHaveLength(32);
  expect(first.origin).toBe(keyPath({ env: {}, home }));
  expect((await stat(first.origin)).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(first.origin))).toEqual(['key']);
  expect((await loadKey({ env: {}, home })).bytes).toEqual(first.bytes);
});

test('many that start together share one key', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadKey({ env: {}, home })));
  expect(new Set(keys.map((key) => key.bytes.toString('hex'))).size).toBe(1);
  expect(await readdir(dirname(keys[0]!.origin))).toEqual(['key']);
});

test('WEIR_KEY goes before the file, and no file is made', async () => {
  const text = Buffer.alloc(32, 7).toString('base64');
  expect(await loadKey({ env: { WEIR_KEY: text }, home })).toEqual({
    bytes: Buffer.alloc(32, 7),
    origin: 'WEIR_KEY',
  });
  expect(await readdir(home)).toEqual([]);
});

test.each([
  '',
  'hello',
  Buffer.alloc(16).toString('base64'),
  `${'a'.repeat(43)}!`,
  'ab'.repeat(32),
])('a file that holds %j is refused by its name and kept', async (text) => {
  const path = keyPath({ env: {}, home });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await expect(loadKey({ env: {}, home })).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining(path),
  });
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('a WEIR_KEY that is none is named', async () => {
  await expect(loadKey({ env: { WEIR_KEY: 'secret' }, home })).rejects.toThrow(
    /^WEIR_KEY does not hold a key/,
  );
});

test('what cannot be read is an error, never a new key', async () => {
  const path = keyPath({ env: {}, home });
  await mkdir(path, { recursive: true });
  await expect(loadKey({ env: {}, home })).rejects.toThrow(`The key file ${path} cannot be read`);
});

test('a folder that cannot be made is named', async () => {
  await writeFile(join(home, '.config'), 'a file in the way');
  await chmod(join(home, '.config'), 0o400);
  await expect(loadKey({ env: {}, home })).rejects.toThrow(/The key file .* cannot be/);
});
