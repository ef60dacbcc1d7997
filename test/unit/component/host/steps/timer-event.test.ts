import { expect, test } from 'vitest';
import { workflowTimerEvent } from '../../../../../src/component/host/steps/timer-event.ts';

test('P25.12: a timer tells a workflow the moment in its own time zone and in UTC', () => {
  const timestamp = Date.UTC(2026, 6, 31, 22, 5, 9) / 1000;
  const event = workflowTimerEvent({
    kind: 'timer',
    prop: '0',
    timestamp,
    cron: '5 0 * * *',
    timezone: 'Europe/Berlin',
  });
  expect(event).toEqual({
    timestamp,
    cron: '5 0 * * *',
    timezone: 'Europe/Berlin',
    timezone_configured: {
      timezone: 'Europe/Berlin',
      iso8601: {
        timestamp: '2026-08-01T00:05:09+02:00',
        date: '2026-08-01',
        time: '00:05:09',
        timezone_offset: '+02:00',
      },
      weekday: 'Saturday',
    },
    timezone_utc: {
      timezone: 'UTC',
      iso8601: {
        timestamp: '2026-07-31T22:05:09+00:00',
        date: '2026-07-31',
        time: '22:05:09',
        timezone_offset: '+00:00',
      },
      weekday: 'Friday',
    },
  });
});

test('P25.12: one with an interval says so', () => {
  const event = workflowTimerEvent({ kind: 'timer', prop: '0', timestamp: 0, intervalSeconds: 60 });
  expect(event).toMatchObject({
    interval_seconds: 60,
    timezone_configured: { timezone: 'UTC', iso8601: { date: '1970-01-01' } },
  });
});
