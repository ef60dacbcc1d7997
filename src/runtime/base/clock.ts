/** The one clock. Whatever waits or asks what time it is gets it injected. */
export interface Clock {
  /** Epoch ms. It may be set, forward or back. */
  now(): number;
  /** Ms since some moment: it is never set, so it measures how long something takes. */
  elapsed(): number;
  /**
   * Calls back once, `ms` milliseconds from now. Does not keep the process alive.
   * @returns cancels it; does nothing once it has been called
   */
  after(ms: number, callback: () => void): () => void;
}

/** The clock and the timers of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves when `work` has settled, however it went, or `ms` from now. */
export async function settledWithin(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<unknown>,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(ms, resolve);
    const settle = (): void => {
      cancel();
      resolve();
    };
    work.then(settle, settle);
  });
}

/**
 * The longest single wait for a point in time, in ms; after it, the clock is read again. A system timer
 * does not count the time a machine sleeps, does not notice that the clock was set, and cannot wait
 * longer than 2^31 ms.
 */
export const longestWaitMs = 30_000;
