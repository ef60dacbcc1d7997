/** The schedule of a `$.interface.timer` prop: what the component and the user say about it. */
import type { ConfigurableProp } from '../../../protocol/definition.ts';
import { isRecord } from '../../../protocol/record.ts';
import { readTimer, type TimerSchedule } from '../../../protocol/effective-props.ts';
import { checkSchedule } from '../../events/schedules/schedule.ts';

export type { TimerSchedule };

/**
 * The schedule of a timer prop. `static` is set by the component and cannot be configured; otherwise
 * what is configured wins over `default`, and that over the spelling of 2020 on the prop itself
 * (P3.8, P3.9). `cron` wins over an interval given beside it (P8.5).
 *
 * @returns undefined when no schedule is given, or none that is well formed
 */
export function timerOf(prop: ConfigurableProp, configured: unknown): TimerSchedule | undefined {
  const candidates =
    prop.static === undefined ? [configured, prop.default, prop] : [prop.static, configured];
  for (const candidate of candidates) {
    const timer = readTimer(candidate);
    if (timer !== undefined) return timer;
  }
  return undefined;
}

/** Why a timer prop does not tick, as the end of a sentence; undefined if it ticks. */
export function timerProblem(prop: ConfigurableProp, configured: unknown): string | undefined {
  const timer = timerOf(prop, configured);
  if (timer === undefined) {
    if (prop.optional === true && configured === undefined) return undefined;
    const wrong = intervalIn(configured);
    if (wrong !== undefined)
      return `cannot tick: intervalSeconds must be a number from 1, not ${JSON.stringify(wrong)}`;
    return 'needs a schedule: {"intervalSeconds": 900} or {"cron": "0 * * * *"}';
  }
  const problem = checkSchedule(timer);
  return problem === undefined ? undefined : `cannot tick: ${problem.replace(/\.$/, '')}`;
}

/** The interval that a value gives, whatever it is. */
function intervalIn(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  return value['intervalSeconds'] ?? value['interval_seconds'];
}
