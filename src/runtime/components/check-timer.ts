import { parseCronExpression } from 'cron-schedule';
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf } from '../../protocol/errors.ts';
import { timerOf } from './timer-of.ts';

/** What keeps a timer prop from ticking, as the end of a sentence; undefined when it ticks. */
export function checkTimer(prop: ConfigurableProp, configured: unknown): string | undefined {
  const timer = timerOf(prop, configured);
  if (timer === undefined) {
    if (prop.optional === true && configured === undefined) return undefined;
    return 'needs a schedule: {"intervalSeconds": 900} or {"cron": "0 * * * *"}';
  }
  if ('intervalSeconds' in timer) {
    return timer.intervalSeconds < 1 ? 'must tick at most once a second' : undefined;
  }
  if (timer.timezone !== undefined && !isTimezone(timer.timezone)) {
    return `names a time zone that does not exist, "${timer.timezone}"`;
  }
  try {
    parseCronExpression(timer.cron);
    return undefined;
  } catch (error) {
    return `has a cron expression that cannot be read, "${timer.cron}": ${messageOf(error)}`;
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
