/** Timers in the store that cannot tick, such as one whose schedule an earlier version of Weir took (pure). */
import { checkSchedule } from '../events/schedules/schedule.ts';
import type { Store } from '../store/store.ts';

/** A sentence for each timer that does not tick, and what to do about it. */
export function unreadableTimers({ sources, workflows }: Pick<Store, 'sources' | 'workflows'>) {
  return [...sources.all(), ...workflows.all()].flatMap(({ name, active, interfaces }) =>
    interfaces.flatMap((timer): string[] => {
      if (timer.kind !== 'timer' || !active) return [];
      const problem = checkSchedule(timer);
      return problem === undefined ? [] : [unreadableTimer(name, problem)];
    }),
  );
}

/** @param problem a sentence of `checkSchedule` */
export function unreadableTimer(name: string, problem: string): string {
  return `The timer of ${name} does not tick: ${problem} Deploy ${name} again with another schedule.`;
}
