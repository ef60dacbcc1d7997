import { expect, test } from 'vitest';
import { ages as createAges, whileVisible } from '../../../../src/extension/views/ages.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const start = 1_000_000_000;

interface Row {
  readonly since: number;
}

/** As VS Code does: what is repainted is asked for its age again. */
function list(count: number, since = start) {
  const clock = new FakeClock(start);
  const rows = Array.from({ length: count }, (): Row => ({ since }));
  const batches: Row[][] = [];
  const ages = createAges<Row>(
    clock,
    (row) => row.since,
    (batch) => {
      batches.push(batch);
      for (const row of batch) ages.painted(row);
    },
  );
  for (const row of rows) ages.painted(row);
  return { rows, batches, ages, clock };
}

test('rows whose age reads the same are left alone', () => {
  const { rows, batches, ages, clock } = list(10, start - 3_600_000);
  clock.pass(10_000);
  ages.refresh(rows);
  clock.pass(10_000);
  expect(batches).toEqual([]);
});

test('all that aged get their turn, a few at a time, from the top', () => {
  const { rows, batches, ages, clock } = list(250);
  clock.pass(120_000);
  ages.refresh(rows);
  expect(batches).toEqual([rows.slice(0, 100)]);
  clock.pass(10_000);
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
  expect(batches.flat()).toEqual(rows);
});

test('the end of a list whose top ages all the time has its turn', () => {
  const { rows, batches, ages, clock } = list(10_000);
  for (let tick = 0; tick < 4; tick++) {
    clock.pass(10_000);
    ages.refresh(rows);
  }
  expect(batches.flat()).toContain(rows.at(-1));
});

test('rows that were painted in the meantime are not painted again', () => {
  const { rows, batches, ages, clock } = list(250);
  clock.pass(120_000);
  ages.refresh(rows);
  for (const row of rows) ages.painted(row);
  clock.pass(10_000);
  expect(batches.map((batch) => batch.length)).toEqual([100]);
});

test('does nothing after it was disposed', () => {
  const { rows, batches, ages, clock } = list(250);
  clock.pass(120_000);
  ages.refresh(rows);
  ages.dispose();
  clock.pass(10_000);
  expect(batches).toHaveLength(1);
});

test('only while a view is visible something is done every ten seconds', () => {
  const clock = new FakeClock(start);
  let tell: (change: { readonly visible: boolean }) => void = () => undefined;
  let count = 0;
  const view = {
    visible: true,
    onDidChangeVisibility(listener: typeof tell) {
      tell = listener;
      return { dispose() {} };
    },
  };
  const following = whileVisible(clock, view, () => (count += 1));
  clock.pass(25_000);
  expect(count).toBe(2);
  tell({ visible: false });
  clock.pass(60_000);
  expect(count).toBe(2);
  tell({ visible: true });
  clock.pass(10_000);
  expect(count).toBe(3);
  following.dispose();
  clock.pass(60_000);
  expect(count).toBe(3);
});
