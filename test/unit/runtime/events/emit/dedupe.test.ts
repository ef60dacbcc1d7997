import { describe, expect, test } from 'vitest';
import type { Emit } from '../../../../../src/protocol/host.ts';
import {
  dedupe,
  isDedupeStrategy,
  type DedupeStrategy,
} from '../../../../../src/runtime/events/emit/dedupe.ts';
import { DedupeMemory } from '../../../../../src/runtime/events/owner/dedupe-memory.ts';
import { orderEmits } from '../../../../../src/runtime/events/emit/order.ts';
import type { DedupeRecord } from '../../../../../src/runtime/store/ownership.ts';

type Id = string | number | null | undefined;

/** One source: each batch is ordered, deduped and remembered, as an invocation's commit does it. */
function source(strategy: DedupeStrategy | null, stored: Partial<DedupeRecord> = {}) {
  let memory = new DedupeMemory({ strategy: null, ids: [], ...stored });
  const run = (emits: readonly Emit[], use = strategy) => {
    const result = dedupe(use, memory, orderEmits(emits));
    if (result.change !== undefined) memory.apply(result.change);
    return result;
  };
  return {
    run,
    /** The ids that come out of a batch of these ids. */
    emitted: (...ids: Id[]) => run(batch(...ids)).emitted.map((emit) => emit.id),
    /** The reasons for what does not. */
    reasons: (...ids: Id[]) => run(batch(...ids)).dropped.map((drop) => drop.reason),
    restart: (stored: DedupeRecord) => {
      memory = new DedupeMemory(stored);
    },
    state: () => memory,
  };
}

