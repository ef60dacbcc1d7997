import { expect, test } from 'vitest';
import { RowCounts } from '../../../../../src/runtime/store/postgres/row-counts.ts';

const logs = { from: 'logs WHERE emitter = $1', key: ['n'], bytes: '0' };

/** A table of which each answer is asked for by hand. */
class Table {
  readonly asked: (readonly unknown[])[] = [];
  readonly #answers: ((rows: { count: number; bytes: number }[]) => void)[] = [];

  readonly read = (_sql: string, values: readonly unknown[] = []) => {
    this.asked.push(values);
    return new Promise<{ count: number; bytes: number }[]>((resolve) => {
      this.#answers.push(resolve);
    });
  };

  answer(count: number): void {
    this.#answers.shift()?.([{ count, bytes: 10 * count }]);
  }

  of(counts: RowCounts, newest: number | undefined) {
    return counts.of(this.read, 7, logs, newest === undefined ? undefined : [newest]);
  }
}

test('what was counted once is not counted again', async () => {
  const [counts, table] = [new RowCounts(), new Table()];
  const first = table.of(counts, 500);
  table.answer(500);
  expect(await first).toMatchObject({ count: 500, bytes: 5000 });
  counts.removed(logs, { count: 100, bytes: 1000 });
  const second = table.of(counts, 620);
  table.answer(120);
  expect(await second).toMatchObject({ count: 520, bytes: 5200 });
  expect(table.asked).toEqual([
    [7, 500],
    [7, 620, 500],
  ]);
});

test('nothing is asked where nothing can be new', async () => {
  const [counts, table] = [new RowCounts(), new Table()];
  expect(await table.of(counts, undefined)).toEqual({ count: 0, bytes: 0 });
  const first = table.of(counts, 5);
  table.answer(5);
  await first;
  expect(await table.of(counts, 5)).toMatchObject({ count: 5 });
  expect(table.asked).toHaveLength(1);
});

test('what is removed while it counts is taken off', async () => {
  const [counts, table] = [new RowCounts(), new Table()];
  const first = table.of(counts, 300);
  table.answer(300);
  await first;
  const second = table.of(counts, 310);
  counts.removed(logs, { count: 50, bytes: 500 });
  table.answer(10);
  expect(await second).toMatchObject({ count: 260, bytes: 2600 });
});

test('two that count at once add the new rows once', async () => {
  const [counts, table] = [new RowCounts(), new Table()];
  const first = table.of(counts, 300);
  table.answer(300);
  await first;
  const both = [table.of(counts, 310), table.of(counts, 320)];
  table.answer(10);
  table.answer(20);
  expect(await Promise.all(both)).toMatchObject([{ count: 310 }, { count: 310 }]);
  const next = table.of(counts, 320);
  table.answer(10);
  expect(await next).toMatchObject({ count: 320 });
});

test('what was forgotten is counted from the beginning, also where that happens meanwhile', async () => {
  const [counts, table] = [new RowCounts(), new Table()];
  const first = table.of(counts, 300);
  counts.forget();
  table.answer(300);
  await first;
  const again = table.of(counts, 300);
  table.answer(20);
  expect(await again).toMatchObject({ count: 20 });
  expect(table.asked.at(-1)).toEqual([7, 300]);
});
