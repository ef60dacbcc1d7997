import { describe, expect, test } from 'vitest';
import { allPages } from '../../../src/client/pages.ts';

describe('all pages', () => {
  const numbers = Array.from({ length: 250 }, (_, i) => i);
  const asked: object[] = [];
  const list = async (params: { limit: number; after?: string }) => {
    asked.push(params);
    const start = Number(params.after ?? -1) + 1;
    const data = numbers.slice(start, start + params.limit);
    const end_cursor = data.length === 0 ? null : String(data.at(-1));
    const page_info = { total_count: 250, count: data.length, start_cursor: null, end_cursor };
    return await Promise.resolve({ page_info, data });
  };

  test.each([
    [1, [{ limit: 1 }]],
    [100, [{ limit: 100 }]],
    [150, [{ limit: 100 }, { limit: 50, after: '99' }]],
    [undefined, [{ limit: 100 }, { limit: 100, after: '99' }, { limit: 100, after: '199' }]],
  ])('%s of 250', async (most, requests) => {
    asked.length = 0;
    expect(await allPages(list, most)).toEqual(numbers.slice(0, most));
    expect(asked).toEqual(requests);
  });
});