function batch(...ids: Id[]): Emit[] {
  return ids.map((id, at) => ({
    event: 'null',
    at,
    ...(id === undefined ? {} : { id: id as string }),
  }));
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('none', () => {
  test('emits everything, ids or not, and remembers nothing', () => {
    const result = source(null).run(batch(1, 1, undefined));
    expect(result.emitted).toHaveLength(3);
    expect(result.change).toBeUndefined();
  });
});

describe('unique', () => {
  const cases: [name: string, batches: Id[][], emitted: Id[][]][] = [
    ['the same id twice in one batch', [['a', 'a']], [['a']]],
    ['the same id in two invocations', [['a'], ['a', 'b']], [['a'], ['b']]],
    ['1 and "1" are equal', [[1], ['1']], [[1], []]],
    ['0 is an id', [[0], [0]], [[0], []]],
    ['missing, null and empty ids are dropped', [[undefined, null, '', 'a']], [['a']]],
    [
      'only the first 64 characters count',
      [['x'.repeat(64)], [`${'x'.repeat(64)}y`]],
      [['x'.repeat(64)], []],
    ],
    [
      '63 equal characters are not 64',
      [[`${'x'.repeat(63)}a`], [`${'x'.repeat(63)}b`]],
      [[`${'x'.repeat(63)}a`], [`${'x'.repeat(63)}b`]],
    ],
    ['100 others: still remembered at 99', [[1], range(2, 100), [1]], [[1], range(2, 100), []]],
    [
      'the 101st id makes the first forgotten',
      [range(1, 100), [101], [1]],
      [range(1, 100), [101], [1]],
    ],
    [
      'a re-seen id is not refreshed',
      [range(1, 100), [1], [101], [1]],
      [range(1, 100), [], [101], [1]],
    ],
    ['101 new ids in one batch all come out', [range(1, 101), [1], [3]], [range(1, 101), [1], []]],
    [
      'a feed of 150 re-emits on every poll',
      [range(1, 150), range(1, 150)],
      [range(1, 150), range(1, 150)],
    ],
    [
      'one forgotten within its own batch comes out again',
      [range(1, 100), [101, 1]],
      [range(1, 100), [101, 1]],
    ],
    [
      '… and is then remembered as the newest',
      [range(1, 100), [101, 1], range(102, 200), [1]],
      [range(1, 100), [101, 1], range(102, 200), []],
    ],
  ];
  test.each(cases)('%s', (_name, batches, emitted) => {
    const one = source('unique');
    expect(batches.map((ids) => one.emitted(...ids))).toEqual(emitted);
  });

  test('says why', () => {
    expect(source('unique', { strategy: 'unique', ids: ['a'] }).reasons('a', undefined)).toEqual([
      'The id "a" is among the last 100 that were emitted (dedupe "unique").',
      'No id was given to $emit, and dedupe "unique" needs one.',
    ]);
  });

  test('never holds more than 100, whatever the batches', () => {
    const one = source('unique');
    for (let i = 0; i < 50; i++) one.emitted(...range(i * 7, i * 7 + (i % 13) * 20));
    expect(one.state().ids.size).toBe(100);
  });

  test('the change holds what is new only', () => {
    const one = source('unique', { strategy: 'unique', ids: range(1, 100).map(String) });
    expect(one.run(batch(100, 101)).change).toEqual({ strategy: 'unique', append: ['101'] });
    expect(one.run(batch(101)).change).toBeUndefined();
  });
});

describe('greatest', () => {
  const cases: [name: string, batches: Id[][], emitted: Id[][]][] = [
    ['first run: all of them', [[1, 2, 3]], [[1, 2, 3]]],
    ['first run may be below zero', [[-5, -3]], [[-5, -3]]],
    [
      'descending without ts: compared with the maximum before the batch',
      [
        [3, 2, 1],
        [3, 2, 1],
      ],
      [[3, 2, 1], []],
    ],
    ['equal is not greater', [[5], [5, 6]], [[5], [6]]],
    ['a duplicate within the batch is dropped', [[5, 5, 6]], [[5, 6]]],
    ['numeric strings count', [['42'], [41, '43']], [['42'], ['43']]],
    ['"5" and 5 are the same number', [['5', 5]], [['5']]],
    ['what is no number is dropped', [['a-1', ' ', 'Infinity', 7]], [[7]]],
    ['missing, null and empty ids are dropped', [[undefined, null, '', 1]], [[1]]],
    ['0 is an id', [[0], [0]], [[0], []]],
    [
      'timestamps of the same millisecond lose one',
      [[1_700_000_000_000, 1_700_000_000_000]],
      [[1_700_000_000_000]],
    ],
    [
      'digits beyond the 64th count for a number too',
      [[`1.${'0'.repeat(70)}`]],
      [[`1.${'0'.repeat(70)}`]],
    ],
  ];
  test.each(cases)('%s', (_name, batches, emitted) => {
    const one = source('greatest');
    expect(batches.map((ids) => one.emitted(...ids))).toEqual(emitted);
  });

  test('newest first with ts comes out oldest first, and a second run has nothing new', () => {
    const one = source('greatest');
    const feed = [3, 2, 1].map((id) => ({ event: '{}', id, ts: id * 1000, at: 0 }));
    expect(one.run(feed).emitted.map((emit) => emit.id)).toEqual([1, 2, 3]);
    expect(one.run(feed).emitted).toEqual([]);
    expect(one.state().greatest).toBe(3);
  });

  test('says why', () => {
    expect(source('greatest', { strategy: 'greatest', greatest: 5 }).reasons(4, 'x', 6, 6)).toEqual(
      [
        'The id 4 is not greater than 5, the greatest so far (dedupe "greatest").',
        'The id "x" is not a number, and dedupe "greatest" compares numbers.',
        'The id 6 came twice in one run (dedupe "greatest").',
      ],
    );
  });
});

describe('last', () => {
  const cases: [name: string, batches: Id[][], emitted: Id[][]][] = [
    [
      'only what comes after the last one',
      [
        ['a', 'b', 'c'],
        ['b', 'c', 'd'],
      ],
      [['a', 'b', 'c'], ['d']],
    ],
    [
      'no match: all',
      [
        ['a', 'b', 'c'],
        ['x', 'y'],
      ],
      [
        ['a', 'b', 'c'],
        ['x', 'y'],
      ],
    ],
    ['the match is the last one of the batch: none', [['a'], ['z', 'a']], [['a'], []]],
    ['several matches: the last one counts', [['a'], ['a', 'b', 'a', 'c']], [['a'], ['c']]],
    ['an empty batch changes nothing', [['a'], [], ['a', 'b']], [['a'], [], ['b']]],
    ['nothing emitted: the id stays', [['b'], ['a', 'b'], ['b', 'c']], [['b'], [], ['c']]],
    ['1 and "1" are equal', [[1], ['1', 2]], [[1], [2]]],
    [
      'only the first 64 characters count',
      [['x'.repeat(64)], [`${'x'.repeat(64)}y`, 'z']],
      [['x'.repeat(64)], ['z']],
    ],
    [
      'missing ids are dropped wherever they stand',
      [['a'], [undefined, 'a', null, 'b']],
      [['a'], ['b']],
    ],
  ];
  test.each(cases)('%s', (_name, batches, emitted) => {
    const one = source('last');
    expect(batches.map((ids) => one.emitted(...ids))).toEqual(emitted);
  });

  test('with ts the newest is remembered', () => {
    const one = source('last');
    one.run([2, 3, 1].map((ts) => ({ event: '{}', id: `t${ts}`, ts, at: 0 })));
    expect(one.state().last).toBe('t3');
    expect(
      one.run([4, 3].map((ts) => ({ event: '{}', id: `t${ts}`, ts, at: 0 }))).emitted,
    ).toMatchObject([{ id: 't4' }]);
  });

  test('says why', () => {
    expect(source('last', { strategy: 'last', last: 'b' }).reasons('a', 'b', 'c')).toEqual([
      'It does not come after "b", the last one emitted (dedupe "last").',
      'It does not come after "b", the last one emitted (dedupe "last").',
    ]);
  });
});

describe('the state', () => {
  test('another strategy starts from nothing and says so to the store', () => {
    const one = source('unique');
    one.emitted('1', '2');
    expect(one.run(batch(1), 'greatest').change).toEqual({
      strategy: 'greatest',
      greatest: 1,
      reset: true,
    });
    expect(one.state().ids.size).toBe(0);
    expect(one.run(batch(1, 2), 'unique').emitted).toHaveLength(2);
  });

  test('no strategy in between resets as well', () => {
    const one = source('unique');
    one.emitted('1');
    expect(one.run(batch(1), null).change).toEqual({ strategy: '', reset: true });
    expect(one.run(batch(1), null).change).toBeUndefined();
    expect(one.run(batch(1), 'unique').emitted).toHaveLength(1);
  });

  test('is read again after it was forgotten', () => {
    const one = source('unique');
    one.emitted('a');
    one.restart({ strategy: 'unique', ids: ['b'] });
    expect(one.emitted('a', 'b')).toEqual(['a']);
  });

  test('what it decides from is left as it is', () => {
    const one = source('unique', { strategy: 'unique', ids: ['a'] });
    const state = one.state();
    dedupe('unique', state, batch('b', 'c'));
    expect([...state.ids]).toEqual(['a']);
  });
});

test.each([
  ['unique', true],
  ['greatest', true],
  ['last', true],
  ['newest', false],
  ['', false],
])('"%s" is a strategy: %s', (name, known) => {
  expect(isDedupeStrategy(name)).toBe(known);
});

test('an id whose 64th character is half of one is known again after a restart', () => {
  const id = `${'x'.repeat(63)}😀`;
  const emits = [{ event: '{}', at: 1, id }];
  const { change } = dedupe('unique', { strategy: null, ids: new Set() }, emits);
  // As SQLite keeps it, in UTF-8.
  const stored = (change?.append ?? []).map((kept) => Buffer.from(kept).toString());
  const again = dedupe('unique', { strategy: 'unique', ids: new Set(stored) }, emits);
  expect(again.emitted).toEqual([]);
});

describe('with a delivery_ts', () => {
  const later = (...ids: Id[]): Emit[] =>
    batch(...ids).map((emit) => ({ ...emit, deliveryTs: 1e15 }));
  const idsOf = (emits: readonly Emit[]) => emits.map(({ id }) => id);

  test('unique emits one of an id, now or later, and apart from emits without', () => {
    const { run, emitted, reasons, state } = source('unique');
    expect(idsOf(run(later('a', 'a', 'b')).emitted)).toEqual(['a', 'b']);
    // A scheduler emits the id of a task again when it is due.
    expect(emitted('a', 'a')).toEqual(['a']);
    expect(idsOf(run(later('a', 'c')).emitted)).toEqual(['c']);
    expect(run(later(undefined)).dropped).toHaveLength(1);
    expect(reasons('a')).toEqual([expect.stringContaining('"a" is among the last 100')]);
    expect(run(later('b')).dropped[0]?.reason).toContain('"b" is among the last 100');
    expect(state().ids.size).toBe(4);
  });

  test('64 characters of the id count, as ever', () => {
    const { run } = source('unique');
    const [one, other, same] = [`${'x'.repeat(63)}1`, `${'x'.repeat(63)}2`, `${'x'.repeat(63)}13`];
    expect(idsOf(run(later(one, other, same)).emitted)).toEqual([one, other]);
  });

  test('greatest lets it pass and does not reckon with it', () => {
    const { run, emitted } = source('greatest');
    expect(emitted(5)).toEqual([5]);
    expect(idsOf(run([...later(9, 1, 'text', undefined), ...batch(6)]).emitted)).toEqual([
      9,
      1,
      'text',
      undefined,
      6,
    ]);
    expect(emitted(7)).toEqual([7]);
  });

  test('last lets it pass, and looks for the last one among the others', () => {
    const { run, emitted } = source('last');
    expect(emitted('a', 'b')).toEqual(['a', 'b']);
    const mixed = [...batch('a', 'b'), ...later('b'), ...batch('c')];
    expect(idsOf(run(mixed).emitted)).toEqual(['b', 'c']);
    expect(idsOf(run(later('z')).emitted)).toEqual(['z']);
    expect(emitted('c', 'd')).toEqual(['d']);
  });
});
