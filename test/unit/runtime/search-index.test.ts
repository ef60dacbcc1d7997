import { expect, test } from 'vitest';
import { startSearchIndex } from '../../../src/runtime/search-index.ts';
import { Signals, type Committed } from '../../../src/runtime/signals.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A timer that rings when told to, and a store that is so many events behind. */
function world(behind = 0) {
  const clock = new FakeClock();
  const signals = new Signals();
  const search = {
    behind,
    steps: 0,
    fails: false,
    async step(most: number) {
      if (search.fails) throw new Error('disk full');
      search.steps += 1;
      search.behind = Math.max(0, search.behind - most);
    },
  };
  const logged: string[] = [];
  const stop = startSearchIndex({
    store: { search },
    signals,
    setTimer: clock.setTimer,
    log: (_level, line) => void logged.push(line),
  });
  const commit = (count: number) => {
    for (let i = 0; i < count; i++) {
      search.behind += 1;
      signals.emit('committed', {} as Committed);
    }
  };
  /** Returns how long it was waited. */
  const ring = async () => {
    const ms = clock.ring();
    await new Promise((resolve) => setImmediate(resolve));
    return ms;
  };
  return { search, commit, ring, clock, stop, logged };
}

test('nothing waits while everything is indexed', () => {
  expect(world().clock.waits).toEqual([]);
});

test('what the last start left is indexed, step by step with pauses', async () => {
  const { search, ring, clock } = world(250);
  expect([await ring(), await ring(), await ring()]).toEqual([250, 20, 20]);
  expect(search).toMatchObject({ behind: 0, steps: 3 });
  expect(clock.waits).toEqual([]);
});

test('under load it waits; once there is time it catches up', async () => {
  const { search, commit, ring, clock } = world();
  for (let i = 0; i < 4; i++) {
    commit(60);
    expect(await ring()).toBe(250);
  }
  expect(search).toMatchObject({ behind: 240, steps: 0 });
  commit(10);
  for (let i = 0; i < 3; i++) await ring();
  expect(search).toMatchObject({ behind: 0, steps: 3 });
  expect(clock.waits).toEqual([]);
});

test('a store that fails is told once; a stop leaves no timer behind', async () => {
  const failing = world(1);
  failing.search.fails = true;
  await failing.ring();
  expect(failing.logged).toEqual([expect.stringContaining('disk full')]);
  expect(failing.clock.waits).toEqual([]);

  const stopped = world(1);
  stopped.stop();
  stopped.commit(1);
  expect(stopped.clock.waits).toEqual([]);
});
