import { expect, test } from 'vitest';
import { timerHandlers } from '../../../../../src/runtime/api/operations/timers.ts';

const now = Date.UTC(2026, 0, 1, 12);
const preview = (schedule: object) =>
  timerHandlers({ now: () => now })['timers.preview'](schedule, {} as never);

test('a cron expression in words, and its next five ticks in its zone', () => {
  expect(preview({ cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' })).toEqual({
    problem: null,
    warning: null,
    words: 'At 09:00, Monday through Friday',
    next: [2, 5, 6, 7, 8].map((day) => Date.UTC(2026, 0, day, 8)),
  });
});

test('an interval from now on, with what the platform would not take', () => {
  expect(preview({ intervalSeconds: 5 })).toEqual({
    problem: null,
    warning: expect.stringContaining('15 s'),
    words: null,
    next: [5, 10, 15, 20, 25].map((seconds) => now + seconds * 1000),
  });
});

test.each([
  [{ cron: '0 25 * * *' }, /not a cron expression/],
  [{ cron: '0 0 30 2 *' }, /never comes due/],
  [{ cron: '0 0 * * *', timezone: 'Mars/Olympus' }, /not a time zone/],
  [{ intervalSeconds: 0 }, /intervalSeconds/],
  [{}, /needs intervalSeconds or cron/],
])('%j does not tick, and says why', (schedule, problem) => {
  expect(preview(schedule)).toMatchObject({ problem: expect.stringMatching(problem), next: [] });
});
