import { expect, test } from 'vitest';
import { matcherOf } from '../../../../../src/runtime/store/search/words.ts';
import { matchOf } from '../../../../../src/runtime/store/sqlite/search/match.ts';

test('a query without a word asks nothing of the index', () => {
  expect(matchOf('"*"', 1)).toBeUndefined();
  expect(matcherOf('')('anything')).toBe(false);
});
