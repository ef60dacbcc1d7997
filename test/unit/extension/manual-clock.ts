import type { Clock } from '../../../src/extension/clock.ts';

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** Lets time pass; due calls are made in order, each at its own time. */
  advance(ms: number): void;
}

/** @param start epoch ms */
export function manualClock(start = 0): ManualClock {
  let now = start;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
  };
}
