import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeInside } from '../../../../src/runtime/base/write-inside.ts';
import { Uploads } from '../../../../src/runtime/server/uploads/uploads.ts';
import { writeFiles } from '../../../../src/runtime/workflows/import/write-files.ts';
import { writePin } from '../../../../src/runtime/workflows/lifecycle/pins.ts';
import { writeTest } from '../../../../src/runtime/api/operations/test-files.ts';
import { temporaryFolder } from '../../../support/folder.ts';

/** A folder with links into another one, which holds `keep.txt`. */
async function linked() {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  await writeFile(join(outside, 'keep.txt'), 'kept');
  await mkdir(join(root, 'own'));
  await symlink(outside, join(root, 'link'));
  await symlink(join(outside, 'keep.txt'), join(root, 'file'));
  await symlink(join(outside, 'new.txt'), join(root, 'dangling'));
  await symlink(join(root, 'own'), join(root, 'inner'));
  await symlink('../link', join(root, 'own', 'twice'));
  return { root, outside, kept: () => readFile(join(outside, 'keep.txt'), 'utf8') };
}

test.each([
  'link/a.txt',
  'link/deep/a.txt',
  'file',
  'dangling',
  'own/twice/a.txt',
  'inner/twice/b',
  '../x',
  '.',
])('%s does not leave its folder', async (path) => {
  const { root, outside, kept } = await linked();
  await expect(writeInside(root, path, 'x')).rejects.toMatchObject({ code: 'bad_input' });
  expect(await kept()).toBe('kept');
  expect(existsSync(join(outside, 'a.txt')) || existsSync(join(outside, 'new.txt'))).toBe(false);
});

test('a link that stays in the folder is followed, and so is one that leads to the folder', async () => {
  const { root } = await linked();
  await writeInside(root, 'inner/a.txt', 'x');
  expect(await readFile(join(root, 'own', 'a.txt'), 'utf8')).toBe('x');
  const way = join(temporaryFolder(), 'way');
  await symlink(root, way);
  await writeInside(way, join(way, 'new/b.txt'), 'y');
  expect(await readFile(join(root, 'new', 'b.txt'), 'utf8')).toBe('y');
});

test('a file and a folder of one name are told apart', async () => {
  const { root } = await linked();
  await expect(writeInside(root, 'own', 'x')).rejects.toMatchObject({ code: 'conflict' });
  await writeInside(root, 'own/a', 'x');
  await expect(writeInside(root, 'own/a/b', 'x')).rejects.toMatchObject({ code: 'conflict' });
});

test('uploads neither write through a link nor remove files behind it', async () => {
  const { root, outside, kept } = await linked();
  const uploads = new Uploads(root);
  const project = 'project';
  await mkdir(join(root, project));
  await symlink(outside, join(root, project, 'link'));
  const content = Buffer.from('x');
  const file = {
    path: 'link/a.txt',
    hash: createHash('sha256').update(content).digest('hex'),
    content: content.toString('base64'),
  };
  const { signal } = new AbortController();
  const put = uploads.put({ project, files: [file], folders: ['link'] }, signal);
  await expect(put).rejects.toMatchObject({ code: 'bad_input' });
  await uploads.put({ project, files: [], folders: ['link'] }, signal);
  expect([await kept(), existsSync(join(outside, 'a.txt'))]).toEqual(['kept', false]);
});

test('imported files, pins and saved tests are not written through a link', async () => {
  const { root, outside } = await linked();
  const files = new Map([
    ['fine.txt', 'x'],
    ['link/a.txt', 'x'],
  ]);
  const refused = { code: 'bad_input' };
  await expect(writeFiles(root, files, { replace: true })).rejects.toMatchObject(refused);
  expect(existsSync(join(root, 'fine.txt'))).toBe(false);
  await expect(writePin(root, 'link', 'p', {}, true)).rejects.toMatchObject(refused);
  await symlink(outside, join(root, 'tests'));
  const made = { file: join(root, 'tests', 'a.test.yaml'), text: '', hidden: [], recorded: [] };
  await expect(writeTest(made, '0', true)).rejects.toMatchObject(refused);
  expect(existsSync(join(outside, 'a.test.yaml')) || existsSync(join(outside, 'pins'))).toBe(false);
});
