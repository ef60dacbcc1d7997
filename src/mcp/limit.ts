/** How often something may be done within a minute (pure but for what it remembers). */
import { WeirError } from '../protocol/errors.ts';

const minuteMs = 60_000;

/**
 * @returns counts one call; throws `conflict`, saying when the next may come, for one too many
 * @param now epoch milliseconds
 * @param hint what else can be done, behind the time to wait
 */
export function createLimit(perMinute: number, now: () => number, hint = ''): () => void {
  let calls: number[] = [];
  return () => {
    const at = now();
    calls = calls.filter((call) => call > at - minuteMs);
    const [oldest] = calls;
    if (oldest !== undefined && calls.length >= perMinute) {
      const seconds = Math.ceil((oldest + minuteMs - at) / 1000);
      throw new WeirError(
        'conflict',
        `More than ${perMinute} calls in a minute are not allowed here; wait ${seconds} s${hint}.`,
      );
    }
    calls.push(at);
  };
}
