import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  placeOf,
  timeScale,
  type Span,
} from '../../../../src/webview/execution/timeline/time-scale.ts';

const dayMs = 86_400_000;

test('a long stretch in which nothing runs is drawn short, and what runs keeps its proportions', () => {
  const scale = timeScale(
    [
      { from: 0, to: 100 },
      { from: 2 * dayMs, to: 2 * dayMs + 300 },
    ],
    { from: 0, to: 2 * dayMs + 300 },
    0.1,
  );
  expect(scale.stretches.map(({ isGap }) => isGap)).toEqual([false, true, false]);
  const [first, gap, second] = scale.stretches.map(({ start, end }) => end - start);
  expect(gap).toBeLessThan(0.15);
  expect((second ?? 0) / (first ?? 1)).toBeCloseTo(3);
  expect(placeOf(scale, 2 * dayMs + 300)).toBe(1);
});

test('short stretches in which nothing runs are drawn as they are', () => {
  const busy = [
    { from: 0, to: 50 },
    { from: 60, to: 100 },
  ];
  const scale = timeScale(busy, { from: 0, to: 100 }, 0.1);
  expect(scale.stretches).toHaveLength(1);
  expect(placeOf(scale, 60)).toBeCloseTo(0.6);
});

test.each([
  ['a run without a length', [{ from: 21, to: 21 }], 21],
  ['nothing that runs', [], 100],
])('%s fills the line', (_what, busy, to) => {
  const { stretches } = timeScale(busy, { from: 0, to }, 0.1);
  expect(stretches.at(-1)).toMatchObject({ end: 1, isGap: false });
});

const span = fc
  .tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 100_000 }))
  .map(([from, lasts]): Span => ({ from, to: from + lasts }));

test('places go from 0 to 1 and never back, and every stretch and tick is within', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), (busy) => {
      const to = Math.max(0, ...busy.map((one) => one.to));
      const scale = timeScale(busy, { from: 0, to }, 0.1);
      const times = busy.flatMap(({ from, to: end }) => [from, end]).toSorted((a, b) => a - b);
      const places = times.map((time) => placeOf(scale, time));
      for (const [at, place] of places.entries()) {
        expect(place).toBeGreaterThanOrEqual(places[at - 1] ?? 0);
        expect(place).toBeLessThanOrEqual(1 + 1e-9);
      }
      expect(scale.stretches.at(-1)?.end).toBeCloseTo(1);
      for (const { at } of scale.ticks) expect(at >= 0 && at <= 1).toBe(true);
    }),
  );
});
