import type { TimerTrigger } from './host.ts';

/**
 * What a timer's run gets: by its tick, by hand (P8.14), and as `$errors` tells it (P18.5). That of a cron
 * has no `interval_seconds`, as components tell the two apart by it (P8.1 to P8.3).
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
