import { expect, test } from 'vitest';
import { budgetOf, processesToEnd } from '../../../../src/runtime/processes/budget.ts';

const idle = (idleSince: number, isRegular = false) => ({ idleSince, isRegular });

test.for<[number, number, number]>([
  [64, 4, 0],
  [512, 8, 0],
  [1024, 24, 0],
  [2048, 56, 8],
  [24_105, 745, 8],
])(
  'P22.10 a server of %d MB keeps %d regular and %d other idle processes',
  ([mb, regular, other]) => {
    expect(budgetOf(mb)).toEqual({ mostRegular: regular, mostOccasional: other });
  },
);

test('P22.10 the ones that have been idle longest end, of each kind by itself', () => {
  const all = [idle(5), idle(1), idle(3, true), idle(4), idle(2, true), idle(6, true)];
  const ended = (mostRegular: number, mostOccasional: number) =>
    processesToEnd(all, { mostRegular, mostOccasional }).map(({ idleSince }) => idleSince);
  expect(ended(3, 3)).toEqual([]);
  expect(ended(2, 1)).toEqual([2, 4, 1]);
  expect(ended(0, 3)).toEqual([6, 3, 2]);
});
