import { expect, test } from 'vitest';
import { KeyedMutex } from '../../../../src/runtime/base/keyed-mutex.ts';

test('tasks of one key wait for each other, also after a failure; other keys do not', async () => {
  const mutex = new KeyedMutex();
  const order: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = mutex.run('a', async () => {
    await gate;
    order.push('a1');
    throw new Error('no');
  });
  const second = mutex.run('a', async () => void order.push('a2'));
  await mutex.run('b', async () => void order.push('b'));
  release();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(order).toEqual(['b', 'a1', 'a2']);
});

test('one that is cancelled while it waits rejects at once, and what comes after it keeps its place', async () => {
  const mutex = new KeyedMutex();
  const order: string[] = [];
  let release: () => void = () => undefined;
  const first = mutex.run('a', () => new Promise<void>((resolve) => (release = resolve)));
  const cancel = new AbortController();
  const second = mutex.run('a', async () => void order.push('second'), cancel.signal);
  const third = mutex.run('a', async () => void order.push('third'));
  cancel.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  expect(order).toEqual([]);
  expect(mutex.isBusy('a')).toBe(true);
  release();
  await Promise.all([first, third]);
  expect(order).toEqual(['third']);
  await expect.poll(() => mutex.isBusy('a')).toBe(false);
});
