import type { ConfigurableProp } from '../../protocol/definition.ts';
import { checkSchedule } from '../triggers/timer-schedule.ts';
import { timerOf } from './timer-of.ts';

/** What keeps a timer prop from ticking, as the end of a sentence; undefined when it ticks. */
export function checkTimer(prop: ConfigurableProp, configured: unknown): string | undefined {
  const timer = timerOf(prop, configured);
  if (timer === undefined) {
    if (prop.optional === true && configured === undefined) return undefined;
    return 'needs a schedule: {"intervalSeconds": 900} or {"cron": "0 * * * *"}';
  }
  const problem = checkSchedule(timer);
  return problem === undefined ? undefined : `cannot tick: ${problem.replace(/\.$/, '')}`;
}
