import { expect, test } from 'vitest';
import { matcherOf, matchOf } from '../../../../../src/runtime/store/sqlite/search/words.ts';

test('a query without a word asks nothing of the index', () => {
  expect(matchOf('"*"', 1)).toBeUndefined();
  expect(matcherOf('')('anything')).toBe(false);
});
