import { localCaller } from '../../../../../src/runtime/server/access/caller.ts';
import { expect, test } from 'vitest';
import type { Components } from '../../../../../src/runtime/components/deployments/deployment.ts';
import type { PrepareOptions } from '../../../../../src/runtime/components/prepare.ts';
import { Debugging } from '../../../../../src/runtime/components/debug/debugging.ts';
import { debugHandlers } from '../../../../../src/runtime/api/operations/debug.ts';
import { Signals } from '../../../../../src/runtime/events/signals.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { source } from '../../../../support/records.ts';
import { storeWithSource } from '../../../../support/store.ts';

test('debug.start answers though the process ended before a debugger could attach', async () => {
  const { store } = await storeWithSource();
  const signals = new Signals();
  const handlers = debugHandlers({
    store,
    signals,
    debugging: new Debugging({
      components: {} as Components,
      clock: new FakeClock(),
      waitMs: 1000,
      opened: (debugged) => signals.emit('debug', debugged),
      changed: () => undefined,
    }),
    // The run that kept it from a fresh process has ended, and its process with it.
    lifecycle: { restart: async () => false, update: async () => source('dc_1') },
    instances: { get: () => undefined },
    savedComponents: { adding: (task) => task() },
    workflowInstances: {
      processes: () => {
        throw new Error('no workflow');
      },
      endEarlier: () => undefined,
    },
    components: { folder: async () => '' },
    prepare: {} as PrepareOptions,
    now: () => 0,
  });
  const context = {
    caller: localCaller,
    signal: AbortSignal.timeout(10_000),
    progress: () => undefined,
  };
  expect(await handlers['debug.start']({ id: 'dc_1' }, context)).toEqual({
    paused: false,
    processes: [],
  });
});
