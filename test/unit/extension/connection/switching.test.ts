/** What belongs to one runtime while the window uses another. */
import { expect, test, vi } from 'vitest';
import { Folders } from '../../../../src/extension/connection/folders.ts';
import { pageRuntime } from '../../../../src/extension/connection/page-runtime.ts';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';
import {
  executionOf,
  executionUri,
} from '../../../../src/extension/workflows/execution-documents.ts';
import { WeirError } from '../../../../src/protocol/errors.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { newMemory } from '../fake-vscode/memory.ts';
import { world } from '../fake-vscode/vscode.ts';
import * as make from '../make.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

/** By address; the requests that each runtime got. */
const asked = new Map<string, string[]>();
let isDown = false;
const clientOf = (url: string): RuntimeClient => {
  const calls: string[] = [];
  asked.set(url, calls);
  return {
    url,
    isRemote: url !== 'local',
    closed: undefined,
    call: async (name: string) => {
      calls.push(name);
      return { data: [], page_info: { total: 0 } } as never;
    },
    onChanges: () => () => undefined,
    onClose: () => () => undefined,
    close: () => undefined,
  };
};

vi.mock('../../../../src/extension/connection/runtime-process.ts', () => ({
  openRuntime: async () => clientOf('local'),
}));
vi.mock('../../../../src/extension/remote/remote.ts', () => ({
  openRemote: async ({ url }: { url: string }) => {
    if (isDown) throw new WeirError('runtime_unavailable', `Nothing listens at ${url}.`);
    return clientOf(url);
  },
}));

async function window() {
  world.workspace.folders = [temporaryFolder()];
  const secrets = new Map<string, string>();
  const folders = new Folders(
    {
      subscriptions: [],
      workspaceState: newMemory(),
      secrets: {
        get: async (key: string) => secrets.get(key),
        store: async (key: string, value: string) => void secrets.set(key, value),
      },
      globalStorageUri: { fsPath: '/nowhere' },
      asAbsolutePath: (file: string) => file,
    } as never,
    { info() {} } as never,
    new FakeClock(0),
  );
  const { dataFolder } = folders.first;
  for (const name of ['production', 'staging']) {
    await folders.runtimes.add(dataFolder, { name, url: `https://${name}`, key: 'weir_k' });
  }
  return folders;
}

test('what was opened with a runtime stays with it over every switch', async () => {
  const folders = await window();
  const local = folders.first;
  const production = await folders.use(local, 'production');
  const execution = make.execution({ id: 'exec_1' });
  const [here, there] = [executionUri(local, execution), executionUri(production, execution)];
  expect([here.path, there.path]).toEqual(
    ['/p_1 · exec_1', '/p_1 · exec_1 · production'].map((p) =>
      p.replace('p_1', execution.workflow_id),
    ),
  );
  const staging = await folders.use(production, 'staging');
  expect(folders.all).toEqual([staging]);
  expect(executionOf(folders, here)).toEqual({ folder: local, id: 'exec_1' });
  expect(executionOf(folders, there)).toEqual({ folder: production, id: 'exec_1' });
  // A switch back is to the same: what was opened with it acts again.
  expect(await folders.use(staging, 'production')).toBe(production);
  expect(await folders.use(production, undefined)).toBe(local);
});

test('P26.11: nothing of another runtime reaches the one in use', async () => {
  const folders = await window();
  const local = folders.first;
  await local.link.ready();
  const production = await folders.use(local, 'production');
  const calls = asked.get('https://production') ?? [];
  const before = calls.length;
  await expect(local.link.ready()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('This belongs to the local runtime'),
  });
  expect(() => local.requireCurrent()).toThrow('another runtime is in use');
  expect(() => production.requireCurrent()).not.toThrow();
  expect(calls.length).toBe(before);
  expect(local.link.client).toBeUndefined();
});

test('a page that was left open names its runtime after a reload of the window', async () => {
  const folders = await window();
  const { dataFolder } = folders.first;
  const restored = folders.withKey(`production@${dataFolder}`);
  expect(restored).toMatchObject({ remote: 'production', isCurrent: false });
  expect(folders.all).toEqual([folders.first]);
  expect(pageRuntime(restored!)).toEqual({
    name: 'production',
    isLocal: false,
    problem: 'This page shows production. Connect to it to act.',
  });
  expect(await folders.use(folders.first, 'production')).toBe(restored);
  expect(pageRuntime(restored!).problem).toBeNull();
  expect(folders.withKey('production@/elsewhere/.weir')).toBeUndefined();
});

test('a page says why its runtime does not answer', async () => {
  const folders = await window();
  isDown = true;
  await expect(folders.use(folders.first, 'production')).rejects.toThrow('Nothing listens');
  isDown = false;
  expect(pageRuntime(folders.first).problem).toBe(
    'This page shows production, which is not connected: Nothing listens at https://production. Weir keeps trying to connect.',
  );
  folders.first.link.disconnect();
  expect(pageRuntime(folders.first).problem).toContain('Run Weir: Restart Runtime to act.');
});
