import { expect, test } from 'vitest';
import { parseSchedule } from '../../../../src/extension/forms/schedule.ts';

test.each([
  ['90s', { intervalSeconds: 90 }],
  ['15 minutes', { intervalSeconds: 900 }],
  ['2h', { intervalSeconds: 7200 }],
  ['1 day', { intervalSeconds: 86_400 }],
  [' 0 9 * * 1-5 ', { cron: '0 9 * * 1-5' }],
])('%j is a schedule', (text, schedule) => {
  expect(parseSchedule(text)).toEqual(schedule);
});

test.each([
  ['', /interval such as/],
  ['soon', /interval such as/],
  ['5s', /15 seconds/],
])('%j is none', (text, problem) => {
  expect(parseSchedule(text)).toMatch(problem);
});
