import { expect, test } from 'vitest';
import type { InterfaceRecord } from '../../../../../src/runtime/store/configuration/sources.ts';
import { Timers, timerTrigger } from '../../../../../src/runtime/events/triggers/timers.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { neverHeld } from '../../../../../src/runtime/events/work-hold.ts';

function timers(start = 1_000_000) {
  const clock = new FakeClock(start);
  const fired: string[] = [];
  const skipped: string[] = [];
  const failed: string[] = [];
  /** When it ticks next: kept with the run, or by itself. */
  const next: (number | undefined)[] = [];
  const moved: (number | undefined)[] = [];
  const busy = new Set<string>();
  const unreadable: string[] = [];
  const hook = { fired: () => {} };
  const room = new Timers({
    hold: neverHeld,
    clock: {
      now: clock.now,
      elapsed: clock.elapsed,
      after(ms, wake) {
        expect(clock.waits).toEqual([]);
        return clock.after(ms, wake);
      },
    },
    fire(sourceId, timer, nextAt) {
      fired.push(`${sourceId} ${timer.prop} at ${clock.now() - start}`);
      next.push(nextAt === undefined ? undefined : nextAt - start);
      hook.fired();
    },
    unreadable: (sourceId, problem) => void unreadable.push(`${sourceId} ${problem}`),
    failed: (sourceId, error) => failed.push(`${sourceId} ${String(error)}`),
    isRunning: (sourceId) => busy.has(sourceId),
    skipped: (sourceId) => void skipped.push(sourceId),
    moved: (_sourceId, _interfaceId, nextAt) =>
      moved.push(nextAt === undefined ? undefined : nextAt - start),
  });
  return {
    room,
    clock,
    fired,
    failed,
    skipped,
    next,
    moved,
    unreadable,
    busy,
    hook,
    pass: (ms: number) => clock.pass(ms),
  };
}

const every = (seconds: number, fields: Partial<InterfaceRecord> = {}): InterfaceRecord => ({
  id: 'ti_1',
  prop: 'timer',
  kind: 'timer',
  intervalSeconds: seconds,
  ...fields,
});

test('ticks one interval after activation and keeps the beat', () => {
  const t = timers();
  t.room.set('dc_a', [every(60)]);
  t.pass(59_999);
  expect(t.fired).toEqual([]);
  t.pass(120_001);
  expect(t.fired).toEqual(['dc_a timer at 60000', 'dc_a timer at 120000', 'dc_a timer at 180000']);
  expect([t.moved, t.next]).toEqual([[60_000], [120_000, 180_000, 240_000]]);
});

test('several sources and timers share one timer of the system', () => {
  const t = timers();
  t.room.set('dc_a', [
    every(2),
    every(3, { id: 'ti_2', prop: 'other' }),
    { id: 'hi_1', prop: 'http', kind: 'http' },
  ]);
  t.room.set('dc_b', [every(5)]);
  t.pass(6000);
  expect(t.fired).toEqual([
    'dc_a timer at 2000',
    'dc_a other at 3000',
    'dc_a timer at 4000',
    'dc_b timer at 5000',
    'dc_a timer at 6000',
    'dc_a other at 6000',
  ]);
  expect(t.room.nextAt('dc_a')).toBe(1_008_000);
});

test('what was missed while nothing ran is made up for once, at once', () => {
  const t = timers();
  t.room.set('dc_a', [every(60, { nextAt: 1_000_000 - 3_600_000 })]);
  t.pass(59_999);
  expect(t.fired).toEqual(['dc_a timer at 0']);
  t.pass(1);
  expect(t.fired).toHaveLength(2);
});

test('a restart before the tick goes on with it', () => {
  const t = timers();
  t.room.set('dc_a', [every(60, { nextAt: 1_010_000 })]);
  expect(t.moved).toEqual([]);
  t.pass(10_000);
  expect(t.fired).toEqual(['dc_a timer at 10000']);
});

test('a sleep of the machine: one run within half a minute of waking', () => {
  const t = timers();
  t.room.set('dc_a', [every(300)]);
  t.pass(100_000);
  t.clock.jump(3_600_000);
  t.pass(30_000);
  expect(t.fired).toHaveLength(1);
  t.pass(289_000);
  expect(t.fired).toHaveLength(1);
});

