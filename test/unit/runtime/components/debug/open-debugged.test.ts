import { expect, test } from 'vitest';
import type {
  Components,
  Deployment,
} from '../../../../../src/runtime/components/deployments/deployment.ts';
import { openDebugged } from '../../../../../src/runtime/components/debug/open-debugged.ts';
import { DebugSession } from '../../../../../src/runtime/components/debug/session.ts';
import type { Host, HostOptions } from '../../../../../src/runtime/processes/host.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { definition } from '../../../../support/records.ts';

const target = { sourceId: 'dc_1', path: '/a.mjs' };
const deployment: Deployment = {
  hash: 'h',
  folder: '/h',
  bundle: '/h/b.mjs',
  path: null,
  inputs: [],
};

const wanted = { sourceId: 'dc_1', limits: { memoryMb: 256, timeoutMs: 1000, outputMb: 64 } };

test('while something goes on that must not wait, a process that starts then does not, either', async () => {
  const clock = new FakeClock();
  const session = new DebugSession(target);
  const plain = { definition, inspect: async () => 'ws://127.0.0.1:1/y' } as Partial<Host> as Host;
  const open = ({ debug, signal }: Omit<HostOptions, 'bundle'>): Promise<Host> => {
    if (debug === undefined) return Promise.resolve(plain);
    debug.opened('ws://127.0.0.1:1/x');
    return new Promise((_loaded, reject) => {
      const abort = (): void => reject(new Error('aborted'));
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort);
    });
  };
  const announced: string[] = [];
  const opening = (): Promise<Host> =>
    openDebugged(session, deployment, wanted, {
      components: {
        open: (_deployment, options) => open(options),
      } as Partial<Components> as Components,
      clock,
      waitMs: 30_000,
      opened: ({ url }) => void announced.push(url),
    });
  expect(await session.hurry(opening)).toBe(plain);
  // A debugger may still attach to it, and the next one waits again.
  expect(announced).toEqual(['ws://127.0.0.1:1/y']);
  void opening().catch(() => undefined);
  expect(announced).toEqual(['ws://127.0.0.1:1/y', 'ws://127.0.0.1:1/x']);
});

test('a process that no debugger can attach to is ended', async () => {
  const clock = new FakeClock();
  const killed: string[] = [];
  // Its code blocks it as soon as it is loaded: it never answers.
  const blocked = {
    definition,
    inspect: () => new Promise<never>(() => undefined),
    kill: (reason: string) => void killed.push(reason),
  } as Partial<Host> as Host;
  const open = ({ debug, signal }: Omit<HostOptions, 'bundle'>): Promise<Host> => {
    if (debug === undefined) return Promise.resolve(blocked);
    debug.opened('ws://127.0.0.1:1/x');
    return new Promise((_loaded, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };
  const opening = openDebugged(new DebugSession(target), deployment, wanted, {
    components: {
      open: (_deployment, options) => open(options),
    } as Partial<Components> as Components,
    clock,
    waitMs: 30_000,
    opened: () => undefined,
  });
  const refused = opening.catch((error: unknown) => error);
  clock.pass(30_000);
  await expect.poll(() => clock.waits).toEqual([5000]);
  clock.pass(5000);
  expect(await refused).toMatchObject({ code: 'conflict' });
  expect(killed).toEqual(['no debugger could attach to it']);
});
