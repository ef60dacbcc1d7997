/** Use `clock.ts`; this goes when nothing imports it any more. */
import { systemClock } from './clock.ts';

export { longestWaitMs } from './clock.ts';

/** Calls back once after so many ms; returns what takes that back. Injected wherever something waits. */
export type SetTimer = (callback: () => void, ms: number) => () => void;

/** The system's timer. It does not keep the process alive. */
export const systemTimer: SetTimer = (callback, ms) => systemClock.after(ms, callback);
