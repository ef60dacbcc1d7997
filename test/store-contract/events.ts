/** Rules of events, and of reads at large. */
import { expect } from 'vitest';
import { drop, event, fenceOf, ownerOf, run, source, take, webhook } from '../support/records.ts';
import { oneSource, topic, twoSources } from './rules.ts';

const ids = <T>(rows: readonly { readonly id: T }[]) => rows.map(({ id }) => id);

export const events = topic('events', oneSource, (rule) => {
  rule('are listed by channel, drops only when asked for', async ({ store }) => {
    await run(store, {
      events: [event('1-0'), event('3-0', { channel: 'c' })],
      drops: [drop('2-0', { channel: 'c' })],
    });
    const list = async (options: object) => {
      const page = await store.events.list('dc_1', { limit: 10, ...options });
      return [ids(page.rows), page.total];
    };
    expect(await list({})).toEqual([['3-0', '1-0'], 2]);
    expect(await list({ dropped: true })).toEqual([['3-0', '2-0', '1-0'], 3]);
    expect(await list({ channel: 'c' })).toEqual([['3-0'], 1]);
    expect(await list({ channel: 'c', dropped: true })).toEqual([['3-0', '2-0'], 2]);
    expect(ids(await store.events.after('dc_1', '1-0', 10))).toEqual(['3-0']);
    expect((await store.events.get('dc_1', '2-0'))?.dropped).toBe('Seen.');
    expect(await store.events.get('dc_1', '2-1')).toBeUndefined();
    expect(await store.events.get('dc_1', 'nonsense')).toBeUndefined();
    expect(await store.events.get('dc_9', '1-0')).toBeUndefined();
  });

  rule('on reserved channels are listed when asked for', async ({ store }) => {
    await run(store, {
      events: [event('1-0')],
      notices: [event('2-0', { channel: '$errors', summary: 'boom' })],
    });
    const errors = { limit: 9, channel: '$errors' };
    expect(ids((await store.events.list('dc_1', errors)).rows)).toEqual(['2-0']);
    expect((await store.events.list('dc_1', { limit: 9, dropped: true })).total).toBe(1);
    expect(ids(await store.events.after('dc_1', '0-0', 9))).toEqual(['1-0']);
    expect((await take(store, 'dc_1')).lastInvocation?.emitted).toBe(1);
  });

  rule('are ordered by both numbers of their id, not by its text', async ({ store }) => {
    for (const id of ['9-0', '10-2', '10-10', '100-0']) await run(store, { events: [event(id)] });
    const list = async (page: object) =>
      ids((await store.events.list('dc_1', { limit: 2, ...page })).rows);
    expect(await list({})).toEqual(['100-0', '10-10']);
    expect(await list({ after: '10-10' })).toEqual(['10-2', '9-0']);
    expect(await list({ before: '9-0' })).toEqual(['10-10', '10-2']);
    expect(await list({ after: '100-0', before: '9-0' })).toEqual(['10-10', '10-2']);
    expect(ids(await store.events.after('dc_1', '10-2', 10))).toEqual(['10-10', '100-0']);
    expect(ids(await store.events.after('dc_1', '9-0', 2))).toEqual(['10-2', '10-10']);
  });

  rule('a cursor stays good when its event is gone', async ({ store }) => {
    for (const id of ['1-0', '2-0', '3-0']) await run(store, { events: [event(id)] });
    await store.events.delete(await ownerOf(store, 'dc_1'), { start: '2-0', end: '2-0' });
    const page = await store.events.list('dc_1', { limit: 5, after: '2-0' });
    expect(ids(page.rows)).toEqual(['1-0']);
  });

  for (const after of ['', 'nonsense', 'ZGNfOQ']) {
    rule(`a cursor that is of no row is refused: "${after}"`, async ({ store }) => {
      const refused = { code: 'bad_input', message: expect.stringContaining('cursor') };
      const page = { limit: 2, after };
      await expect(store.events.list('dc_1', page)).rejects.toMatchObject(refused);
      await expect(store.invocations.list('dc_1', page)).rejects.toMatchObject(refused);
      await expect(store.logs.list('dc_1', page)).rejects.toMatchObject(refused);
      await expect(store.deliveries.list(page)).rejects.toMatchObject(refused);
    });
  }

  for (const [name, range, left] of [
    ['a closed range', { start: '2-0', end: '3-0' }, ['5-0', '1-0']],
    ['from an id on', { start: '3-0' }, ['2-0', '1-0']],
    ['up to an id', { end: '2-0' }, ['5-0', '3-0']],
    ['one channel', { channel: 'c' }, ['5-0', '2-0', '1-0']],
    ['all', {}, []],
  ] as const) {
    rule(`are deleted by ${name}`, async ({ store, reopen }) => {
      await store.sources.insert(source('dc_2'));
      await run(store, { emitterId: 'dc_2', events: [event('2-0')] });
      await run(store, {
        events: [event('1-0'), event('2-0'), event('3-0', { channel: 'c' }), event('5-0')],
      });
      expect(await store.events.delete(await ownerOf(store, 'dc_1'), range)).toBe(4 - left.length);
      const again = await reopen();
      expect(ids((await again.events.list('dc_1', { limit: 10 })).rows)).toEqual(left);
      expect((await again.events.list('dc_2', { limit: 10 })).total).toBe(1);
      expect((await take(again, 'dc_1')).newestEvent).toEqual({ ms: 5, seq: 0 });
    });
  }

  rule('are counted over time, without drops', async ({ store }) => {
    const seen = ['99-0', '100-0', '109-5', '120-0', '130-0'];
    await run(store, { events: seen.map((id) => event(id)), drops: [drop('110-0')] });
    const span = { from: 100, bucketMs: 10, buckets: 3 };
    expect(await store.events.countOverTime('dc_1', span)).toEqual([2, 0, 1]);
    expect(await store.events.countOverTime('dc_9', span)).toEqual([0, 0, 0]);
  });
});

export const reads = topic('a read', twoSources, (rule) => {
  rule('sees every write that was asked for before it', async ({ store }) => {
    await store.webhooks.insert(webhook('wh_1'));
    const fence = await fenceOf(store, 'dc_1');
    const line = { at: 1, kind: 'console', level: 'info', text: 'x' } as const;
    const events = [event('1-0', { webhooks: ['wh_1'], triggers: ['dc_2'] })];
    const written = run(store, { fence, events, logs: [line] });
    expect((await store.events.list('dc_1', { limit: 9 })).total).toBe(1);
    expect(ids(await store.events.after('dc_1', '0-0', 9))).toEqual(['1-0']);
    expect((await store.logs.list('dc_1', { limit: 9 })).total).toBe(1);
    expect((await store.invocations.list('dc_2', { limit: 9 })).total).toBe(1);
    expect((await store.deliveries.list({ limit: 9 })).total).toBe(1);
    expect((await take(store, 'dc_1')).newestEvent).toEqual({ ms: 1, seq: 0 });

    const deleted = store.events.delete(await ownerOf(store, 'dc_1'), {});
    expect((await store.events.list('dc_1', { limit: 9 })).total).toBe(0);
    const appended = store.logs.append(await ownerOf(store, 'dc_2'), line);
    expect((await store.logs.list('dc_2', { limit: 9 })).total).toBe(1);
    const inserted = store.sources.insert(source('dc_3'));
    expect(store.sources.get('dc_3')?.slug).toBe('source-dc_3');
    const gone = store.sources.delete('dc_3');
    expect(store.sources.get('dc_3')).toBeUndefined();
    await Promise.all([written, deleted, appended, inserted, gone]);
  });
});
