import { checkSchedule } from '../../events/schedules/schedule.ts';

/**
 * Why a timer does not fire, as a sentence; undefined if it fires.
 * @param props of `$.interface.timer`; values of other types are left to the reading of the file
 */
export function timerProblem({
  cron,
  timezone,
  intervalSeconds,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (cron === undefined && intervalSeconds === undefined) {
    return 'The file does not say when this timer fires.';
  }
  if (cron !== undefined && typeof cron !== 'string') return undefined;
  if (intervalSeconds !== undefined && typeof intervalSeconds !== 'number') return undefined;
  const zone = typeof timezone === 'string' ? timezone : undefined;
  return checkSchedule({ cron, timezone: zone, intervalSeconds });
}
