/**
 * When a cron expression is due, in any time zone. `cron-schedule` parses it and knows the calendar,
 * but computes in the time zone of the machine. So it is asked for days only, at noon, which no change
 * of clocks anywhere skips; hours and zones are computed here.
 */
import { Cron, parseCronExpression } from 'cron-schedule';
import { instantOf, nextTransition, type Zone } from './time-zone.ts';

const second = 1000;
const hour = 3_600_000;
const day = 24 * hour;

/** No zone moves its clocks by as much. */
const longestChange = 3 * hour;

/** Parses five fields, six with seconds in front, or `@daily` and the like. Throws for anything else. */
export function parseCron(expression: string): Cron {
  return parseCronExpression(expression.trim().replaceAll(/\s+/g, ' '));
}

/**
 * The first tick after the instant `after`; undefined when there is none in five years, which is never
 * ("0 0 30 2 *").
 *
 * When clocks change, an expression with fixed hours runs once, even where the day has its hour twice or
 * not at all; one for every hour follows elapsed time (both as Vixie cron does).
 */
export function nextCronTick(cron: Cron, zone: Zone, after: number): number | undefined {
  return cron.hours.length === 24
    ? nextOfEveryHour(cron, zone, after)
    : nextAtHours(cron, zone, after);
}

function nextAtHours(cron: Cron, zone: Zone, after: number): number | undefined {
  // What clocks have just skipped is still to come: it is as much later as they skipped.
  const offset = Math.min(zone.offsetAt(after - longestChange), zone.offsetAt(after));
  let next: number | undefined;
  for (let wall = nextWall(cron, after + offset); wall !== undefined; wall = nextWall(cron, wall)) {
    if (next !== undefined && wall > next + zone.offsetAt(next)) break;
    const instant = instantOf(wall, zone);
    if (instant > after && (next === undefined || instant < next)) next = instant;
  }
  return next;
}

function nextOfEveryHour(cron: Cron, zone: Zone, after: number): number | undefined {
  const offset = zone.offsetAt(after);
  const wall = nextWall(cron, after + offset);
  if (wall === undefined) return undefined;
  const instant = wall - offset;
  if (zone.offsetAt(instant) === offset) return instant;
  const transition = nextTransition(zone, after, instant);
  const newOffset = zone.offsetAt(transition);
  const afterTransition = nextWall(cron, transition + newOffset - 1);
  return afterTransition === undefined ? undefined : afterTransition - newOffset;
}

/** The first wall time after `after` that matches the expression. */
function nextWall(cron: Cron, after: number): number | undefined {
  const today = Math.floor(after / day) * day;
  const timeToday = nextTime(cron, after - today);
  const first = nextDay(cron, today - day);
  if (first === today && timeToday !== undefined) return today + timeToday;
  const later = first === today ? nextDay(cron, today) : first;
  const earliest = nextTime(cron, -1);
  return later === undefined || earliest === undefined ? undefined : later + earliest;
}

/** The first time of day after `after`, in ms since midnight. */
function nextTime(cron: Cron, after: number): number | undefined {
  for (const h of cron.hours) {
    if (h * hour + hour <= after) continue;
    for (const m of cron.minutes) {
      for (const s of cron.seconds) {
        const time = h * hour + m * 60 * second + s * second;
        if (time > after) return time;
      }
    }
  }
  return undefined;
}

/** Midnight (as a wall time) of the first day after the day `after` that matches the expression. */
function nextDay(cron: Cron, after: number): number | undefined {
  const from = new Date(after);
  const noon = new Date(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate(), 12);
  try {
    const found = atNoon(cron).getNextDate(noon);
    return Date.UTC(found.getFullYear(), found.getMonth(), found.getDate());
  } catch {
    // That is how the library says that it found none in five years.
    return undefined;
  }
}

function atNoon(cron: Cron): Cron {
  return new Cron({
    seconds: new Set([0]),
    minutes: new Set([0]),
    hours: new Set([12]),
    days: new Set(cron.days),
    months: new Set(cron.months),
    weekdays: new Set(cron.weekdays),
  });
}
