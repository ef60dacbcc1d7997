/** How long to wait before the next attempt to connect. */

const firstMs = 100;
const longestMs = 5000;

/**
 * Doubles from 100 ms to 5 s, ±20 % so that several windows do not come all at once.
 * @param attempt 0 for the first wait
 * @param random a number of [0, 1)
 */
export function backoff(attempt: number, random: number): number {
  const base = Math.min(firstMs * 2 ** attempt, longestMs);
  return Math.round(base * (0.8 + 0.4 * random));
}
