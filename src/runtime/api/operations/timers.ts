import { toString as describeCron } from 'cronstrue';
import {
  checkSchedule,
  nextTick,
  scheduleWarning,
  type Schedule,
} from '../../events/schedules/schedule.ts';
import type { Handlers } from './operations.ts';

const ticksShown = 5;

export function timerHandlers({
  now,
}: {
  readonly now: () => number;
}): Pick<Handlers, 'timers.preview'> {
  return {
    'timers.preview': (schedule) => {
      const problem = checkSchedule(schedule) ?? null;
      return {
        problem,
        warning: scheduleWarning(schedule) ?? null,
        words: inWords(schedule.cron),
        next: problem === null ? ticks(schedule, now()) : [],
      };
    },
  };
}

function ticks(schedule: Schedule, now: number): number[] {
  const next: number[] = [];
  for (let at = nextTick(schedule, now); at !== undefined; at = nextTick(schedule, at)) {
    next.push(at);
    if (next.length === ticksShown) break;
  }
  return next;
}

/** Null where the describing library is not as well-read as the one that reckons. */
function inWords(cron: string | undefined): string | null {
  if (cron === undefined) return null;
  try {
    return describeCron(cron, { use24HourTimeFormat: true });
  } catch {
    return null;
  }
}
