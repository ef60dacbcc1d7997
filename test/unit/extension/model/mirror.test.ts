import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Mirror } from '../../../../src/extension/model/mirror.ts';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';
import type { Change } from '../../../../src/protocol/rpc.ts';
import * as make from '../make.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A mirror of a runtime that has nothing yet, long after its first paint. */
async function setUp() {
  const listeners: ((batch: readonly Change[]) => void)[] = [];
  const empty = { data: [], page_info: { total_count: 0, count: 0 } };
  const mirror = new Mirror();
  await mirror.follow({
    call: () => Promise.resolve(empty),
    onChanges: (listener: (batch: readonly Change[]) => void) => listeners.push(listener),
  } as unknown as RuntimeClient);
  vi.advanceTimersByTime(1000);
  let paints = 0;
  mirror.onDidChange.on(() => (paints += 1));
  return {
    mirror,
    paints: () => paints,
    tell: (...batch: Change[]) => listeners.forEach((listener) => listener(batch)),
  };
}

test('the event of a request is painted at once, though its run was told of just before', async () => {
  const { tell, paints, mirror } = await setUp();
  tell({ type: 'source', source: make.source({}) });
  vi.advanceTimersByTime(1000);
  expect(paints()).toBe(1);
  tell({ type: 'invocation', invocation: make.invocation({ status: 'running' }) });
  expect(paints()).toBe(1);
  tell({ type: 'event', event: make.event({}) });
  expect(paints()).toBe(2);
  expect(mirror.events()).toHaveLength(1);
  mirror.dispose();
});

test('a burst is painted once more, a tenth of a second later', async () => {
  const { tell, paints, mirror } = await setUp();
  tell({ type: 'source', source: make.source({}) });
  vi.advanceTimersByTime(1000);
  for (let n = 0; n < 50; n++) tell({ type: 'event', event: make.event({ id: `${n}-0` }) });
  expect(paints()).toBe(2);
  vi.advanceTimersByTime(100);
  expect(paints()).toBe(3);
  vi.advanceTimersByTime(1000);
  expect(paints()).toBe(3);
  mirror.dispose();
});
