import { inspect } from 'node:util';

/** Notes what a probe found, for the message of a wait that fails; hands it back. */
export type Seen = <T>(value: T) => T;

/**
 * Waits until `probe` gives something other than `undefined` or `false`, and returns that. A probe that
 * throws ends the wait. The editor layer bundles this file: it knows no test runner.
 *
 * @param what is waited for, for the message
 * @param probe is asked again and again, see `pauseAfter`
 * @param ms throws after so long, with `what` and what the probe noted last
 */
export async function until<T>(
  what: string,
  probe: (seen: Seen) => T | undefined | false | Promise<T | undefined | false>,
  ms = 45_000,
): Promise<T> {
  const began = performance.now();
  const end = began + ms;
  let last = '';
  const seen: Seen = (value) => {
    last = `; last seen: ${inspect(value, { depth: 4, maxStringLength: 2000 })}`;
    return value;
  };
  for (;;) {
    const found = await probe(seen);
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited ${ms} ms for ${what}${last}`);
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(performance.now() - began)));
  }
}

const shortestPauseMs = 20;
const longestPauseMs = 100;

/**
 * Returns the ms until a probe is asked again: a tenth of the ms waited so far. Probes of a long wait would otherwise
 * take a core from what is waited for.
 */
function pauseAfter(waitedMs: number): number {
  return Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs / 10));
}
