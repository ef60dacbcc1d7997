/** Rules of searching in events: the same before and after their words are indexed. */
import { expect } from 'vitest';
import type { Store } from '../../src/runtime/store/store.ts';
import { event, run, source, ownerOf } from '../support/records.ts';
import { oneSource, topic, twoSources } from './rules.ts';

const found = async (store: Store, search: string, emitterId = 'dc_1') =>
  (await store.events.list(emitterId, { limit: 100, search })).rows.map(({ id }) => id);

async function index(store: Store, emitterId: string, most = 100): Promise<void> {
  while (await store.events.index(emitterId, most));
}

type Case = readonly [query: string, summary: string, payload: unknown, finds: boolean];

const cases: readonly Case[] = [
  ['order', 'Order 7 shipped', {}, true],
  ['ORD', 'Order 7 shipped', {}, true],
  ['rder', 'Order 7 shipped', {}, false],
  ['shipped order', 'Order 7 shipped', {}, true],
  ['order missing', 'Order 7 shipped', {}, false],
  ['bern', '', { city: 'Bern' }, true],
  ['city', '', { city: 'Bern' }, true],
  ['zurich', '', { city: 'Zürich' }, true],
  ['ZÜRICH', '', { city: 'zurich' }, true],
  ['ada@example.com', '', { mail: 'Ada@Example.com' }, true],
  ['ada@example.org', '', { mail: 'Ada@Example.com' }, false],
  ['example@ada', '', { mail: 'Ada@Example.com' }, false],
  ['second', '', { text: 'first\nsecond' }, true],
  ['quoted', '', { text: 'a "quoted" word' }, true],
  ['new', '', { path: String.raw`C:\new` }, true],
  ['東京', '', { city: '東京都' }, true],
  ['4711', '', { n: 4711 }, true],
  ['order OR bern', 'Order', {}, false],
  ['NOT order', 'order', {}, false],
  ['"order" text:order* -order', 'order', {}, false],
  ['order*', 'orderly', {}, true],
  ['s1', 'nothing of the kind', {}, false],
  ['', 'anything', {}, false],
  ['  "*" ', 'anything', {}, false],
];

export const search = topic('a search', twoSources, (rule) => {
  rule('finds the same before and after the words are indexed', async ({ store, reopen }) => {
    for (const [i, [, summary, payload]] of cases.entries()) {
      const emitterId = `dc_case_${i}`;
      await store.sources.insert(source(emitterId));
      const events = [event(`${i}-0`, { summary, payload: JSON.stringify(payload) })];
      await run(store, { emitterId, events });
    }
    const results = (one: Store) =>
      Promise.all(
        cases.map(async ([query, summary, payload], i): Promise<Case> => {
          const finds = (await found(one, query, `dc_case_${i}`)).length === 1;
          return [query, summary, payload, finds];
        }),
      );
    expect(await results(store)).toEqual(cases);
    for (const i of cases.keys()) await index(store, `dc_case_${i}`);
    expect(await results(store)).toEqual(cases);
    expect(await results(await reopen())).toEqual(cases);
  });

  rule('gives pages like any other, of one emitter, with their total', async (opened) => {
    for (const emitterId of ['dc_1', 'dc_2']) {
      const first = emitterId === 'dc_1' ? 1000 : 2000;
      const events = Array.from({ length: 30 }, (_, i) =>
        event(`${first + i}-0`, { summary: i % 2 ? 'odd' : 'even', channel: i < 10 ? 'c' : '' }),
      );
      await run(opened.store, { emitterId, events });
      // Some are in the index, some are not.
      expect(await opened.store.events.index(emitterId, 25)).toBe(true);
    }
    await opened.reopen();
    const { events } = opened.store;
    const page = await events.list('dc_1', { limit: 2, search: 'odd', after: '1027-0' });
    expect(page.rows.map(({ id }) => id)).toEqual(['1025-0', '1023-0']);
    expect(page.total).toBe(15);
    const inChannel = { limit: 9, search: 'odd', channel: 'c' };
    expect((await events.list('dc_1', inChannel)).total).toBe(5);
    expect((await events.list('dc_2', { limit: 9, search: 'odd' })).total).toBe(15);
    expect(await events.index('dc_1', 5)).toBe(false);
    expect((await events.list('dc_1', { limit: 9, search: 'odd' })).total).toBe(15);
  });

  rule('indexes an emitter step by step, to its end', async ({ store }) => {
    expect(await store.events.index('dc_1', 10)).toBe(false);
    expect(await store.events.index('dc_9', 10)).toBe(false);
    await run(store, { events: Array.from({ length: 25 }, (_, i) => event(`${i}-0`)) });
    const more = [];
    for (let i = 0; i < 4; i++) more.push(await store.events.index('dc_1', 10));
    expect(more).toEqual([true, true, false, false]);
  });
});

export const searchInDeleted = topic('a search after a deletion', oneSource, (rule) => {
  rule('finds what is left, also when most of the index was of others', async (opened) => {
    const { store } = opened;
    const batch = async (from: number, count: number) => {
      const events = Array.from({ length: count }, (_, i) =>
        event(`${from + i}-0`, { summary: `number${from + i}` }),
      );
      await run(store, { events });
      await index(store, 'dc_1');
    };
    await batch(1, 5200);
    expect(await found(store, 'number4017')).toEqual(['4017-0']);
    await store.events.delete(await ownerOf(store, 'dc_1'), { end: '5100-0' });
    expect(await found(store, 'number4017')).toEqual([]);
    expect(await found(store, 'number5150')).toEqual(['5150-0']);
    await batch(6000, 10);
    const again = await opened.reopen();
    await index(again, 'dc_1', 1000);
    expect(await found(again, 'number5150')).toEqual(['5150-0']);
    expect(await found(again, 'number6009')).toEqual(['6009-0']);
    expect(await found(again, 'number')).toHaveLength(100);
    expect((await again.events.list('dc_1', { limit: 1, search: 'number' })).total).toBe(110);
  });

  rule('does not find those of an emitter that is gone', async ({ store }) => {
    await run(store, { events: [event('1-0', { summary: 'gone' })] });
    await index(store, 'dc_1');
    await store.sources.delete('dc_1');
    await store.sources.insert(source('dc_2'));
    await run(store, { emitterId: 'dc_2', events: [event('1-0', { summary: 'here' })] });
    expect(await found(store, 'gone', 'dc_2')).toEqual([]);
    await index(store, 'dc_2');
    expect(await found(store, 'gone', 'dc_2')).toEqual([]);
    expect(await found(store, 'here', 'dc_2')).toEqual(['1-0']);
  });

  rule('looks through a reserved channel when asked to', async ({ store }) => {
    const notices = [event('2-0', { channel: '$errors', summary: 'boom' })];
    await run(store, { events: [event('1-0')], notices });
    for (const indexed of [false, true]) {
      if (indexed) await index(store, 'dc_1');
      expect(await found(store, 'boom')).toEqual([]);
      const page = { limit: 9, channel: '$errors', search: 'boom' };
      const errors = await store.events.list('dc_1', page);
      expect(errors.rows.map(({ id }) => id)).toEqual(['2-0']);
    }
  });
});
