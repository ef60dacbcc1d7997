import { expect, test } from 'vitest';
import { Mirror } from '../../../../src/extension/model/mirror.ts';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';
import type { Change } from '../../../../src/protocol/rpc.ts';
import * as make from '../make.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** A mirror of a runtime that has nothing yet, long after its first repaint. */
async function setUp() {
  const listeners: ((batch: readonly Change[]) => void)[] = [];
  const empty = { data: [], page_info: { total_count: 0, count: 0 } };
  const clock = new FakeClock();
  const mirror = new Mirror(clock);
  await mirror.follow({
    call: () => Promise.resolve(empty),
    onChanges: (listener: (batch: readonly Change[]) => void) => listeners.push(listener),
  } as unknown as RuntimeClient);
  clock.pass(1000);
  let paints = 0;
  mirror.onDidChange.on(() => (paints += 1));
  return {
    clock,
    mirror,
    paints: () => paints,
    tell: (...batch: Change[]) => listeners.forEach((listener) => listener(batch)),
  };
}

test('the event of a request is painted at once, though its run was reported just before', async () => {
  const { tell, paints, mirror, clock } = await setUp();
  tell({ type: 'source', source: make.source({}) });
  clock.pass(1000);
  expect(paints()).toBe(1);
  tell({ type: 'invocation', invocation: make.invocation({ status: 'running' }) });
  expect(paints()).toBe(1);
  tell({ type: 'event', event: make.event({}) });
  expect(paints()).toBe(2);
  expect(mirror.events()).toHaveLength(1);
  mirror.dispose();
});

test('a burst is painted once more, a tenth of a second later', async () => {
  const { tell, paints, mirror, clock } = await setUp();
  tell({ type: 'source', source: make.source({}) });
  clock.pass(1000);
  for (let n = 0; n < 50; n++) tell({ type: 'event', event: make.event({ id: `${n}-0` }) });
  expect(paints()).toBe(2);
  clock.pass(100);
  expect(paints()).toBe(3);
  clock.pass(1000);
  expect(paints()).toBe(3);
  mirror.dispose();
});

test('a batch of 300,000 changes that comes while the lists are read is applied after them', async () => {
  const change: Change = { type: 'source', source: make.source({}) };
  const batch = Array.from({ length: 300_000 }, () => change);
  const mirror = new Mirror(new FakeClock());
  let listener: (batch: readonly Change[]) => void = () => undefined;
  let told = false;
  await mirror.follow({
    onChanges: (follow: typeof listener) => (listener = follow),
    call: async () => {
      if (!told) listener(batch);
      told = true;
      return { data: [], page_info: { total_count: 0, count: 0 } };
    },
  } as unknown as RuntimeClient);
  expect(mirror.sources()).toHaveLength(1);
  mirror.dispose();
});
