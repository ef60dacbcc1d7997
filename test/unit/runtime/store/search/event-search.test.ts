import { expect, test } from 'vitest';
import { matcherOf, matchOf } from '../../../../../src/runtime/store/sqlite/search/words.ts';
import type { Store } from '../../../../../src/runtime/store/store.ts';
import { event, run, source } from '../../../../support/records.ts';
import { newStore, storeWithSource } from '../../../../support/store.ts';

const found = (store: Store, search: string, sourceId = 'dc_1') =>
  store.events.list(sourceId, { limit: 100, search }).rows.map(({ id }) => id);

async function index(store: Store): Promise<void> {
  while (store.search.behind > 0) await store.search.step(100);
}

const cases: [query: string, summary: string, payload: unknown, finds: boolean][] = [
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

test('what a query finds is the same before and after the words are indexed', async () => {
  const { store } = await newStore();
  for (const [i, [, summary, payload]] of cases.entries()) {
    const sourceId = `dc_${i}`;
    await store.sources.insert(source(sourceId));
    const events = [event(`${i}-0`, { summary, payload: JSON.stringify(payload) })];
    await run(store, { sourceId, events });
  }
  const results = () =>
    cases.map(([query, summary, payload], i) => {
      const finds = found(store, query, `dc_${i}`).length === 1;
      return [query, summary, payload, finds];
    });
  expect(store.search.behind).toBe(cases.length);
  expect(results()).toEqual(cases);
  await index(store);
  expect(store.search.behind).toBe(0);
  expect(results()).toEqual(cases);
});

test('a query without a word asks nothing of the index', () => {
  expect(matchOf('"*"', 1)).toBeUndefined();
  expect(matcherOf('')('anything')).toBe(false);
});

test('results are pages like any other, of one source, newest first, with their total', async () => {
  const { store, reopen } = await newStore();
  for (const id of ['dc_1', 'dc_2']) await store.sources.insert(source(id));
  for (const sourceId of ['dc_1', 'dc_2']) {
    const first = sourceId === 'dc_1' ? 1000 : 2000;
    const events = Array.from({ length: 30 }, (_, i) =>
      event(`${first + i}-0`, { summary: i % 2 ? 'odd' : 'even', channel: i < 10 ? 'c' : '' }),
    );
    await run(store, { sourceId, events });
    await store.search.step(25);
  }
  expect(store.search.behind).toBe(10);
  for (const reopened of [false, true]) {
    const one = reopened ? await reopen() : store;
    const page = one.events.list('dc_1', { limit: 2, search: 'odd', after: '1027-0' });
    expect(page.rows.map(({ id }) => id)).toEqual(['1025-0', '1023-0']);
    expect(page.total).toBe(15);
    expect(one.events.list('dc_1', { limit: 9, search: 'odd', channel: 'c' }).total).toBe(5);
    expect(one.events.list('dc_2', { limit: 9, search: 'odd' }).total).toBe(15);
    expect(one.search.behind).toBe(10);
  }
});

test('what was deleted is not found, and an index that is mostly of such events is made anew', async () => {
  const { store, reopen } = await storeWithSource();
  const batch = async (from: number, count: number) => {
    const events = Array.from({ length: count }, (_, i) =>
      event(`${from + i}-0`, { summary: `number${from + i}` }),
    );
    await run(store, { events });
    await index(store);
  };
  await batch(1, 5200);
  expect(found(store, 'number4017')).toEqual(['4017-0']);
  await store.events.delete('dc_1', { end: '5100-0' });
  expect(found(store, 'number4017')).toEqual([]);
  expect(found(store, 'number5150')).toEqual(['5150-0']);
  await batch(6000, 10);
  // Made anew from the beginning: still everything that is there is found.
  const again = await reopen();
  while (again.search.behind > 0) await again.search.step(1000);
  expect(found(again, 'number5150')).toEqual(['5150-0']);
  expect(found(again, 'number6009')).toEqual(['6009-0']);
  expect(found(again, 'number')).toHaveLength(100);
  expect(again.events.list('dc_1', { limit: 1, search: 'number' }).total).toBe(110);
});

test('reserved channels are listed when asked for, and searched then', async () => {
  const { store } = await storeWithSource();
  await run(store, {
    events: [event('1-0')],
    notices: [event('2-0', { channel: '$errors', summary: 'boom' })],
  });
  expect(found(store, 'boom')).toEqual([]);
  const errors = store.events.list('dc_1', { limit: 9, channel: '$errors', search: 'boom' });
  expect(errors.rows.map(({ id }) => id)).toEqual(['2-0']);
  expect(store.events.list('dc_1', { limit: 9, dropped: true }).total).toBe(1);
  expect(store.events.after('dc_1', '0-0', 9).map(({ id }) => id)).toEqual(['1-0']);
  expect(store.invocations.last('dc_1')?.emitted).toBe(1);
});
