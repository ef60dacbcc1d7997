/**
 * When a cron expression is due, in any time zone. `croner` knows the calendar; it is asked in UTC only, about
 * wall times, because it has other rules than P8 for days on which clocks change.
 */
import { Cron } from 'croner';
import { readCron, type CronField } from './cron-fields.ts';
import { instantOf, nextTransition, type Zone } from './time-zone.ts';

const hour = 3_600_000;

/** No zone moves its clocks by as much. */
const longestChange = 3 * hour;

export interface CronExpression {
  readonly calendar: Cron;
  readonly everyHour: boolean;
}

/**
 * Parses five fields, six with seconds in front, or `@daily` and the like.
 * @throws CronProblem for anything else
 */
export function parseCron(expression: string): CronExpression {
  const { second, minute, hour: hours, day, month, weekday } = readCron(expression);
  const text = [second, minute, hours, day, month, weekday].map(listed).join(' ');
  // As Vixie cron: of two restricted day fields either is enough, unless one begins with a star.
  const domAndDow = day.star || weekday.star;
  const calendar = new Cron(text, { mode: '6-part', utcOffset: 0, paused: true, domAndDow });
  return { calendar, everyHour: hours.values.length === 24 };
}

function listed({ values }: CronField): string {
  return values.join(',');
}

/**
 * The first tick after the instant `after`; undefined if there is none ("0 0 30 2 *").
 *
 * When clocks change, an expression with fixed hours runs once, even on a day that has its hour twice or not at all; an
 * expression for every hour follows elapsed time (both as Vixie cron does).
 */
export function nextCronTick(cron: CronExpression, zone: Zone, after: number): number | undefined {
  return cron.everyHour ? nextOfEveryHour(cron, zone, after) : nextAtHours(cron, zone, after);
}

function nextAtHours(cron: CronExpression, zone: Zone, after: number): number | undefined {
  // A time that clocks have just skipped is still to come: it is later by the skipped time.
  const offset = Math.min(zone.offsetAt(after - longestChange), zone.offsetAt(after));
  let next: number | undefined;
  for (let wall = nextWall(cron, after + offset); wall !== undefined; wall = nextWall(cron, wall)) {
    if (next !== undefined && wall > next + zone.offsetAt(next)) break;
    const instant = instantOf(wall, zone);
    if (instant > after && (next === undefined || instant < next)) next = instant;
  }
  return next;
}

function nextOfEveryHour(cron: CronExpression, zone: Zone, after: number): number | undefined {
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
function nextWall({ calendar }: CronExpression, after: number): number | undefined {
  return calendar.nextRun(new Date(after))?.getTime();
}
