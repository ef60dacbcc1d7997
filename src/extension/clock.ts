/** Time as a dependency: whatever waits, or asks how long ago something was, gets a clock. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /**
   * Calls back once, `ms` from now.
   * @returns cancels the call; without effect once it was made
   */
  after(ms: number, callback: () => void): Cancel;
}

export type Cancel = () => void;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    // A process that has nothing else to do ends, whatever is still scheduled.
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};
