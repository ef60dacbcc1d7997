import { expect, test } from 'vitest';
import { manualEvent } from '../../../../../src/runtime/api/operations/sources.ts';
import { source } from '../../../../support/records.ts';

test.each([
  [
    'a cron with a time zone',
    { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
    { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
  ],
  ['a cron', { cron: '0 9 * * *' }, { cron: '0 9 * * *' }],
  ['an interval', { intervalSeconds: 60 }, { interval_seconds: 60 }],
])('a run by hand gets what %s would give it (P8.14)', (_what, schedule, told) => {
  const timer = { id: 'ti_1', prop: 'timer', kind: 'timer', ...schedule } as const;
  const record = { ...source('dc_1'), interfaces: [timer] };
  expect(manualEvent(record, 1_700_000_000_900)).toEqual({ timestamp: 1_700_000_000, ...told });
});

test('a source without a timer gets an empty event', () => {
  expect(manualEvent(source('dc_1'), 0)).toEqual({});
});
