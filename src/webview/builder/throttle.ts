/** Lets something be done at once, and again no sooner than a while later: of what is asked meanwhile the last. */
export interface Throttle {
  request(act: () => void): void;
  cancel(): void;
}

/** @param ms the least time between two times */
export function throttle(ms: number): Throttle {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    request(act) {
      cancel();
      const run = (): void => {
        timer = undefined;
        last = performance.now();
        act();
      };
      const wait = last + ms - performance.now();
      if (wait <= 0) run();
      else timer = setTimeout(run, wait);
    },
    cancel,
  };
}

/** How long typing may continue before the file has it, in ms: the first character goes into it at once. */
export const typingPaceMs = 200;
