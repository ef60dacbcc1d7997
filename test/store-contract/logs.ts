/** Rules of log lines. */
import { expect } from 'vitest';
import { ownerOf, run } from '../support/records.ts';
import { topic, twoSources } from './rules.ts';

export const logs = topic('log lines', twoSources, (rule) => {
  const line = (text: string) => ({ at: 1, kind: 'system', level: 'warn', text }) as const;

  rule('outside an invocation stand between those of runs, newest first', async ({ store }) => {
    const { n } = await run(store, { logs: [line('a')] });
    const id = await store.logs.append(await ownerOf(store, 'dc_1'), line('b'));
    await run(store, { logs: [line('c')] });
    const page = await store.logs.list('dc_1', { limit: 2 });
    expect(page.rows.map((row) => row.text)).toEqual(['c', 'b']);
    const b = { ...line('b'), id, emitterId: 'dc_1', invocation: null };
    expect(page.rows[1]).toEqual(b);
    const next = await store.logs.list('dc_1', { limit: 2, after: page.end ?? '' });
    expect(next.rows).toEqual([expect.objectContaining({ text: 'a', invocation: n })]);
    await expect(store.logs.append({ id: 'dc_9', fence: 1 }, line('x'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  rule('have ids that ascend within their emitter, after a restart too', async (opened) => {
    const { store } = opened;
    const made = await run(store, { logs: [line('a'), line('b')] });
    const [first = NaN, second = NaN] = made.logIds;
    await store.logs.append(await ownerOf(store, 'dc_2'), line('other'));
    const again = await opened.reopen();
    const third = await again.logs.append(await ownerOf(again, 'dc_1'), line('c'));
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    const after = await again.logs.after('dc_1', first, 9);
    expect(after.map(({ id, text }) => [id, text])).toEqual([
      [second, 'b'],
      [third, 'c'],
    ]);
    expect(await again.logs.after('dc_1', first, 1)).toHaveLength(1);
    expect(await again.logs.after('dc_9', 0, 9)).toEqual([]);
  });
});
