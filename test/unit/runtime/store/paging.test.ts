import { expect, test } from 'vitest';
import { event, run, source } from '../../../support/records.ts';
import { newStore, storeWithSource } from '../../../support/store.ts';

test('resources go forward and back by the unpadded base64 of their id', async () => {
  const { store } = await newStore();
  for (const n of [1, 2, 3, 4, 5]) await store.sources.insert(source(`dc_${n}`));
  const first = store.sources.list({ limit: 2 });
  expect(first.rows.map((row) => row.id)).toEqual(['dc_1', 'dc_2']);
  expect(first).toMatchObject({ total: 5, start: 'ZGNfMQ', end: 'ZGNfMg' });
  const second = store.sources.list({ limit: 2, after: first.end ?? '' });
  expect(second.rows.map((row) => row.id)).toEqual(['dc_3', 'dc_4']);
  const back = store.sources.list({ limit: 1, before: second.start ?? '' });
  expect(back.rows.map((row) => row.id)).toEqual(['dc_2']);
  expect(store.sources.list({ limit: 2, after: 'ZGNfNQ' })).toEqual({
    rows: [],
    total: 5,
    start: null,
    end: null,
  });
});

test.each(['', 'nonsense', 'ZGNfOQ'])(
  'a cursor that is of no row is refused: %j',
  async (after) => {
    const { store } = await storeWithSource();
    expect(() => store.sources.list({ limit: 2, after })).toThrow(
      expect.objectContaining({ code: 'bad_input' }),
    );
    expect(() => store.events.list('dc_1', { limit: 2, after })).toThrow(/cursor/);
    expect(() => store.invocations.list('dc_1', { limit: 2, after })).toThrow(/cursor/);
  },
);

test('events are ordered by both numbers of their id, not by its text', async () => {
  const { store } = await storeWithSource();
  const ids = ['9-0', '10-2', '10-10', '100-0'];
  for (const id of ids) await run(store, { events: [event(id)] });
  const list = (page: object) =>
    store.events.list('dc_1', { limit: 2, ...page }).rows.map((row) => row.id);
  expect(list({})).toEqual(['100-0', '10-10']);
  expect(list({ after: '10-10' })).toEqual(['10-2', '9-0']);
  expect(list({ before: '9-0' })).toEqual(['10-10', '10-2']);
  expect(list({ after: '100-0', before: '9-0' })).toEqual(['10-10', '10-2']);
  expect(store.events.after('dc_1', '10-2', 10).map((row) => row.id)).toEqual(['10-10', '100-0']);
});

test('a cursor stays good when its event is gone', async () => {
  const { store } = await storeWithSource();
  for (const id of ['1-0', '2-0', '3-0']) await run(store, { events: [event(id)] });
  await store.events.delete('dc_1', { start: '2-0', end: '2-0' });
  expect(store.events.list('dc_1', { limit: 5, after: '2-0' }).rows.map((row) => row.id)).toEqual([
    '1-0',
  ]);
});
