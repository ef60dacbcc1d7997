import { expect, test } from 'vitest';
import type { Trigger } from '../../../../../src/protocol/host.ts';
import { RecentDeliveries } from '../../../../../src/runtime/sources/apphooks/recent-deliveries.ts';
import { fenceOf } from '../../../../support/records.ts';
import { storeWithSource } from '../../../../support/store.ts';

async function opened() {
  const { store } = await storeWithSource();
  const fence = await fenceOf(store, 'dc_1');
  const taken: string[] = [];
  /** As an event that is triggered goes into the inbox. */
  const takeIn = async (delivery: string): Promise<void> => {
    taken.push(delivery);
    const trigger: Trigger = { kind: 'event', json: '{}', delivery };
    await store.accept({ emitterId: 'dc_1', fence, cause: 'http', trigger, at: 1 }).durable;
  };
  return { store, taken, takeIn };
}

test('a delivery is taken in once, and known again from the inbox', async () => {
  const { store, taken, takeIn } = await opened();
  const recent = new RecentDeliveries(store.invocations);
  const once = (by: RecentDeliveries, delivery: string) =>
    by.once('dc_1', delivery, () => takeIn(delivery));
  await Promise.all([once(recent, 'a'), once(recent, 'b'), once(recent, 'a')]);
  await once(recent, 'b');
  expect(taken).toEqual(['a', 'b']);

  const afterRestart = new RecentDeliveries(store.invocations);
  await Promise.all([once(afterRestart, 'a'), once(afterRestart, 'c')]);
  expect(taken).toEqual(['a', 'b', 'c']);
});

test('whoever brings it again waits until the first is on disk, and tries anew when that fails', async () => {
  const { store } = await opened();
  const recent = new RecentDeliveries(store.invocations);
  let reject: (why: Error) => void = () => undefined;
  const promise = new Promise<void>((_, no) => (reject = no));
  const first = recent.once('dc_1', 'a', () => promise);
  const second = recent.once('dc_1', 'a', () => Promise.resolve());
  reject(new Error('disk full'));
  await expect(first).rejects.toThrow('disk full');
  await expect(second).rejects.toThrow('disk full');
  let tries = 0;
  await recent.once('dc_1', 'a', () => Promise.resolve(void (tries += 1)));
  expect(tries).toBe(1);
});

test('the newest 1,000 are known', async () => {
  const { store } = await opened();
  const recent = new RecentDeliveries(store.invocations);
  let taken = 0;
  const once = (n: number) =>
    recent.once('dc_1', String(n), () => Promise.resolve(void (taken += 1)));
  for (let n = 0; n <= 1000; n += 1) await once(n);
  await once(1);
  expect(taken).toBe(1001);
  await once(0);
  expect(taken).toBe(1002);
});
