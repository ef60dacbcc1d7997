/**
 * Calls `act` at once, and then at most once per `intervalMs` however often it is asked: a tree
 * follows the first event of a burst without delay and repaints the rest together.
 */
export function coalesce(
  act: () => void,
  intervalMs: number,
): { readonly request: () => void; readonly dispose: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const run = (): void => {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) run();
    }, intervalMs);
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
