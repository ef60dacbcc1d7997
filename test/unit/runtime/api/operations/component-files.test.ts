/** Where an agent may write, on a real disk. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { componentFileHandlers } from '../../../../../src/runtime/api/operations/component-files.ts';
import type { CallContext } from '../../../../../src/runtime/api/operations/operations.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

let workspace: string;
let handlers: ReturnType<typeof componentFileHandlers>;
const context = undefined as unknown as CallContext;

beforeEach(async () => {
  workspace = join(temporaryFolder(), 'shop');
  await mkdir(join(workspace, 'data'), { recursive: true });
  handlers = componentFileHandlers({ workspace, dataFolder: join(workspace, 'data') });
});

const write = async (path: string, code = '1', replaces?: string) =>
  await handlers['component_files.write'](
    { path, code, ...(replaces !== undefined && { replaces }) },
    context,
  );
const read = async (path: string) => await handlers['component_files.read']({ path }, context);

test('a file is new, or takes the place of what was read', async () => {
  const first = await write('sources/orders.ts', 'export default 1;');
  const path = join(workspace, 'sources', 'orders.ts');
  expect(first).toMatchObject({ path, created: true });
  expect(await read(path)).toEqual({ path, code: 'export default 1;', hash: first.hash });
  await expect(write(path, '2')).rejects.toThrow(`${path} is there already: read it`);
  const second = await write(path, '2', first.hash);
  expect(second).toMatchObject({ created: false });
  await writeFile(path, 'of the user');
  await expect(write(path, '3', second.hash)).rejects.toThrow('has been changed since it was read');
  expect(await readFile(path, 'utf8')).toBe('of the user');
  // Nothing is left of what was refused.
  expect(await readdir(join(workspace, 'sources'))).toEqual(['orders.ts']);
});

test('of writers at the same time one wins, and the others are told', async () => {
  const all = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((code) => write('orders.ts', code)),
  );
  const won = all.filter(({ status }) => status === 'fulfilled');
  expect(won.length).toBe(1);
  for (const one of all) {
    if (one.status === 'rejected') expect(String(one.reason)).toContain('is there already');
  }
});

test.each([
  ['above the workspace', '../orders.ts', 'is not in'],
  ['elsewhere', '/tmp/orders.ts', 'is not in'],
  ['in .git', '.git/hooks/orders.js', '".git"'],
  ['in .vscode, by a way around', 'sources/../.vscode/orders.js', '".vscode"'],
  ['a hidden file', 'sources/.orders.js', '".orders.js"'],
  ['in node_modules', 'node_modules/left-pad/index.js', '"node_modules"'],
  ['in the data folder', 'data/orders.ts', "Weir's data folder"],
  ['no code', 'package.json', 'is not a file of code'],
  ['the folder itself', '.', 'is not in'],
])('a file that is %s is refused', async (_what, path, why) => {
  await expect(write(path)).rejects.toThrow(why);
  await expect(read(path)).rejects.toThrow(why);
});

test('a link is no way out, and no way into what is kept', async () => {
  const outside = temporaryFolder();
  await writeFile(join(outside, 'own.ts'), 'own');
  await mkdir(join(workspace, '.git'));
  await symlink(outside, join(workspace, 'linked'));
  await symlink(join(workspace, '.git'), join(workspace, 'hooks'));
  await symlink(join(outside, 'own.ts'), join(workspace, 'own.ts'));
  for (const path of ['linked/new.ts', 'linked/deep/new.ts', 'linked/own.ts']) {
    await expect(write(path)).rejects.toThrow('is not in');
    await expect(read(path)).rejects.toThrow('is not in');
  }
  await expect(write('hooks/pre-commit.js')).rejects.toThrow('".git"');
  await expect(read('own.ts')).rejects.toThrow('is not a regular file');
  await expect(write('own.ts')).rejects.toThrow('is not a regular file');
  expect(await readFile(join(outside, 'own.ts'), 'utf8')).toBe('own');
});
