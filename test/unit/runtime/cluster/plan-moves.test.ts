import { expect, test } from 'vitest';
import { type NodeLoad, planMoves } from '../../../../src/runtime/cluster/plan-moves.ts';

const names = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `dc_${from}_${i}`);

function after(loads: readonly NodeLoad[]): number[] {
  const sizes = new Map(loads.map(({ node, movable, fixed }) => [node, movable.length + fixed]));
  for (const { from, to } of planMoves(loads)) {
    sizes.set(from, (sizes.get(from) ?? 0) - 1);
    sizes.set(to, (sizes.get(to) ?? 0) + 1);
  }
  return [...sizes.values()];
}

test('sources are shared out until nodes differ by one', () => {
  expect(
    after([1, 2, 3].map((node) => ({ node, movable: node === 1 ? names(1, 8) : [], fixed: 0 }))),
  ).toEqual([3, 3, 2]);
});

test('what may not move counts, and stays', () => {
  const loads = [
    { node: 1, movable: names(1, 2), fixed: 5 },
    { node: 2, movable: [], fixed: 1 },
  ];
  expect(after(loads)).toEqual([5, 3]);
});

test('nothing moves where nodes differ by one at most', () => {
  expect(
    planMoves([
      { node: 1, movable: names(1, 3), fixed: 0 },
      { node: 2, movable: names(2, 2), fixed: 0 },
    ]),
  ).toEqual([]);
  expect(planMoves([{ node: 1, movable: names(1, 9), fixed: 0 }])).toEqual([]);
});

test('the fewest move: none of a node that has too few goes away, and none twice', () => {
  const moves = planMoves([
    { node: 1, movable: names(1, 7), fixed: 0 },
    { node: 2, movable: names(2, 1), fixed: 0 },
    { node: 3, movable: names(3, 4), fixed: 0 },
  ]);
  expect(moves).toHaveLength(3);
  expect(moves.every(({ from, to }) => from === 1 && to === 2)).toBe(true);
  expect(new Set(moves.map(({ id }) => id)).size).toBe(3);
});
