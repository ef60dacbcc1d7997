import type { TimerTrigger } from './host.ts';

/**
 * The event of a timer's run: by its tick, by hand (P8.14), and in `$errors` (P18.5). The event of a cron timer has no
 * `interval_seconds`, because components distinguish the two by it (P8.1 to P8.3).
 */
export function timerEvent({
  timestamp,
  cron,
  intervalSeconds,
  timezone,
}: Omit<TimerTrigger, 'kind' | 'prop'>): Readonly<Record<string, unknown>> {
  if (cron === undefined) return { timestamp, interval_seconds: intervalSeconds };
  return { timestamp, cron, ...(timezone === undefined ? {} : { timezone }) };
}
