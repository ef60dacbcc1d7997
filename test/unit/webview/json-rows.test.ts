import { describe, expect, test } from 'vitest';
import {
  chunk,
  keyOf,
  pathText,
  rowsOf,
  startTree,
  toggled,
} from '../../../src/webview/shared/json-rows.ts';

const shown = (tree: ReturnType<typeof startTree>) =>
  rowsOf(tree).map(
    (row) =>
      `${'  '.repeat(row.depth)}${row.kind === 'more' ? `+${row.left}` : (row.name ?? 'root')}`,
  );

describe('a value as rows', () => {
  test('starts two levels deep when that can be read', () => {
    expect(shown(startTree({ a: { b: { c: 1 } }, d: [] }))).toEqual([
      'root',
      '  a',
      '    b',
      '  d',
    ]);
  });

  test('what is long starts folded', () => {
    const many = Array.from({ length: 70 }, () => 0);
    expect(shown(startTree({ few: { x: 1 }, many }))).toEqual(['root', '  few', '    x', '  many']);
  });

  test('shows a hundred at a time', () => {
    const tree = startTree(Array.from({ length: 250 }, (_, n) => n));
    expect(shown(tree).at(-1)).toBe('  +150');
    const more = rowsOf(tree).at(-1);
    if (more === undefined) throw new Error('there is a row');
    const after = toggled(tree, more);
    expect(shown(after).at(-1)).toBe('  +50');
    expect(after.open.get(keyOf([]))).toBe(2 * chunk);
  });

  test('folds and unfolds, and stays on the row', () => {
    const tree = startTree({ a: { b: 1 } });
    const [, a] = rowsOf(tree);
    if (a === undefined) throw new Error('there is a row');
    const folded = toggled(tree, a);
    expect(shown(folded)).toEqual(['root', '  a']);
    expect(folded.current).toBe(a.id);
    const [, again] = rowsOf(folded);
    expect(shown(toggled(folded, again ?? a))).toEqual(shown(tree));
  });

  test.each([[''], [[]], [{}], [null], [7], [undefined]])('%o has nothing to unfold', (value) => {
    expect(rowsOf(startTree(value))).toHaveLength(1);
    expect(rowsOf(startTree(value))[0]).toMatchObject({ open: null });
  });
});

test('what is not shown is not read: 40,000 rows cost what is seen of them', () => {
  let reads = 0;
  const rows = new Proxy(
    Array.from({ length: 40_000 }, (_, id) => ({ id })),
    {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    },
  );
  const tree = startTree({ rows });
  const [, folded] = rowsOf(tree);
  expect(reads).toBe(0);
  if (folded === undefined) throw new Error('there is a row');
  expect(shown(toggled(tree, folded)).at(-1)).toBe('    +39900');
  expect(reads).toBeLessThanOrEqual(2 * chunk);
});

test('“more” moves on to the first child that was not shown', () => {
  const tree = startTree(Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`k${n}`, n])));
  const more = rowsOf(tree).at(-1);
  if (more === undefined) throw new Error('there is a row');
  expect(toggled(tree, more).current).toBe(keyOf(['k100']));
});

test.each([
  [[], 'event'],
  [['items', 0, 'sku'], 'event.items[0].sku'],
  [['odd key', 'größe', '0'], 'event["odd key"].größe["0"]'],
])('the path %j is written %j', (path, text) => {
  expect(pathText('event', path)).toBe(text);
});
