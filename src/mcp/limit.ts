/** How often something may be done within a minute (pure but for what it remembers). */
import { WeirError } from '../protocol/errors.ts';

const minuteMs = 60_000;

/**
 * @returns counts one call; throws `conflict`, saying when the next may come, for more than so many
 * @param now epoch milliseconds
 */
export function createLimit(now: () => number): (perMinute: number) => void {
  let calls: number[] = [];
  return (perMinute) => {
    const at = now();
    calls = calls.filter((call) => call > at - minuteMs);
    const [oldest] = calls;
    if (oldest !== undefined && calls.length >= perMinute) {
      const seconds = Math.ceil((oldest + minuteMs - at) / 1000);
      throw new WeirError(
        'conflict',
        `More than ${perMinute} calls in a minute are not allowed here; wait ${seconds} s.`,
      );
    }
    calls.push(at);
  };
}
