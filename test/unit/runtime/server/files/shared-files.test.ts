import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SharedFiles } from '../../../../../src/runtime/server/files/shared-files.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test('a file can be fetched for half an hour, then it is gone; what lay elsewhere stays there', async () => {
  const folder = temporaryFolder();
  const clock = new FakeClock();
  let ids = 0;
  const files = new SharedFiles({
    folder: join(folder, 'files'),
    clock,
    newId: () => `file_${(ids += 1)}`,
    url: (id) => `http://weir/h/${id}`,
  });
  await files.open();
  const elsewhere = join(folder, 'elsewhere.txt');
  await writeFile(elsewhere, 'x');
  const about = { of: 'file', contentType: 'text/plain' } as const;
  const kept = await files.answer({ ...about, filename: '../up/a.txt', content: Buffer.from('a') });
  const shared = await files.answer({ ...about, filename: 'b.txt', content: elsewhere });
  expect([kept, shared]).toEqual(['http://weir/h/file_1', 'http://weir/h/file_2']);
  expect(files.get('file_1')).toEqual({
    path: join(folder, 'files', 'file_1'),
    filename: 'a.txt',
    contentType: 'text/plain',
  });
  expect(files.get('file_2')?.path).toBe(elsewhere);
  expect(clock.waits).toEqual([1_800_000, 1_800_000]);

  clock.pass(1_800_000);
  expect([files.get('file_1'), files.get('file_2')]).toEqual([undefined, undefined]);
  await expect.poll(() => readdir(join(folder, 'files'))).toEqual([]);
  expect(await readdir(folder)).toEqual(['elsewhere.txt', 'files']);
});
