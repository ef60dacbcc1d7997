import { describe, expect, test } from 'vitest';
import { endsTheMerge, mergeEvents } from '../../../../src/extension/model/event-order.ts';
import * as make from '../make.ts';

const list = (hasMore: boolean, ...ids: string[]) => ({
  items: ids.map((id) => make.event({ id })),
  hasMore,
});
const merged = (...lists: ReturnType<typeof list>[]) => mergeEvents(lists).map(({ id }) => id);

describe('several lists as one', () => {
  test('newest first, by time and then by sequence', () => {
    const ids = merged(list(false, '10-0', '9-11', '9-2'), list(false, '9-10', '8-0'));
    expect(ids).toEqual(['10-0', '9-11', '9-10', '9-2', '8-0']);
  });

  test('nothing below the end of a list that goes on: events would be missing between', () => {
    const busy = list(true, '10-0', '9-0');
    const quiet = list(false, '9-5', '2-0');
    expect(merged(busy, quiet)).toEqual(['10-0', '9-5', '9-0']);
  });

  test('the list that has to go on first is the one that ends the whole', () => {
    const busy = list(true, '10-0', '9-0');
    const slow = list(true, '7-0', '1-0');
    expect(endsTheMerge(busy, [busy, slow])).toBe(true);
    expect(endsTheMerge(slow, [busy, slow])).toBe(false);
    expect(endsTheMerge(list(false, '11-0'), [busy])).toBe(false);
  });
});
