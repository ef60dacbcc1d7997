import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SlowRuns } from '../../../../src/extension/model/slow-runs.ts';
import * as make from '../make.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const told: string[] = [];
  const runs = new SlowRuns(({ id, status }) => told.push(`${id} ${status}`));
  const begin = (id: string) => runs.take(make.invocation({ id, status: 'running' }));
  const end = (id: string) => runs.take(make.invocation({ id, status: 'succeeded' }));
  return { told, runs, begin, end };
}

test('a quick run is told of once, when it is over', () => {
  const { told, begin, end } = setUp();
  expect(begin('inv_1')).toBe(false);
  vi.advanceTimersByTime(499);
  expect(end('inv_1')).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([]);
});

test('each slow run is told of half a second after it has begun', () => {
  const { told, begin } = setUp();
  begin('inv_1');
  vi.advanceTimersByTime(300);
  begin('inv_2');
  vi.advanceTimersByTime(200);
  expect(told).toEqual(['inv_1 running']);
  vi.advanceTimersByTime(300);
  expect(told).toEqual(['inv_1 running', 'inv_2 running']);
});

test('nothing is told after the end', () => {
  const { told, begin, runs } = setUp();
  begin('inv_1');
  runs.dispose();
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([]);
});
