import { expect, test } from 'vitest';
import { OptionPages } from '../../../src/client/option-pages.ts';

const options = (...values: unknown[]) => values.map((value) => ({ label: String(value), value }));

test('pages follow each other with the context of the one before', () => {
  const pages = new OptionPages();
  expect(pages.request('p', false)).toEqual({ page: 0 });
  pages.answered('p', { options: options(1), context: { token: 'a' } });
  expect(pages.request('p', true)).toEqual({ page: 1, prev_context: { token: 'a' } });
  pages.answered('p', { options: options(2), context: null });
  expect(pages.request('p', true)).toEqual({ page: 2, prev_context: {} });
  expect(pages.request('p', false)).toEqual({ page: 0 });
});

test.each([
  ['an array may go on', options(1, 2), null, true],
  ['nothing is the end', [], null, false],
  ['a token says there is more', options(1), { nextPageToken: 'x' }, true],
  ['an empty context is the end', options(1), {}, false],
  ['so is one whose token is empty', options(1), { nextPageToken: null, after: '' }, false],
])('%s', (_, answered, context, more) => {
  const pages = new OptionPages();
  expect(pages.answered('p', { options: answered, context }).more).toBe(more);
});

test('a list that knows no pages gives the same again: nothing is shown twice, and it ends', () => {
  const pages = new OptionPages();
  pages.request('p', false);
  pages.answered('p', { options: options('a', 'b'), context: null });
  pages.request('p', true);
  expect(pages.answered('p', { options: options('a', 'b'), context: null })).toEqual({
    options: [],
    more: false,
  });
});
