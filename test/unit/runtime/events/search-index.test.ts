import { expect, test } from 'vitest';
import { startSearchIndex } from '../../../../src/runtime/events/search-index.ts';
import { Signals, type Committed, type Due } from '../../../../src/runtime/events/signals.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const emitters = ['dc_1', 'dc_2'];

/** A timer that rings when told to, and a store whose emitters are so many events behind. */
function world(behind: Readonly<Record<string, number>> = {}) {
  const clock = new FakeClock();
  const signals = new Signals();
  const left = new Map(Object.entries(behind));
  const store = { indexed: [] as string[], fails: false };
  const logged: string[] = [];
  const stop = startSearchIndex({
    store: {
      events: {
        async index(id, most) {
          if (store.fails) throw new Error('disk full');
          store.indexed.push(id);
          left.set(id, Math.max(0, (left.get(id) ?? 0) - most));
          return left.get(id) !== 0;
        },
      },
    },
    emitters: {
      all: () => emitters.map((id) => ({ id })) as never,
      get: (id) => ({ id }) as never,
    },
    signals,
    clock,
    log: (_level, line) => void logged.push(line),
  });
  const commit = (id: string, count: number) => {
    for (let i = 0; i < count; i++) {
      left.set(id, (left.get(id) ?? 0) + 1);
      const commit = { emitterId: id, events: [{}], drops: [] };
      signals.emit('committed', { commit } as unknown as Committed);
    }
  };
  const due = (id: string) => {
    left.set(id, (left.get(id) ?? 0) + 1);
    signals.emit('due', { emitterId: id } as Due);
  };
  /** Returns how long it was waited. */
  const ring = async () => {
    const ms = clock.ring();
    await new Promise((resolve) => setImmediate(resolve));
    return ms;
  };
  return { store, left, commit, due, ring, clock, stop, logged };
}

const sum = (left: ReadonlyMap<string, number>) =>
  [...left.values()].reduce((all, one) => all + one, 0);

test('what the last start left is indexed, emitter by emitter in small pieces with pauses', async () => {
  const { store, left, ring, clock } = world({ dc_1: 150, dc_2: 20 });
  expect([await ring(), await ring(), await ring()]).toEqual([250, 20, 20]);
  expect([sum(left), store.indexed]).toEqual([0, ['dc_1', 'dc_2', 'dc_1']]);
  expect(clock.waits).toEqual([]);
});

test('a commit without events is no reason to look', async () => {
  const { ring, clock, commit } = world();
  await ring();
  await ring();
  expect(clock.waits).toEqual([]);
  commit('dc_1', 0);
  expect(clock.waits).toEqual([]);
  commit('dc_1', 1);
  expect(clock.waits).toEqual([250]);
});

test('what was scheduled is indexed once it is an event', async () => {
  const { store, left, due, ring, clock } = world();
  while (clock.waits.length > 0) await ring();
  store.indexed.length = 0;
  due('dc_2');
  expect(await ring()).toBe(250);
  expect([sum(left), store.indexed]).toEqual([0, ['dc_2']]);
});

test('under load it waits; once there is time it catches up', async () => {
  const { store, left, commit, ring, clock } = world();
  for (let i = 0; i < 4; i++) {
    commit('dc_1', 60);
    expect(await ring()).toBe(250);
  }
  expect([sum(left), store.indexed]).toEqual([240, []]);
  commit('dc_1', 10);
  while (clock.waits.length > 0) await ring();
  expect(sum(left)).toBe(0);
});

test('a store that fails is told once; a stop leaves no timer behind', async () => {
  const failing = world({ dc_1: 1 });
  failing.store.fails = true;
  await failing.ring();
  expect(failing.logged).toEqual([expect.stringContaining('disk full')]);
  expect(failing.clock.waits).toEqual([]);

  const stopped = world({ dc_1: 1 });
  stopped.stop();
  stopped.commit('dc_1', 1);
  expect(stopped.clock.waits).toEqual([]);
});
