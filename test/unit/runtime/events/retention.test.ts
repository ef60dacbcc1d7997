import { expect, test } from 'vitest';
import { OwnedEmitters } from '../../../../src/runtime/events/owner/owned-emitters.ts';
import { startRetention } from '../../../../src/runtime/events/retention.ts';
import { defaultSettings } from '../../../../src/runtime/base/settings.ts';
import { Signals, type Committed, type Due } from '../../../../src/runtime/events/signals.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { event, run } from '../../../support/records.ts';
import { storeWithSource } from '../../../support/store.ts';

const day = 86_400_000;

/** Retention over a real store that holds 150 events, with a clock and a timer that are moved by hand. */
async function world() {
  const { store } = await storeWithSource();
  const events = Array.from({ length: 150 }, (_, n) => event(`${1000 + n}-0`));
  await run(store, { events });
  const emitters = new OwnedEmitters();
  emitters.add(await store.ownership.take('dc_1'));
  const signals = new Signals();
  const deleted: string[] = [];
  signals.on('eventsDeleted', (id) => deleted.push(id));
  const clock = new FakeClock(1000);
  let swept = 0;
  const stop = startRetention({
    store: {
      ...store,
      deliveries: {
        prune: (owner, keep) => store.deliveries.prune(owner, keep).finally(() => (swept += 1)),
      },
    },
    emitters,
    signals,
    settings: { ...defaultSettings, 'retention.days': 30 },
    clock,
    log: () => undefined,
  });
  /** Lets the timer ring and waits until all was looked at. */
  const ring = async () => {
    const before = swept;
    clock.ring();
    await expect.poll(() => swept).toBe(before + 1);
  };
  return {
    signals,
    stop,
    ring,
    deleted,
    clock,
    total: async () => (await store.events.list('dc_1', { limit: 1 })).total,
  };
}

test('what grew old goes although nothing happens any more, the 100 newest stay', async () => {
  const { ring, total, clock, deleted } = await world();
  await ring();
  expect([await total(), deleted]).toEqual([150, []]);
  expect(clock.waits).toEqual([3_600_000]);
  clock.jump(30 * day + 500);
  await ring();
  expect([await total(), deleted]).toEqual([100, ['dc_1']]);
});

test('an emitter is looked at with its first commit after the start, and after 500 rows', async () => {
  const { signals, clock, total } = await world();
  const commit = (events: number) =>
    signals.emit('committed', {
      commit: {
        emitterId: 'dc_1',
        events: Array.from({ length: events }, () => ({})),
        drops: [],
        logs: [],
      },
    } as unknown as Committed);
  commit(1);
  clock.jump(30 * day + 500);
  commit(1);
  commit(497);
  expect(await total()).toBe(150);
  commit(2);
  await expect.poll(total).toBe(100);
});

test('events that were scheduled count as rows, too', async () => {
  const { signals, clock, total } = await world();
  const due = (count: number) =>
    signals.emit('due', { emitterId: 'dc_1', made: { count } } as unknown as Due);
  due(1);
  clock.jump(30 * day + 500);
  due(499);
  expect(await total()).toBe(150);
  due(1);
  await expect.poll(total).toBe(100);
});

test('stopped, it waits for nothing and looks at nothing', async () => {
  const { stop, clock, signals, total } = await world();
  stop();
  clock.jump(60 * day);
  expect(clock.waits).toEqual([]);
  signals.emit('committed', {
    commit: { emitterId: 'dc_1', events: [], drops: [], logs: [] },
  } as unknown as Committed);
  expect(await total()).toBe(150);
});
