/** The order of test files: what takes long begins early. */
import { expect, test } from 'vitest';
import { longestFirst } from '../../../scripts/test/longest-first.mts';

test('files of known length come first, the longest at the head; the others keep their order', () => {
  const known: Record<string, number> = { long: 90, short: 12 };
  expect(longestFirst(['b', 'short', 'a', 'long'], (file) => known[file])).toEqual([
    'long',
    'short',
    'b',
    'a',
  ]);
});
