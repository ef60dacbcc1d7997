import { expect, test } from 'vitest';
import { DueQueue } from '../../../../../src/runtime/events/delivery/due-queue.ts';
import { DeliveryQueue } from '../../../../../src/runtime/events/delivery/delivery-queue.ts';

/** The same numbers each time. */
function draws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test('what is due comes out in order of time, whatever went in', () => {
  const random = draws(7);
  const queue = new DueQueue<number>();
  const waiting: number[] = [];
  const taken: number[] = [];
  let now = 0;
  for (let i = 0; i < 5000; i++) {
    const at = now + Math.floor(random() * 500);
    queue.push(at, at);
    waiting.push(at);
    if (i % 3 !== 0) continue;
    now += 7;
    for (let value = queue.take(now); value !== undefined; value = queue.take(now))
      taken.push(value);
    expect(queue.nextAt ?? Infinity).toBeGreaterThan(now);
  }
  for (let value = queue.take(Infinity); value !== undefined; value = queue.take(Infinity))
    taken.push(value);
  expect(taken).toEqual(waiting.toSorted((a, b) => a - b));
  expect([queue.size, queue.nextAt]).toEqual([0, undefined]);
});

test('nothing is taken before it is due, and all can be made due earlier', () => {
  const queue = new DueQueue<string>();
  queue.push(30, 'c');
  queue.push(10, 'a');
  queue.push(20, 'b');
  expect(queue.take(9)).toBeUndefined();
  expect(queue.take(10)).toBe('a');
  queue.advance(15);
  expect([queue.take(10), queue.take(10), queue.take(20)]).toEqual(['b', undefined, 'c']);
});

test('deliveries start in their order, and only so many at once', () => {
  const queue = new DeliveryQueue(2);
  for (let n = 1; n <= 5; n++) queue.push(n);
  expect([queue.start(), queue.start(), queue.start()]).toEqual([1, 2, undefined]);
  queue.done();
  expect([queue.start(), queue.start()]).toEqual([3, undefined]);
  expect(queue.idle).toBe(false);
});

test('of very many each starts once', () => {
  const queue = new DeliveryQueue(1);
  const total = 20_000;
  for (let n = 0; n < total; n++) queue.push(n);
  for (let n = 0; n < total; n++) {
    expect(queue.start()).toBe(n);
    queue.done();
    if (n % 10 === 0) queue.push(total + n / 10);
  }
  for (let n = 0; n < total / 10; n++) {
    expect(queue.start()).toBe(total + n);
    queue.done();
  }
  expect([queue.start(), queue.idle]).toEqual([undefined, true]);
});

test('one that could not begin is the next one again', () => {
  const queue = new DeliveryQueue(2);
  for (let n = 1; n <= 3; n++) queue.push(n);
  expect([queue.start(), queue.start()]).toEqual([1, 2]);
  queue.putBack(1);
  expect([queue.start(), queue.start()]).toEqual([1, undefined]);
  queue.done();
  expect(queue.start()).toBe(3);
});
