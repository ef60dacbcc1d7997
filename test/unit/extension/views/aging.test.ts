import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aging } from '../../../../src/extension/views/aging.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

interface Row {
  readonly since: number;
}

/** As VS Code does: what is repainted is asked for its age again. */
function list(count: number, since = Date.now()) {
  const rows = Array.from({ length: count }, (): Row => ({ since }));
  const batches: Row[][] = [];
  const ages = aging<Row>(
    (row) => row.since,
    (batch) => {
      batches.push(batch);
      for (const row of batch) ages.painted(row, Date.now());
    },
  );
  for (const row of rows) ages.painted(row, Date.now());
  return { rows, batches, ages };
}

test('rows whose age reads the same are left alone', () => {
  const { rows, batches, ages } = list(10, Date.now() - 3_600_000);
  vi.advanceTimersByTime(10_000);
  ages.refresh(rows);
  vi.advanceTimersByTime(10_000);
  expect(batches).toEqual([]);
});

test('all that aged get their turn, a few at a time, from the top', () => {
  const { rows, batches, ages } = list(250);
  vi.advanceTimersByTime(120_000);
  ages.refresh(rows);
  expect(batches).toEqual([rows.slice(0, 100)]);
  vi.advanceTimersByTime(10_000);
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
  expect(batches.flat()).toEqual(rows);
});

test('the end of a list whose top ages all the time has its turn', () => {
  const { rows, batches, ages } = list(10_000);
  for (let tick = 0; tick < 4; tick++) {
    vi.advanceTimersByTime(10_000);
    ages.refresh(rows);
  }
  expect(batches.flat()).toContain(rows.at(-1));
});

test('what was painted meanwhile is not painted again', () => {
  const { rows, batches, ages } = list(250);
  vi.advanceTimersByTime(120_000);
  ages.refresh(rows);
  for (const row of rows) ages.painted(row, Date.now());
  vi.advanceTimersByTime(10_000);
  expect(batches.map((batch) => batch.length)).toEqual([100]);
});

test('nothing comes after it was disposed', () => {
  const { rows, batches, ages } = list(250);
  vi.advanceTimersByTime(120_000);
  ages.refresh(rows);
  ages.dispose();
  vi.advanceTimersByTime(10_000);
  expect(batches).toHaveLength(1);
});
