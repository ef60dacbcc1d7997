import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pulse } from '../../../../src/extension/connection/pulse.ts';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A runtime that answers when it is told to. */
function setUp() {
  const asked: (() => void)[] = [];
  const call = () => new Promise<void>((answer) => asked.push(answer));
  let watched = true;
  let client: RuntimeClient | undefined = { call } as unknown as RuntimeClient;
  const pulse = new Pulse({ client: () => client, isWatched: () => watched, now: Date.now });
  const states: boolean[] = [];
  pulse.onMeasured.on(() => {
    if ((states.at(-1) ?? false) !== pulse.isLate) states.push(pulse.isLate);
  });
  return {
    pulse,
    states,
    asked,
    look: (on: boolean) => (watched = on),
    lose: () => (client = undefined),
  };
}

test('says how fast the last answer came', async () => {
  const { pulse, asked } = setUp();
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.advanceTimersByTimeAsync(7);
  asked[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(pulse.answeredInMs).toBe(7);
  expect(pulse.isLate).toBe(false);
});

test('one that does not answer is late after three seconds, and not when it does again', async () => {
  const { states, asked } = setUp();
  await vi.advanceTimersByTimeAsync(13_000);
  expect(states).toEqual([true]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toHaveLength(1);
  asked[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(states).toEqual([true, false]);
});

test('nothing is asked while nobody looks, or after the end', async () => {
  const { asked, look, pulse } = setUp();
  look(false);
  await vi.advanceTimersByTimeAsync(60_000);
  look(true);
  pulse.dispose();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(0);
});

test('a runtime that is gone is not late', async () => {
  const { states, lose } = setUp();
  await vi.advanceTimersByTimeAsync(13_000);
  lose();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(states).toEqual([true, false]);
});
