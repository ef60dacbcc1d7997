import type { Cancel, Clock } from './clock.ts';
import type { Disposable } from './signal.ts';

/** How often something happens, however often it is asked for. */
export interface Coalesced {
  readonly request: () => void;
  readonly dispose: () => void;
}

/**
 * Calls `act` at once, and then at most once per interval however often it is requested: a tree
 * follows the first event of a burst without delay and repaints the rest together.
 * @param intervalMs a function is asked before each call
 */
export function coalesce(
  clock: Clock,
  intervalMs: number | (() => number),
  act: () => void,
): Coalesced {
  let cancel: Cancel | undefined;
  let again = false;
  const run = (): void => {
    again = false;
    const ms = typeof intervalMs === 'number' ? intervalMs : intervalMs();
    cancel = clock.after(ms, () => {
      cancel = undefined;
      if (again) run();
    });
    act();
  };
  return {
    request() {
      if (cancel === undefined) run();
      else again = true;
    },
    dispose() {
      cancel?.();
      cancel = undefined;
      again = false;
    },
  };
}

/** Something that happens once requests have stopped coming in. */
export interface Debounced {
  /** Starts the wait again, in ms. */
  readonly request: (ms: number) => void;
  readonly dispose: () => void;
}

export function debounce(clock: Clock, act: () => void): Debounced {
  let cancel: Cancel | undefined;
  return {
    request(ms) {
      cancel?.();
      cancel = clock.after(ms, act);
    },
    dispose: () => cancel?.(),
  };
}

/** Calls `act` every `ms`, the first time after as long, until it is disposed. */
export function every(clock: Clock, ms: number, act: () => void): Disposable {
  const next = (): Cancel =>
    clock.after(ms, () => {
      cancel = next();
      act();
    });
  let cancel = next();
  return { dispose: () => cancel() };
}
