import { beforeEach, expect, test, vi } from 'vitest';
import type { Folder } from '../../../../src/extension/connection/folder.ts';
import type { Folders } from '../../../../src/extension/connection/folders.ts';
import { DebugSessions } from '../../../../src/extension/debug/debug-sessions.ts';
import { Signal } from '../../../../src/extension/signal.ts';
import type { DebuggedProcess } from '../../../../src/protocol/catalogue.ts';
import { WeirError } from '../../../../src/protocol/errors.ts';
import type { Change } from '../../../../src/protocol/rpc.ts';
import { window, world } from '../fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

/** A real debugger attaches in test/editor; here is what becomes of errors before and after it has. */
const file = '/w/a.mjs';
const { heard } = world.person;

function debugging() {
  const calls: unknown[] = [];
  const client = {
    call: async (method: string, params: object) => void calls.push([method, params]),
  };
  const changes = new Signal<readonly Change[]>();
  const folder = {
    key: '/w/.weir',
    link: { client, ready: async () => client, onState: new Signal() },
    mirror: { onChanges: changes },
  } as unknown as Folder;
  const folders = { withKey: () => folder } as unknown as Folders;
  const sessions = new DebugSessions(folders, '/weir/dist', window.createOutputChannel() as never);
  const process = { source_id: null, path: file, url: 'ws://x', folder: '/w' };
  const wait = (): void =>
    changes.fire([{ type: 'debug', process: process as unknown as DebuggedProcess }]);
  return { sessions, folder, calls, wait };
}

/** Work that the test ends. */
function pending() {
  let resolve = (): void => undefined;
  let reject: (reason: Error) => void = resolve;
  const promise = new Promise<void>((...ends) => ([resolve, reject] = ends));
  return { promise, resolve: () => resolve(), reject: (reason: Error) => reject(reason) };
}

beforeEach(() => void (heard.length = 0));

test('an error before a process waits for the debugger is the caller’s', async () => {
  const { sessions, folder } = debugging();
  const begun = sessions.begin(folder, file, 'A', () => Promise.reject(new Error('No code.')));
  await expect(begun).rejects.toThrow('No code.');
  expect(heard).toEqual([]);
  expect(sessions.isDebugging(folder, file)).toBe(false);
});

test('an error after that is shown, because nobody waits for it', async () => {
  const { sessions, folder, wait } = debugging();
  const run = pending();
  const begun = sessions.begin(folder, file, 'A', () => run.promise);
  wait();
  expect(await begun).toMatchObject({ name: 'A', websocketAddress: 'ws://x' });
  run.reject(new WeirError('component_failed', 'A failed. Error: no'));
  await expect.poll(() => heard).toEqual(['A failed. Error: no']);
});

test('what the user cancelled is not an error', async () => {
  const { sessions, folder, wait } = debugging();
  const run = pending();
  const begun = sessions.begin(folder, file, 'A', () => run.promise);
  wait();
  await begun;
  run.reject(new WeirError('cancelled', 'Cancelled.'));
  await expect(run.promise).rejects.toThrow('Cancelled.');
  expect(heard).toEqual([]);
});

test.each(['has run', 'has failed'])(
  'what is not deployed is debugged until its work %s',
  async (end) => {
    const { sessions, folder, calls, wait } = debugging();
    const work = pending();
    await sessions.beginWhile(folder, file, 'A', () => {
      wait();
      return work.promise;
    });
    expect(calls).toEqual([]);
    expect(sessions.isDebugging(folder, file)).toBe(true);
    if (end === 'has run') work.resolve();
    else work.reject(new Error('no'));
    await expect.poll(() => calls).toEqual([['debug.stop', { id: file }]]);
    expect(sessions.isDebugging(folder, file)).toBe(false);
  },
);
