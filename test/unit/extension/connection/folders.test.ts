import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { Folders } from '../../../../src/extension/connection/folders.ts';
import { connectedFolders } from '../../../../src/extension/commands/pick-target.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { world } from '../fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

function foldersOf(...roots: string[]): Folders {
  world.workspace.folders = roots;
  const context = {
    subscriptions: [],
    workspaceState: { get: () => undefined },
    globalStorageUri: { fsPath: '/nowhere' },
    asAbsolutePath: (file: string) => file,
  };
  return new Folders(context as never, { info() {} } as never, new FakeClock(0));
}

test('a file belongs to the innermost folder that holds it', () => {
  const outer = temporaryFolder();
  const inner = path.join(outer, 'packages', 'shop');
  const folders = foldersOf(outer, inner);
  const rootOf = (...parts: string[]) => folders.of(path.join(outer, ...parts)).root;
  expect(rootOf('packages', 'shop', 'a.mjs')).toBe(inner);
  expect(rootOf('packages', 'shopping', 'a.mjs')).toBe(outer);
  expect(rootOf('..drafts', 'a.mjs')).toBe(outer);
  expect(folders.all[1]?.holds(path.join(outer, 'a.mjs'))).toBe(false);
  expect(folders.all[1]?.holds(inner)).toBe(true);
});

test('a folder whose runtime cannot be had does not hinder the others', async () => {
  const fails = { link: { ready: () => Promise.reject(new Error('The store is damaged.')) } };
  const works = { link: { ready: () => Promise.resolve({}) } };
  const connected = (...all: object[]) => connectedFolders({ all } as never);
  expect(await connected(fails, works)).toEqual([works]);
  await expect(connected(fails, fails)).rejects.toThrow('The store is damaged.');
});
