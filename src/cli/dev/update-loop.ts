/** Runs `work` once per request, never twice at a time: what is asked for meanwhile is done after. */
export function updateLoop(work: () => Promise<void>): {
  request(): void;
  /** Resolves when nothing is going on. */
  idle(): Promise<void>;
} {
  let running: Promise<void> | undefined;
  let asked = false;
  const loop = async (): Promise<void> => {
    while (asked) {
      asked = false;
      await work();
    }
    running = undefined;
  };
  return {
    request() {
      asked = true;
      running ??= loop();
    },
    idle: () => running ?? Promise.resolve(),
  };
}
