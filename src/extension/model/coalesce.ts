/**
 * Calls `act` at once, and then at most once per interval however often it is asked: a tree
 * follows the first event of a burst without delay and repaints the rest together.
 * @param intervalMs asked before each call when it changes
 */
export function coalesce(
  act: () => void,
  intervalMs: number | (() => number),
): { readonly request: () => void; readonly dispose: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const run = (): void => {
    again = false;
    const ms = typeof intervalMs === 'number' ? intervalMs : intervalMs();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) run();
    }, ms);
    act();
  };
  return {
    request() {
      if (timer === undefined) run();
      else again = true;
    },
    dispose() {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  };
}
