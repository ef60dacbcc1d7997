/** The order in which a layer's files run: the longest first, so that no long one is left alone at the end. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Seconds that long files took, by their path; a clone that is new has nothing else to go by. */
const recorded = path.join(import.meta.dirname, 'seconds.json');

/**
 * Vitest's own order with the recorded times above it: a fresh clone has no cache of durations, and the size of a file says little
 * about how long it takes.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, number>;
    const bySize = await super.sort(files);
    return longestFirst(bySize, ({ moduleId }) => seconds[path.relative('.', moduleId)]);
  }
}

/**
 * Those with a known time, the longest first; then the others as they were.
 * @param secondsOf how long one takes; undefined when nobody knows
 */
export function longestFirst<T>(
  files: readonly T[],
  secondsOf: (file: T) => number | undefined,
): T[] {
  return files.toSorted((a, b) => (secondsOf(b) ?? 0) - (secondsOf(a) ?? 0));
}