test('a clock set back does not stop a timer', () => {
  const t = timers(10 * 86_400_000);
  t.room.set('dc_a', [every(60)]);
  t.pass(45_000);
  t.clock.jump(-86_400_000);
  t.pass(15_000);
  expect(t.fired).toEqual([]);
  t.pass(75_000);
  expect(t.fired).toHaveLength(1);
});

test('a delay beyond what the system can wait for', () => {
  const t = timers();
  t.room.set('dc_a', [every(25 * 86_400)]);
  t.pass(25 * 86_400_000 - 1);
  expect(t.fired).toEqual([]);
  t.pass(1);
  expect(t.fired).toHaveLength(1);
  expect(Math.max(...t.clock.asked)).toBeLessThan(2 ** 31);
});

test('a tick of a source that runs is skipped, told of, and the next one comes', () => {
  const t = timers();
  t.room.set('dc_a', [every(60)]);
  t.busy.add('dc_a');
  t.pass(60_000);
  expect([t.fired, t.skipped, t.moved]).toEqual([[], ['dc_a'], [60_000, 120_000]]);
  t.busy.clear();
  t.pass(60_000);
  expect(t.fired).toEqual(['dc_a timer at 120000']);
});

test('nothing is fired for a source that is gone, and nothing waits', () => {
  const t = timers();
  t.room.set('dc_a', [every(60)]);
  t.room.remove('dc_a');
  expect(t.clock.waits).toEqual([]);
  t.room.set('dc_a', [every(60)]);
  t.room.set('dc_a', []);
  expect(t.clock.waits).toEqual([]);
  t.room.set('dc_a', [every(60)]);
  t.room.close();
  expect(t.clock.waits).toEqual([]);
  expect(t.room.nextAt('dc_a')).toBeUndefined();
});

test('a run that takes its source away leaves no tick behind', () => {
  const t = timers();
  t.room.set('dc_a', [every(60), every(60, { id: 'ti_2', prop: 'second' })]);
  t.hook.fired = () => t.room.remove('dc_a');
  t.pass(600_000);
  expect(t.fired).toEqual(['dc_a timer at 60000']);
});

test('a tick that cannot be stored is told, and the others go on', () => {
  const t = timers();
  t.room.set('dc_a', [every(60)]);
  t.room.set('dc_b', [every(60)]);
  t.hook.fired = () => {
    if (t.fired.at(-1)?.startsWith('dc_a') === true) throw new Error('no room');
  };
  t.pass(120_000);
  expect(t.failed).toEqual(['dc_a Error: no room', 'dc_a Error: no room']);
  expect(t.fired.filter((tick) => tick.startsWith('dc_b'))).toHaveLength(2);
});

test.each([
  [{ cron: '0 0 30 2 *' }, 'never comes due'],
  [{ cron: '0 9 L * *' }, 'is not a cron expression'],
  [{ cron: '0/15 * * * *' }, 'Write "*/15"'],
  [{ cron: '' }, 'it has 0 fields'],
  [{ cron: '* * * * *', timezone: 'Mars/Phobos' }, 'is not a time zone'],
])(
  'a stored timer of %o does not tick, is told of, and keeps no other back (P8.27)',
  (schedule, why) => {
    for (const nextAt of [undefined, 1_000_000]) {
      const t = timers();
      t.room.set('dc_a', [
        {
          id: 'ti_1',
          prop: 'timer',
          kind: 'timer',
          ...schedule,
          ...(nextAt !== undefined && { nextAt }),
        },
        every(60, { id: 'ti_2', prop: 'other' }),
      ]);
      t.pass(60_000);
      expect(t.fired).toEqual(['dc_a other at 60000']);
      expect(t.unreadable).toEqual([expect.stringMatching(new RegExp(`^dc_a .*`))]);
      expect(t.unreadable[0]).toContain(why);
    }
  },
);

test('the trigger has epoch seconds of the run', () => {
  expect(timerTrigger(every(900), 1_700_000_000_999)).toEqual({
    kind: 'timer',
    prop: 'timer',
    timestamp: 1_700_000_000,
    intervalSeconds: 900,
  });
  const cron: InterfaceRecord = {
    id: 'ti_1',
    prop: 't',
    kind: 'timer',
    cron: '0 0 * * *',
    timezone: 'UTC',
  };
  expect(timerTrigger(cron, 1000)).toEqual({
    kind: 'timer',
    prop: 't',
    timestamp: 1,
    cron: '0 0 * * *',
    timezone: 'UTC',
  });
});
