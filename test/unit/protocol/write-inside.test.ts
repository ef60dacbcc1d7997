import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAuthorTypes } from '../../../src/client/author-types.ts';
import { writeStepTypes } from '../../../src/extension/workflow-text/write-step-types.ts';
import { requireNamed, writeInside, writeNamed } from '../../../src/protocol/write-inside.ts';
import { RegistrySources } from '../../../src/runtime/registry/registry-sources.ts';
import { Uploads } from '../../../src/runtime/server/uploads/uploads.ts';
import { writeFiles } from '../../../src/runtime/workflows/import/write-files.ts';
import { writePin } from '../../../src/runtime/workflows/lifecycle/pins.ts';
import { writeTest } from '../../../src/runtime/api/operations/test-files.ts';
import { temporaryFolder } from '../../support/folder.ts';

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

test('a file that a person named is written where it is, and not behind a link in the folder', async () => {
  const { root, outside, kept } = await linked();
  for (const path of ['link/a.xml', 'file', 'dangling']) {
    const refused = { code: 'bad_input' };
    await expect(writeNamed(root, join(root, path), 'x')).rejects.toMatchObject(refused);
    await expect(requireNamed(root, join(root, path))).rejects.toMatchObject(refused);
  }
  expect(await kept()).toBe('kept');
  const elsewhere = join(outside, 'named.xml');
  await writeNamed(root, elsewhere, 'x');
  await requireNamed(root, elsewhere);
  expect(await readFile(elsewhere, 'utf8')).toBe('x');
});

test.each(['node_modules', 'node_modules/weir', 'node_modules/weir/component.d.ts'])(
  'types for authors are not written through %s',
  async (way) => {
    const { root, outside } = await linked();
    const types = temporaryFolder();
    await writeFile(join(types, 'component.d.ts'), 'export {};');
    await mkdir(join(root, way, '..'), { recursive: true });
    const place = way.endsWith('.ts') ? join(outside, 'keep.txt') : outside;
    await symlink(place, join(root, way));
    await expect(writeAuthorTypes(root, types)).rejects.toMatchObject({ code: 'bad_input' });
    expect(await readFile(join(outside, 'keep.txt'), 'utf8')).toBe('kept');
    expect(existsSync(join(outside, 'package.json')) || existsSync(join(outside, 'weir'))).toBe(
      false,
    );
  },
);

test('neither the types of steps nor the registries of a workspace are written through a link', async () => {
  const { root, outside } = await linked();
  const flow = join(root, 'flow');
  await mkdir(flow);
  await writeFile(join(flow, 'workflow.yaml'), 'steps:\n  - namespace: a\n    uses: ./a.mjs\n');
  await symlink(outside, join(flow, '.weir-types'));
  await symlink(join(outside, 'new.txt'), join(flow, 'tsconfig.json'));
  await expect(writeStepTypes(flow, root, [])).rejects.toMatchObject({ code: 'bad_input' });
  await symlink(outside, join(root, 'weir'));
  const userFile = join(temporaryFolder(), 'registries.json');
  const places = new RegistrySources({ workspace: root, userFile, setting: '' });
  const place = { kind: 'folder', path: root } as const;
  const added = places.add({ name: 'x', text: root, place }, false);
  await expect(added).rejects.toMatchObject({ code: 'bad_input' });
  expect(existsSync(join(outside, 'registries.json'))).toBe(false);
  expect(existsSync(join(outside, 'new.txt'))).toBe(false);
});
