import { expect, test } from 'vitest';
import { formatNumber, formatTable, median } from '../../../bench/harness/figures.mts';

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[10, 2], 6],
])('median of %j', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test.each([
  [55_234, '55,200'],
  [41.26, '41.3'],
  [0.5249, '0.52'],
  [1, '1.00'],
  [0, '0'],
])('%d in a table', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test('a table lines its columns up', () => {
  const rows = [
    ['a', '1'],
    ['long', '1,000'],
  ];
  expect(formatTable(['peer', 'n'], rows).split('\n')).toEqual([
    'peer      n',
    '----  -----',
    'a         1',
    'long  1,000',
  ]);
});
