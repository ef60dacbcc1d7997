import { expect, test } from 'vitest';
import type { Point } from '../../../../src/webview/workflow/messages.ts';
import { durationPlot, successPlot } from '../../../../src/webview/workflow/plots.ts';

const point = (at: number, took: number | null, status: Point['status'] = 'succeeded'): Point => ({
  id: `exec_${at}`,
  title: 'POST /',
  status,
  words: null,
  at,
  took,
});

test('durations stand in their order, on a scale of round numbers', () => {
  const plot = durationPlot([point(1, 10), point(2, null, 'running'), point(3, 37), point(4, 20)]);
  expect(plot.marks.map(({ point: { id }, x }) => [id, x])).toEqual([
    ['exec_1', 1 / 6],
    ['exec_3', 3 / 6],
    ['exec_4', 5 / 6],
  ]);
  expect(plot.ticks.map(({ ms }) => ms)).toEqual([0, 20, 40]);
  expect(plot.marks[2]?.y).toBe(0.5);
  expect(plot).toMatchObject({ median: 20, most: 37 });
});

test('one that took much longer than the others does not flatten them', () => {
  const plot = durationPlot([point(1, 10), point(2, 12), point(3, 3_600_000)]);
  expect(plot.ticks[0]).toEqual({ ms: 1, y: 0 });
  expect(plot.marks[0]?.y).toBeGreaterThan(0.1);
  for (const { y } of [...plot.marks, ...plot.ticks]) {
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(1);
  }
});

test('without one that has ended there is nothing to draw', () => {
  expect(durationPlot([point(1, null, 'queued')]).marks).toEqual([]);
  expect(successPlot([point(1, null, 'queued')])).toBeUndefined();
});

test('all at the same moment, or of no time', () => {
  expect(durationPlot([point(1, 0), point(1, 0)]).marks.map(({ y }) => y)).toEqual([0, 0]);
  expect(successPlot([point(1, 0), point(1, 0, 'failed')])?.bars).toHaveLength(1);
});

test('bars are stretches of time; what failed is what they open, and gaps stay gaps', () => {
  const plot = successPlot([
    point(0, 1),
    point(10, 1, 'failed'),
    point(20, 1),
    point(5000, 1, 'cancelled'),
    point(9999, null, 'running'),
    point(10_000, 1),
  ]);
  expect(
    plot?.bars.map(({ succeeded, failed, other, shown }) => [succeeded, failed, other, shown.at]),
  ).toEqual([
    [2, 1, 0, 10],
    [0, 0, 1, 5000],
    [1, 0, 0, 10_000],
  ]);
  expect(plot).toMatchObject({ most: 3, rate: 3 / 4 });
});

test('every execution is in one bar', () => {
  const points = Array.from({ length: 100 }, (_, at) => point(at * 977, 1));
  const { bars = [] } = successPlot(points) ?? {};
  expect(bars.reduce((sum, bar) => sum + bar.succeeded, 0)).toBe(100);
  expect(bars.length).toBeLessThanOrEqual(24);
});
