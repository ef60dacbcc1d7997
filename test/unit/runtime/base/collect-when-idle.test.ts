import { expect, test } from 'vitest';
import { collectWhenIdle, ownCollector } from '../../../../src/runtime/base/collect-when-idle.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const mb = 1024 * 1024;

/** A heap of so many bytes, of which 17 MB are in use, and a timer that rings when told to. */
function world(heapBytes = 60 * mb) {
  const heap = { bytes: heapBytes, givenBack: 0 };
  const clock = new FakeClock();
  let listener: () => void = () => undefined;
  const collector = {
    heapBytes: () => heap.bytes,
    onCollection(told: () => void) {
      listener = told;
      return () => {
        listener = () => undefined;
      };
    },
    giveBack() {
      heap.givenBack += 1;
      heap.bytes = 17 * mb;
      listener();
    },
  };
  const stop = collectWhenIdle(collector, clock);
  return { heap, clock, stop, collection: () => listener(), ring: () => clock.ring() };
}

test('after the start, once nothing was collected for a while', () => {
  const { heap, collection, ring, clock } = world();
  collection();
  ring();
  expect(heap.givenBack).toBe(0);
  ring();
  expect(heap).toEqual({ bytes: 17 * mb, givenBack: 1 });
  ring();
  expect(clock.waits).toEqual([]);
});

test('again after a burst, but not for a little growth', () => {
  const { heap, collection, ring, clock } = world();
  ring();
  ring();
  heap.bytes = 24 * mb;
  collection();
  ring();
  expect(heap.givenBack).toBe(1);
  heap.bytes = 150 * mb;
  collection();
  ring();
  expect(heap.givenBack).toBe(2);
  ring();
  expect(clock.waits).toEqual([]);
});

test('not while there is work', () => {
  const { heap, collection, ring } = world();
  for (let i = 0; i < 10; i++) {
    collection();
    ring();
  }
  expect(heap.givenBack).toBe(0);
});

test('it can be stopped', () => {
  const { heap, collection, clock, stop } = world();
  stop();
  collection();
  expect(clock.waits).toEqual([]);
  expect(heap.givenBack).toBe(0);
});

test('the heap of a program gets small when it gives back', () => {
  const collector = ownCollector();
  const garbage: unknown[][] = [];
  for (let i = 0; i < 200; i++) garbage.push(Array.from({ length: 20_000 }, (_, n) => ({ n })));
  const full = collector.heapBytes();
  garbage.length = 0;
  collector.giveBack();
  expect(full - collector.heapBytes()).toBeGreaterThan(50 * mb);
});

test('collections of a program are told', async () => {
  const collector = ownCollector();
  const told = new Promise<string>((resolve) => {
    const stop = collector.onCollection(() => {
      stop();
      resolve('told');
    });
  });
  collector.giveBack();
  expect(await told).toBe('told');
});
