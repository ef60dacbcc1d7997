import type { TimerTrigger } from '../../../protocol/host.ts';
import { timerEvent } from '../../../protocol/timer-event.ts';

/**
 * The timer event of a workflow: in addition to a source's event, it has the moment as text, in the timer's own time
 * zone and in UTC (P25.12).
 */
export function workflowTimerEvent(trigger: TimerTrigger): object {
  const { timestamp, timezone = 'UTC' } = trigger;
  return {
    ...timerEvent(trigger),
    timezone_configured: momentIn(timezone, timestamp),
    timezone_utc: momentIn('UTC', timestamp),
  };
}

/** @param timestamp epoch seconds */
function momentIn(timezone: string, timestamp: number): object {
  const parts = new Map(
    new Intl.DateTimeFormat('en-US', { ...fields, timeZone: timezone })
      .formatToParts(timestamp * 1000)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}:${part('second')}`;
  // "GMT" alone is UTC.
  const offset = part('timeZoneName').slice(3) || '+00:00';
  return {
    timezone,
    iso8601: { timestamp: `${date}T${time}${offset}`, date, time, timezone_offset: offset },
    weekday: part('weekday'),
  };
}

const fields: Intl.DateTimeFormatOptions = {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  weekday: 'long',
  timeZoneName: 'longOffset',
};
