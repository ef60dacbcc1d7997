/** When a timer ticks (pure). The rules are P8. */
import { nextCronTick, parseCron, type CronExpression } from './cron.ts';
import { CronProblem } from './cron-fields.ts';
import { utc, zoneNamed } from './time-zone.ts';

/** Exactly one of `intervalSeconds` and `cron` is set. An `InterfaceRecord` of a timer is one. */
export interface Schedule {
  readonly intervalSeconds?: number | undefined;
  readonly cron?: string | undefined;
  /** IANA name, of a cron only; UTC when left out. */
  readonly timezone?: string | undefined;
}

/** The platform's minimum; here it only gives a warning. */
const platformMinimumSeconds = 15;
/** Ten years: the public registry has a timer of a thousand days. */
const maximumSeconds = 10 * 366 * 86_400;

/** What is wrong with a schedule, as a sentence; undefined if it will tick. */
export function checkSchedule(schedule: Schedule): string | undefined {
  const { intervalSeconds, cron, timezone } = schedule;
  if (intervalSeconds !== undefined && cron !== undefined) {
    return 'A timer has either intervalSeconds or cron, not both.';
  }
  if (cron !== undefined) return checkCron(cron, timezone);
  if (intervalSeconds === undefined) return 'A timer needs intervalSeconds or cron.';
  if (!(intervalSeconds >= 1 && intervalSeconds <= maximumSeconds)) {
    return `intervalSeconds must be a number from 1 to ${maximumSeconds}, not ${intervalSeconds}.`;
  }
  return undefined;
}

function checkCron(cron: string, timezone: string | undefined): string | undefined {
  const zone = timezone === undefined ? utc : zoneNamed(timezone);
  if (zone === undefined) {
    return `"${timezone}" is not a time zone. Give one by its IANA name, such as "Europe/Berlin".`;
  }
  const parsed = parsedCron(cron);
  if (parsed instanceof CronProblem) {
    return `"${cron}" is not a cron expression: ${parsed.message}`;
  }
  const due = nextCronTick(parsed, zone, 0);
  return due === undefined ? `The cron expression "${cron}" never comes due.` : undefined;
}

function parsedCron(cron: string): CronExpression | CronProblem {
  try {
    return parseCron(cron);
  } catch (error) {
    if (error instanceof CronProblem) return error;
    throw error;
  }
}

/** A warning about a schedule that the platform would refuse; the deploy continues. */
export function scheduleWarning({ intervalSeconds, cron }: Schedule): string | undefined {
  if (cron !== undefined && cron.trim().split(/\s+/).length === 6) {
    return `The cron expression "${cron}" has seconds, which the platform does not know: it takes five fields.`;
  }
  if (intervalSeconds === undefined || intervalSeconds >= platformMinimumSeconds) return undefined;
  return `A timer of ${intervalSeconds} s runs here, but the platform's shortest is ${platformMinimumSeconds} s.`;
}

/**
 * The tick after the instant `after` (both epoch ms); undefined for a schedule that `checkSchedule`
 * refuses. An interval counts from `after`: the first tick is one interval after the activation.
 */
export function nextTick(schedule: Schedule, after: number): number | undefined {
  if (schedule.intervalSeconds !== undefined) return after + schedule.intervalSeconds * 1000;
  const zone = zoneNamed(schedule.timezone ?? 'UTC');
  if (schedule.cron === undefined || zone === undefined) return undefined;
  const parsed = parsedCron(schedule.cron);
  return parsed instanceof CronProblem ? undefined : nextCronTick(parsed, zone, after);
}

/**
 * The tick after one that was due at `due` and noticed at `now`. An interval counts from `due`; when at
 * least one more tick was missed (the machine slept, nothing ran), it counts from `now`, so that the
 * one run that makes up for them all is not followed by the next at once.
 */
export function tickAfter(schedule: Schedule, due: number, now: number): number | undefined {
  const next = nextTick(schedule, due);
  return next !== undefined && next > now ? next : nextTick(schedule, now);
}

/**
 * When a tick is due after the clock was set back: no later than the schedule puts it from `now`, or
 * an interval of a minute could wait for a day. One that is overdue stays as it is.
 */
export function correctedTick(schedule: Schedule, due: number, now: number): number {
  if (due <= now) return due;
  return Math.min(due, nextTick(schedule, now) ?? due);
}
