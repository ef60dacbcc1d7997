/** Calls back once after so many ms; returns what takes that back. Injected wherever something waits. */
export type SetTimer = (callback: () => void, ms: number) => () => void;

/** The system's timer. It does not keep the process alive. */
export const systemTimer: SetTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms).unref();
  return () => clearTimeout(timer);
};

/**
 * So long at most a wait lasts until the clock is looked at again: the time a machine sleeps does not
 * count for a timer of the system, a clock that was set goes unnoticed by it, and it cannot wait above
 * 2^31 ms.
 */
export const longestWaitMs = 30_000;
