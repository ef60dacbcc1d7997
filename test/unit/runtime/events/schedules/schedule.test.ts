import { describe, expect, test } from 'vitest';
import {
  checkSchedule,
  correctedTick,
  nextTick,
  scheduleWarning,
  tickAfter,
} from '../../../../../src/runtime/events/schedules/schedule.ts';

const at = (iso: string) => Date.parse(iso);

/** The ticks after an instant, as ISO text in UTC. */
function ticks(cron: string, timezone: string | undefined, after: string, count: number): string[] {
  const found: string[] = [];
  let now = at(after);
  for (let i = 0; i < count; i++) {
    const next = nextTick({ cron, timezone }, now);
    if (next === undefined) break;
    found.push(new Date(next).toISOString().replace(':00.000Z', 'Z'));
    now = next;
  }
  return found;
}

test('an interval ticks one interval later', () => {
  expect(nextTick({ intervalSeconds: 900 }, 1_000_000)).toBe(1_900_000);
});

describe('cron', () => {
  test.each<[string, string | undefined, string, string[]]>([
    ['*/5 * * * *', undefined, '2026-01-01T00:03:00Z', ['2026-01-01T00:05Z', '2026-01-01T00:10Z']],
    ['0 9 * * *', undefined, '2026-01-01T09:00:00Z', ['2026-01-02T09:00Z', '2026-01-03T09:00Z']],
    ['0 9 * * 1-5', undefined, '2026-01-02T10:00:00Z', ['2026-01-05T09:00Z', '2026-01-06T09:00Z']],
    [
      '30 4 1,15 * *',
      undefined,
      '2026-01-01T04:30:00Z',
      ['2026-01-15T04:30Z', '2026-02-01T04:30Z'],
    ],
    ['0 0 1 * 1', undefined, '2026-01-01T00:00:00Z', ['2026-01-05T00:00Z', '2026-01-12T00:00Z']],
    ['0 0 29 2 *', undefined, '2026-01-01T00:00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
    ['0 12 31 DEC *', undefined, '2026-12-31T12:00:00Z', ['2027-12-31T12:00Z']],
    ['@daily', undefined, '2026-02-28T23:59:59.999Z', ['2026-03-01T00:00Z']],
    ['  0  0\t* * *  ', undefined, '2026-01-01T00:00:00Z', ['2026-01-02T00:00Z']],
    ['59 23 * * *', undefined, '2026-01-01T23:59:00Z', ['2026-01-02T23:59Z']],
    // A day field that begins with a star has to match as well (P8.26).
    [
      '0 9 */100,1-7 * MON',
      undefined,
      '2026-06-01T00:00Z',
      ['2026-06-01T09:00Z', '2026-07-06T09:00Z', '2026-08-03T09:00Z'],
    ],
    [
      '0 9 */2 * 1',
      undefined,
      '2026-06-01T00:00Z',
      ['2026-06-01T09:00Z', '2026-06-15T09:00Z', '2026-06-29T09:00Z', '2026-07-13T09:00Z'],
    ],
    ['0 9 1-7 * */7', undefined, '2026-06-01T00:00Z', ['2026-06-07T09:00Z', '2026-07-05T09:00Z']],
    ['0 9 1-31 * 1', undefined, '2026-06-01T10:00Z', ['2026-06-02T09:00Z', '2026-06-03T09:00Z']],
    ['0 0 29 2 */7', undefined, '2026-01-01T00:00Z', ['2032-02-29T00:00Z', '2060-02-29T00:00Z']],
    ['0 9 * * *', 'Asia/Tokyo', '2026-01-01T00:00:00Z', ['2026-01-02T00:00Z']],
    ['0 0 * * *', 'Asia/Kathmandu', '2026-01-01T00:00:00Z', ['2026-01-01T18:15Z']],
    ['0 0 * * 1', 'Pacific/Kiritimati', '2026-01-03T00:00:00Z', ['2026-01-04T10:00Z']],
  ])('%s in %s after %s', (cron, timezone, after, expected) => {
    expect(ticks(cron, timezone, after, expected.length)).toEqual(expected);
  });

  // Berlin 2026: 29 March 02:00 → 03:00, 25 October 03:00 → 02:00.
  test.each<[string, string, string, string[]]>([
    [
      'a fixed hour that the day does not have runs once, an hour later',
      '30 2 * * *',
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:30Z', '2026-03-30T00:30Z'],
    ],
    [
      'a fixed hour that the day has twice runs once, the first time',
      '30 2 * * *',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    ],
    [
      'every hour goes by elapsed time in spring',
      '0 * * * *',
      '2026-03-28T23:30:00Z',
      ['2026-03-29T00:00Z', '2026-03-29T01:00Z', '2026-03-29T02:00Z'],
    ],
    [
      'every hour goes by elapsed time in autumn',
      '0 * * * *',
      '2026-10-24T23:30:00Z',
      ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z'],
    ],
    [
      'half past every hour in autumn',
      '30 * * * *',
      '2026-10-24T23:45:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z'],
    ],
    [
      'noon stays noon',
      '0 12 * * *',
      '2026-10-24T00:00:00Z',
      ['2026-10-24T10:00Z', '2026-10-25T11:00Z'],
    ],
    [
      'Sundays only, every hour, over midnight',
      '0 * * * 0',
      '2026-10-24T21:30:00Z',
      ['2026-10-24T22:00Z', '2026-10-24T23:00Z'],
    ],
  ])('%s', (_name, cron, after, expected) => {
    expect(ticks(cron, 'Europe/Berlin', after, expected.length)).toEqual(expected);
  });

  test('Lord Howe moves by half an hour', () => {
    // 5 April 2026: at 02:00 +11:00 clocks go to 01:30 +10:30, which is 15:00Z on the 4th.
    expect(ticks('0,15,30,45 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:40:00Z', 4)).toEqual([
      '2026-04-04T14:45Z',
      '2026-04-04T15:00Z',
      '2026-04-04T15:15Z',
      '2026-04-04T15:30Z',
    ]);
  });

  test('whatever the zone of the machine', () => {
    const before = process.env['TZ'];
    try {
      for (const zone of ['Europe/Berlin', 'America/New_York', 'America/Havana', 'Pacific/Apia']) {
        process.env['TZ'] = zone;
        // Wall times that these zones do not have in spring.
        expect(ticks('30 2 * * *', undefined, '2026-03-28T12:00:00Z', 2)).toEqual([
          '2026-03-29T02:30Z',
          '2026-03-30T02:30Z',
        ]);
        expect(ticks('30 0,2 8 3 *', undefined, '2026-03-01T12:00:00Z', 2)).toEqual([
          '2026-03-08T00:30Z',
          '2026-03-08T02:30Z',
        ]);
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });

  test('ticks ascend and match for a year of several expressions', () => {
    for (const cron of ['*/7 1-5 * * *', '13 */3 * * 2,5', '0 0 31 * *', '59 * 1 * *']) {
      let now = at('2026-01-01T00:00:00Z');
      for (let i = 0; i < 200; i++) {
        const next = nextTick({ cron, timezone: 'America/Santiago' }, now)!;
        expect(next).toBeGreaterThan(now);
        now = next;
      }
    }
  });
});

describe('checkSchedule', () => {
  test.each([
    [{ intervalSeconds: 1 }],
    [{ intervalSeconds: 900 }],
    [{ cron: '0 0 29 2 *' }],
    [{ cron: '*/10 * * * * *' }],
    [{ cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin' }],
    [{ cron: '*/60 */24 * */12 *' }],
    [{ cron: '0 9 */100,1-7 * MON' }],
    [{ cron: '0 9 * * fri-sun,1-7/2' }],
    [{ cron: '@Weekly' }],
  ])('%o is fine', (schedule) => {
    expect(checkSchedule(schedule)).toBeUndefined();
  });

  test.each([
    [{}, 'A timer needs intervalSeconds or cron.'],
    [
      { intervalSeconds: 60, cron: '* * * * *' },
      'A timer has either intervalSeconds or cron, not both.',
    ],
    [{ intervalSeconds: 0 }, 'intervalSeconds must be a number from 1 to 316224000, not 0.'],
    [{ intervalSeconds: Number.NaN }, 'not NaN'],
    [{ intervalSeconds: 1e12 }, 'not 1000000000000'],
    [{ cron: '0 0 30 2 *' }, 'The cron expression "0 0 30 2 *" never comes due.'],
    [{ cron: '61 * * * *' }, '"61 * * * *" is not a cron expression:'],
    [{ cron: 'every day' }, '"every day" is not a cron expression:'],
    [{ cron: '' }, '"" is not a cron expression:'],
    [{ cron: '0 0 * * *', timezone: 'Mars/Olympus' }, '"Mars/Olympus" is not a time zone.'],
  ])('%o is refused', (schedule, sentence) => {
    expect(checkSchedule(schedule)).toContain(sentence);
  });

  test.each([
    // Quartz counts on from a number, Vixie cron takes it alone.
    ['0/15 * * * *', 'Write "*/15".'],
    ['5/15 * * * *', 'Write "5-59/15".'],
    ['0 0/6 * * *', 'Write "*/6".'],
    ['0 9 1/2 * *', 'Write "*/2".'],
    ['0 9 * MAR/3 *', 'Write "MAR-12/3".'],
    ['1,2/5 * * * *', 'Write "2-59/5".'],
    // What only Quartz has.
    ['0 9 * * 1#1', 'L, W and # are not supported'],
    ['0 9 * * 5L', 'L, W and # are not supported'],
    ['0 9 * * FRIL', 'L, W and # are not supported'],
    ['0 9 15W * *', 'L, W and # are not supported'],
    ['0 9 L * *', 'L, W and # are not supported'],
    ['0 9 LW * *', 'L, W and # are not supported'],
    ['0 9 L-3 * *', 'L, W and # are not supported'],
    ['0 9 ? * MON', 'Write "*".'],
    ['0 0 9 * * ?', 'Write "*".'],
    ['0 0 9 * * * 2027', 'it has 7 fields'],
    // Junk behind and before a number.
    ['5abc * * * *', 'cannot be read'],
    ['10-/5 * * * *', 'cannot be read'],
    ['1e1 * * * *', 'cannot be read'],
    ['0x10 * * * *', 'cannot be read'],
    ['1.9 * * * *', 'cannot be read'],
    ['+5 * * * *', 'cannot be read'],
    ['-5 * * * *', 'cannot be read'],
    ['9/ * * * *', 'cannot be read'],
    ['*/1.5 * * * *', 'cannot be read'],
    ['1-5-7 * * * *', 'cannot be read'],
    ['1, * * * *', 'cannot be read'],
    ['** * * * *', 'cannot be read'],
    ['H * * * *', 'cannot be read'],
    ['MON * * * *', 'cannot be read'],
    ['0 9 * * MONDAY', 'cannot be read'],
    ['٣ * * * *', 'cannot be read'],
    ['001 * * * *', 'is outside the minute field (0 to 59)'],
    ['0 24 * * *', 'is outside the hour field (0 to 23)'],
    ['0 9 0 * *', 'is outside the day field (1 to 31)'],
    ['0 9 * * 8', 'is outside the weekday field (0 to 7)'],
    ['*/0 * * * *', 'has the step 0'],
    ['*/90 * * * *', 'Use intervalSeconds'],
    ['5-1 * * * *', 'ends before it begins'],
    ['0 9 * * FRI-MON', 'ends before it begins'],
    ['0 9 1-7,*/100 * MON', 'has to be first'],
    ['@reboot', 'it has 1 field.'],
  ])('%s is refused: dialects read it differently, or none does (P8.25)', (cron, how) => {
    const problem = checkSchedule({ cron });
    expect(problem).toMatch(/^".*" is not a cron expression: /);
    expect(problem).toContain(how);
    expect(nextTick({ cron }, 0)).toBeUndefined();
  });
});

test('an interval the platform would not take is warned of', () => {
  expect(scheduleWarning({ intervalSeconds: 5 })).toContain('15 s');
  expect(scheduleWarning({ intervalSeconds: 15 })).toBeUndefined();
  expect(scheduleWarning({ cron: '* * * * *' })).toBeUndefined();
  expect(scheduleWarning({ cron: '*/2 * * * * *' })).toContain('it takes five fields');
});

describe('tickAfter', () => {
  const minute = { intervalSeconds: 60 };
  test.each([
    ['on time keeps the beat', minute, 1000, 1000, 61_000],
    ['a little late keeps the beat', minute, 1000, 1500, 61_000],
    ['one missed starts the beat again', minute, 1000, 61_000, 121_000],
    ['a thousand missed are one', minute, 1000, 60_000_500, 60_060_500],
  ])('%s', (_name, schedule, due, now, expected) => {
    expect(tickAfter(schedule, due, now)).toBe(expected);
  });

  test('a cron goes on with the first after now', () => {
    const due = at('2026-01-01T00:00:00Z');
    expect(tickAfter({ cron: '0 * * * *' }, due, at('2026-01-01T05:30:00Z'))).toBe(
      at('2026-01-01T06:00:00Z'),
    );
  });
});

describe('correctedTick', () => {
  test.each([
    ['a clock set back a day', 86_400_000 + 60_000, 0, 60_000],
    ['nothing to correct', 30_000, 0, 30_000],
    ['overdue stays', 1000, 5000, 1000],
  ])('%s', (_name, due, now, expected) => {
    expect(correctedTick({ intervalSeconds: 60 }, due, now)).toBe(expected);
  });
});

test.each([
  // At 3:00 clocks show 4:00.
  ['Pacific/Apia', '0-1 3 25 9 *', '2016-09-24T13:59Z', ['14:00', '14:01']],
  // At 2:00 they show 2:30: what was due at 2:05 comes after what is due at 2:31.
  ['Australia/Lord_Howe', '5,31 2 2 10 *', '2016-10-01T15:29Z', ['15:31', '15:35']],
])(
  'in %s each tick that clocks skip comes once, in the order of time',
  (timezone, cron, from, due) => {
    let after = Date.parse(from);
    const ticks = due.map(() => {
      after = nextTick({ cron, timezone }, after) ?? 0;
      return new Date(after).toISOString().slice(11, 16);
    });
    expect(ticks).toEqual(due);
  },
);
