import { expect, onTestFinished, test } from 'vitest';
import { WeirError } from '../../../../../src/protocol/errors.ts';
import { OwnedEmitters } from '../../../../../src/runtime/events/owner/owned-emitters.ts';
import { DueEmits } from '../../../../../src/runtime/events/runs/due-emits.ts';
import { Signals } from '../../../../../src/runtime/events/signals.ts';
import type { Store } from '../../../../../src/runtime/store/store.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { invocationsOf } from '../../../../support/invocations.ts';
import { event, run, scheduled, source } from '../../../../support/records.ts';
import { storeWithSource } from '../../../../support/store.ts';
import { until } from '../../../../support/until.ts';
import { neverHeld } from '../../../../../src/runtime/events/work-hold.ts';

const start = 1_000_000;

/** A real store with `dc_1`, and what emits its events when they are due. */
async function world(prepare: (store: Store) => Promise<unknown> = async () => undefined) {
  const { store } = await storeWithSource();
  await prepare(store);
  const clock = new FakeClock(start);
  const emitters = new OwnedEmitters();
  await store.ownership.takeAll((taken) => void emitters.add(taken));
  const signals = new Signals();
  const told: string[] = [];
  signals.on('due', ({ made }) => told.push(...made.events.map(({ payload }) => payload)));
  const { invocations } = invocationsOf({ store, signals, emitters, now: clock.now });
  const failures: string[] = [];
  const hook = { emit: async () => {}, read: () => {} };
  const due = new DueEmits({
    hold: neverHeld,
    store: {
      scheduledEmits: {
        ...store.scheduledEmits,
        due: (...asked) => store.scheduledEmits.due(...asked).finally(() => hook.read()),
      },
    },
    emitters,
    clock,
    async emit(emitter, emits) {
      await hook.emit();
      await invocations.emitDue(emitter, emits);
    },
    failed: (id, error) => failures.push(`${id}: ${String(error)}`),
  });
  onTestFinished(() => due.close());
  const ids = async (emitterId = 'dc_1') =>
    (await store.events.after(emitterId, '0-0', 1000)).map(({ id }) => id);
  /** As a run's commit leaves it. */
  const schedule = async (...emits: readonly ReturnType<typeof scheduled>[]) => {
    const emitter = emitters.require('dc_1');
    emitter.waitingEmits.add(emits);
    await run(store, { fence: emitter.fence, scheduled: emits });
    due.changed();
  };
  /** Until whatever was asked for is done, of which nothing should have been. */
  const settled = async () => {
    for (let turns = 0; turns < 10; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await store.flush();
    }
  };
  return { store, clock, emitters, due, told, failures, hook, ids, schedule, settled };
}

test('is emitted when it is due and not before, after all events before it', async () => {
  const { clock, due, told, ids, schedule, store, emitters, settled } = await world();
  due.start();
  expect(clock.waits).toEqual([]);
  await schedule(
    scheduled(start + 500, { payload: '"b"' }),
    scheduled(start + 200, { payload: '"a"' }),
  );
  expect(clock.waits).toEqual([200]);
  clock.pass(199);
  await settled();
  expect([told, await ids()]).toEqual([[], []]);
  clock.pass(1);
  await until('the first', () => told.length === 1);
  expect(await ids()).toEqual([`${start + 200}-0`]);
  expect(clock.waits).toEqual([300]);
  // One that is indexed later has the earlier number, and stands before it all the same.
  const { fence, eventIds } = emitters.require('dc_1');
  await run(store, { fence, events: [event(eventIds.next(start + 400))] });
  clock.pass(300);
  await until('both', () => told.length === 2);
  expect([told, await ids()]).toEqual([
    ['"a"', '"b"'],
    [`${start + 200}-0`, `${start + 400}-0`, `${start + 500}-0`],
  ]);
  expect(emitters.require('dc_1').waitingEmits).toEqual({ count: 0, bytes: 0, nextAt: undefined });
  expect(clock.waits).toEqual([]);
});

test('what became due before the start is emitted at once, by due time, then in order', async () => {
  const { clock, due, told, ids, settled } = await world(async (store) => {
    const at = (ms: number) => scheduled(start - ms, { payload: `"${ms}"` });
    await run(store, { scheduled: [at(10), at(30), at(10)] });
    // More than one batch.
    await run(store, { scheduled: Array.from({ length: 250 }, () => at(5)) });
    await run(store, { scheduled: [at(-100)] });
  });
  await settled();
  expect(told).toEqual([]);
  due.start();
  clock.pass(0);
  await until('all of them', () => told.length === 253);
  expect(told).toEqual(['"30"', '"10"', '"10"', ...Array.from({ length: 250 }, () => '"5"')]);
  expect((await ids()).length).toBe(253);
  expect(clock.waits).toEqual([100]);
});

test('what is scheduled while others are emitted is not forgotten', async () => {
  const { clock, due, told, hook, schedule } = await world();
  due.start();
  await schedule(scheduled(start + 10));
  hook.emit = async () => {
    hook.emit = async () => {};
    await schedule(scheduled(start + 15, { payload: '"meanwhile"' }));
  };
  clock.pass(10);
  await until('the first', () => told.length === 1);
  await until('a timer', () => clock.waits.length === 1);
  expect(clock.waits).toEqual([5]);
  clock.pass(5);
  await until('the other', () => told.length === 2);
});

test('what was cancelled, or whose emitter was deleted, is not emitted', async () => {
  const { clock, due, told, hook, store, emitters, schedule, settled } = await world((opened) =>
    opened.sources.insert(source('dc_2')),
  );
  due.start();
  await schedule(scheduled(start + 10), scheduled(start + 20, { payload: '"left"' }));
  hook.emit = async () => {
    const gone = await store.scheduledEmits.cancel(emitters.require('dc_1'), {
      end: { ms: start + 10, seq: 1e9 },
    });
    emitters.require('dc_1').waitingEmits.remove(gone);
  };
  clock.pass(20);
  await until('the other one', () => told.length === 1);
  expect(told).toEqual(['"left"']);
  expect(emitters.require('dc_1').waitingEmits.count).toBe(0);
  await schedule(scheduled(start + 30));
  hook.emit = async () => {};
  hook.read = () => emitters.remove('dc_1');
  clock.pass(10);
  await settled();
  expect(told).toEqual(['"left"']);
});

test('what could not be emitted is tried again half a minute later', async () => {
  const { clock, due, told, failures, hook, schedule } = await world();
  due.start();
  await schedule(scheduled(start + 10));
  hook.emit = async () => {
    throw new WeirError('internal', 'Not now.');
  };
  clock.pass(10);
  await until('the failure', () => failures.length === 1);
  await until('a timer', () => clock.waits.length === 1);
  hook.emit = async () => {};
  clock.pass(30_000);
  await until('the event', () => told.length === 1);
  expect(failures).toEqual([expect.stringMatching(/^dc_1: .*Not now\.$/)]);
});

test('closed, it emits nothing; what waits stays', async () => {
  const { clock, due, told, store, schedule, settled } = await world();
  due.start();
  await schedule(scheduled(start + 10));
  due.close();
  expect(clock.waits).toEqual([]);
  clock.pass(100);
  await settled();
  expect(told).toEqual([]);
  expect((await store.ownership.take('dc_1')).waitingEmits.count).toBe(1);
});
