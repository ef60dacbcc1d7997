import { expect, test } from 'vitest';
import type { DataStoreRequest } from '../../../../../src/protocol/host.ts';
import { DataStores } from '../../../../../src/runtime/components/data-stores/data-stores.ts';
import {
  type DataStoreValues,
  draftOf,
} from '../../../../../src/runtime/components/data-stores/draft.ts';
import { newStore } from '../../../../support/store.ts';

async function world() {
  const { store, reopen } = await newStore();
  let time = 1_000_000;
  let made = 0;
  const stores = (table: DataStoreValues = store.dataStores) =>
    new DataStores({ table, now: () => time, newId: () => `ds_new${(made += 1)}` });
  return {
    store,
    stores: stores(),
    draft: () => stores(draftOf(store.dataStores)),
    again: async () => stores((await reopen()).dataStores),
    pass: (ms: number) => (time += ms),
  };
}
const ask = (stores: DataStores, store: string, call: DataStoreRequest['call']) =>
  stores.answer({ of: 'data_store', store, call });
const set = (stores: DataStores, store: string, key: string, ttl: number | null = null) =>
  ask(stores, store, { op: 'set', key, json: `"${key}"`, ttl });

test('a store comes to be with its first value, once, and an id keeps its id', async () => {
  const { store, stores } = await world();
  expect(await ask(stores, 'notes', { op: 'keys' })).toEqual([]);
  expect(store.dataStores.list({ limit: 10 }).rows).toEqual([]);
  await Promise.all([
    set(stores, 'notes', 'a'),
    set(stores, 'notes', 'b'),
    set(stores, 'ds_own', 'c'),
  ]);
  expect(store.dataStores.list({ limit: 10 }).rows).toMatchObject([
    { id: 'ds_new1', name: 'notes' },
    { id: 'ds_own', name: 'ds_own' },
  ]);
  expect(await ask(stores, 'ds_new1', { op: 'keys' })).toEqual(['a', 'b']);
  expect(await stores.create('notes')).toMatchObject({ id: 'ds_new1' });
});

test('what has expired is not there, and is removed by the next write', async () => {
  const { store, stores, pass } = await world();
  await set(stores, 's', 'short', 10);
  await set(stores, 's', 'long', 20);
  await set(stores, 's', 'ever');
  pass(9_999);
  expect(await ask(stores, 's', { op: 'get', key: 'short' })).toBe('"short"');
  pass(1);
  expect(await ask(stores, 's', { op: 'get', key: 'short' })).toBeUndefined();
  expect(await ask(stores, 's', { op: 'has', key: 'short' })).toBe(false);
  // Too late to keep it, in time for the other.
  await ask(stores, 's', { op: 'setTtl', key: 'short', ttl: null });
  await ask(stores, 's', { op: 'setTtl', key: 'long', ttl: null });
  pass(1_000_000);
  expect(await ask(stores, 's', { op: 'entries' })).toEqual([
    ['ever', '"ever"'],
    ['long', '"long"'],
  ]);
  await set(stores, 's', 'new');
  expect(await store.dataStores.count('ds_new1', 0)).toBe(3);
});

test('pages go on after a key, whatever is set meanwhile; stores do not see each other', async () => {
  const { stores, again } = await world();
  for (let i = 0; i < 300; i += 1) void set(stores, 's', String(i).padStart(4, '0'));
  await set(stores, 'other', 'x');
  const first = (await ask(stores, 's', { op: 'page', after: null })) as [string, string][];
  await ask(stores, 's', { op: 'delete', key: first.at(-1)?.[0] ?? '' });
  const rest = (await ask(stores, 's', {
    op: 'page',
    after: first.at(-1)?.[0] ?? '',
  })) as unknown[];
  expect([first.length, rest.length]).toEqual([256, 44]);
  const restarted = await again();
  await ask(restarted, 's', { op: 'clear' });
  expect(await ask(restarted, 's', { op: 'keys' })).toEqual([]);
  expect(await ask(restarted, 'other', { op: 'keys' })).toEqual(['x']);
});

test('a draft reads what is kept, and keeps what it writes to itself', async () => {
  const { stores, draft, store } = await world();
  for (const key of ['a', 'b', 'c', 'd']) await set(stores, 'notes', key);
  const drafted = draft();
  await ask(drafted, 'notes', { op: 'delete', key: 'b' });
  await ask(drafted, 'notes', { op: 'set', key: 'c', json: '3', ttl: null });
  await set(drafted, 'notes', 'bb');
  expect(await ask(drafted, 'notes', { op: 'entries' })).toEqual([
    ['a', '"a"'],
    ['bb', '"bb"'],
    ['c', '3'],
    ['d', '"d"'],
  ]);
  expect(await ask(drafted, 'notes', { op: 'page', after: 'bb' })).toEqual([
    ['c', '3'],
    ['d', '"d"'],
  ]);
  expect(await ask(drafted, 'notes', { op: 'has', key: 'b' })).toBe(false);
  await ask(drafted, 'notes', { op: 'clear' });
  await set(drafted, 'notes', 'e');
  expect(await ask(drafted, 'notes', { op: 'keys' })).toEqual(['e']);
  expect(await ask(drafted, 'notes', { op: 'get', key: 'a' })).toBeUndefined();

  await set(drafted, 'of the draft', 'a');
  expect(await ask(drafted, 'of the draft', { op: 'keys' })).toEqual(['a']);
  expect(store.dataStores.list({ limit: 10 }).rows).toHaveLength(1);
  expect(await ask(stores, 'notes', { op: 'keys' })).toEqual(['a', 'b', 'c', 'd']);
});

test('what a draft gives a ttl expires in it', async () => {
  const { stores, draft, pass } = await world();
  await set(stores, 'notes', 'a');
  const drafted = draft();
  await ask(drafted, 'notes', { op: 'setTtl', key: 'a', ttl: 10 });
  await ask(drafted, 'notes', { op: 'setTtl', key: 'nothing', ttl: 10 });
  await set(drafted, 'notes', 'b', 5);
  pass(7000);
  expect(await ask(drafted, 'notes', { op: 'keys' })).toEqual(['a']);
  pass(7000);
  expect(await ask(drafted, 'notes', { op: 'keys' })).toEqual([]);
  expect(await ask(stores, 'notes', { op: 'keys' })).toEqual(['a']);
});
