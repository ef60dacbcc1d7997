import { expect, test } from 'vitest';
import { Serialise } from '../../../../src/runtime/lifecycle/serialise.ts';

test('tasks of one key wait for each other, also after a failure; other keys do not', async () => {
  const serialise = new Serialise();
  const order: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = serialise.run('a', async () => {
    await gate;
    order.push('a1');
    throw new Error('no');
  });
  const second = serialise.run('a', async () => void order.push('a2'));
  await serialise.run('b', async () => void order.push('b'));
  release();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(order).toEqual(['b', 'a1', 'a2']);
});
