import { base62, randomBase62, type Random } from '../../base/ids.ts';

/** Until the year 8888. */
const timeDigits = 8;
const randomDigits = 19;

/**
 * Makes emit ids: 27 base62 characters in the manner of a KSUID (P10.10), the milliseconds
 * first, so that they sort by time as text.
 */
export function createEmitIds(random: Random): (now: number) => string {
  let lastNow = -1;
  let time = '';
  return (now) => {
    if (now !== lastNow) {
      lastNow = now;
      time = base62(now, timeDigits);
    }
    return time + randomBase62(randomDigits, random);
  };
}
