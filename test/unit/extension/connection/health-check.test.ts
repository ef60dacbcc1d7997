import { expect, test } from 'vitest';
import { HealthCheck } from '../../../../src/extension/connection/health-check.ts';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** A runtime that answers when it is told to. */
function setUp() {
  const asked: (() => void)[] = [];
  const call = () => new Promise<void>((answer) => asked.push(answer));
  let focused = true;
  let client: RuntimeClient | undefined = { call } as unknown as RuntimeClient;
  const clock = new FakeClock(1_000_000);
  const health = new HealthCheck({ client: () => client, isFocused: () => focused, clock });
  const late: boolean[] = [];
  health.onMeasured.on(() => {
    if ((late.at(-1) ?? false) !== health.isLate) late.push(health.isLate);
  });
  return {
    clock,
    health,
    late,
    asked,
    focus: (on: boolean) => (focused = on),
    lose: () => (client = undefined),
  };
}

test('shows how long the last answer took', async () => {
  const { health, asked, clock } = setUp();
  clock.pass(10_000);
  clock.pass(7);
  asked[0]?.();
  await expect.poll(() => health.answeredInMs).toBe(7);
  expect(health.isLate).toBe(false);
});

test('a runtime without an answer is late after three seconds, until it answers', async () => {
  const { late, asked, clock } = setUp();
  clock.pass(12_999);
  expect(late).toEqual([]);
  clock.pass(1);
  expect(late).toEqual([true]);
  clock.pass(30_000);
  expect(asked).toHaveLength(1);
  asked[0]?.();
  await expect.poll(() => late).toEqual([true, false]);
});

test('asks nothing while the window is not focused, or after the end', () => {
  const { asked, focus, health, clock } = setUp();
  focus(false);
  clock.pass(60_000);
  focus(true);
  health.dispose();
  clock.pass(60_000);
  expect(asked).toHaveLength(0);
});

test('a runtime that has ended is not late', () => {
  const { late, lose, clock } = setUp();
  clock.pass(13_000);
  lose();
  clock.pass(10_000);
  expect(late).toEqual([true, false]);
});
