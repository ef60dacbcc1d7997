/** Rules of the data stores that actions share. */
import { expect } from 'vitest';
import { nothing, topic } from './rules.ts';

export const dataStores = topic('data stores', nothing, (rule) => {
  const record = { id: 'ds_1', name: 'one', createdAt: 1 };

  rule('one of a name is made once', async ({ store, reopen }) => {
    const asked = ['ds_1', 'ds_2'].map((id) => store.dataStores.ensure({ ...record, id }));
    expect(await Promise.all(asked)).toEqual([record, record]);
    await store.dataStores.ensure({ id: 'ds_3', name: 'other', createdAt: 2 });
    const { dataStores: again } = await reopen();
    expect(again.find('ds_1')).toEqual(record);
    expect(again.find('one')).toEqual(record);
    expect(again.find('ds_2')).toBeUndefined();
    expect(again.list({ limit: 1 })).toMatchObject({ rows: [record], total: 2 });
  });

  rule('keep values by key, in the order of the keys', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    await store.dataStores.ensure({ id: 'ds_2', name: 'other', createdAt: 2 });
    for (const key of ['b', 'é', '🚰', 'B', '', '__proto__', '\uFFFD']) {
      await store.dataStores.set('ds_1', [key, `"${key}"`], null, 1);
    }
    await store.dataStores.set('ds_1', ['b', '2'], null, 1);
    await store.dataStores.set('ds_2', ['b', '3'], null, 1);
    const { dataStores: again } = await reopen();
    const keys = async (after: string | null, limit: number) =>
      (await again.entries('ds_1', 1, { after, limit })).map(([key]) => key);
    // By code points, not by UTF-16 units and not by any language.
    expect(await keys(null, 9)).toEqual(['', 'B', '__proto__', 'b', 'é', '\uFFFD', '🚰']);
    expect(await keys('B', 2)).toEqual(['__proto__', 'b']);
    expect(await again.value('ds_1', 'b', 1)).toBe('2');
    expect(await again.value('ds_2', 'b', 1)).toBe('3');
    expect(await again.value('ds_1', 'c', 1)).toBeUndefined();
    expect(await again.count('ds_1', 1)).toBe(7);
    await again.deleteKey('ds_1', 'b');
    expect(await again.count('ds_1', 1)).toBe(6);
    await again.clear('ds_1');
    expect(await again.entries('ds_1', 1, { after: null, limit: 9 })).toEqual([]);
    expect(await again.count('ds_2', 1)).toBe(1);
  });

  rule('a value is replaced where it is still the one that is known', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    await store.dataStores.set('ds_1', ['a', '1'], 10, 1);
    await store.dataStores.set('ds_1', ['b', '1'], null, 1);
    const item = { key: 'a', json: '2', expiresAt: 20 };
    expect(await store.dataStores.replace('ds_1', item, '0', 1)).toBe(false);
    expect(await store.dataStores.replace('ds_2', item, '1', 1)).toBe(false);
    expect(await store.dataStores.replace('ds_1', { ...item, key: 'c' }, '1', 1)).toBe(false);
    // It has expired.
    expect(await store.dataStores.replace('ds_1', item, '1', 10)).toBe(false);
    expect(await store.dataStores.replace('ds_1', item, '1', 9)).toBe(true);
    const { dataStores: again } = await reopen();
    expect(await again.item('ds_1', 'a', 19)).toEqual(item);
    expect(await again.item('ds_1', 'a', 20)).toBeUndefined();
    const rest = { key: 'b', json: '1', expiresAt: null };
    expect(await again.items('ds_1', 1, { after: null, limit: 9 })).toEqual([item, rest]);
    expect(await again.items('ds_1', 1, { after: 'a', limit: 1 })).toEqual([rest]);
    expect(await again.items('ds_1', 20, { after: null, limit: 1 })).toEqual([rest]);
  });

  rule('what has expired is not there', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    await store.dataStores.set('ds_1', ['a', '1'], 10, 1);
    await store.dataStores.set('ds_1', ['b', '2'], null, 1);
    const { dataStores: again } = await reopen();
    expect(await again.value('ds_1', 'a', 9)).toBe('1');
    expect(await again.value('ds_1', 'a', 10)).toBeUndefined();
    expect(await again.count('ds_1', 10)).toBe(1);
    expect(await again.entries('ds_1', 10, { after: null, limit: 9 })).toEqual([['b', '2']]);
    // Too late to be kept longer.
    await again.setExpiry('ds_1', 'a', 99, 10);
    expect(await again.value('ds_1', 'a', 10)).toBeUndefined();
    await again.setExpiry('ds_1', 'b', 20, 10);
    expect(await again.count('ds_1', 20)).toBe(0);
    await again.setExpiry('ds_1', 'b', null, 19);
    expect(await again.count('ds_1', 20)).toBe(1);
  });

  rule('many records are one write, and may spare those that are there', async (world) => {
    const { store, reopen } = world;
    await store.dataStores.ensure(record);
    await store.dataStores.set('ds_1', ['k-0002', '"old"'], 50, 1);
    await store.dataStores.set('ds_1', ['k-0003', '"expired"'], 5, 1);
    const items = Array.from({ length: 450 }, (_, n) => ({
      key: `k-${String(n).padStart(4, '0')}`,
      json: String(n),
      expiresAt: n === 4 ? 100 : null,
    }));
    const twice = [...items, { key: 'k-0001', json: '"second"', expiresAt: null }];
    expect(await store.dataStores.setAll('ds_1', twice, 10, true)).toBe(449);
    const { dataStores: again } = await reopen();
    expect(await again.count('ds_1', 10)).toBe(450);
    expect(await again.item('ds_1', 'k-0001', 10)).toMatchObject({ json: '1' });
    expect(await again.item('ds_1', 'k-0002', 10)).toMatchObject({ json: '"old"', expiresAt: 50 });
    expect(await again.item('ds_1', 'k-0003', 10)).toMatchObject({ json: '3', expiresAt: null });
    expect(await again.item('ds_1', 'k-0004', 100)).toBeUndefined();
    expect(await again.setAll('ds_1', twice, 10, false)).toBe(450);
    expect(await again.item('ds_1', 'k-0001', 10)).toMatchObject({ json: '"second"' });
    expect(await again.item('ds_1', 'k-0002', 10)).toMatchObject({ json: '2', expiresAt: null });
    expect(await again.setAll('ds_1', [], 10, false)).toBe(0);
  });

  rule('keys with a prefix are listed and counted', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    for (const key of ['a', 'ab', 'ab%', 'ab_', 'ac', '\uD7FFx', '\uE000x', '🚰', '\u{10FFFF}z']) {
      await store.dataStores.set('ds_1', [key, '1'], key === 'ab_' ? 5 : null, 1);
    }
    const { dataStores: again } = await reopen();
    const keys = async (prefix: string, after: string | null = null, at = 1) =>
      (await again.items('ds_1', at, { after, limit: 9, prefix })).map(({ key }) => key);
    expect(await keys('ab')).toEqual(['ab', 'ab%', 'ab_']);
    expect(await keys('ab', 'ab')).toEqual(['ab%', 'ab_']);
    expect(await keys('ab%')).toEqual(['ab%']);
    expect(await keys('ab', null, 5)).toEqual(['ab', 'ab%']);
    expect(await again.count('ds_1', 5, 'ab')).toBe(2);
    expect(await keys('\uD7FF')).toEqual(['\uD7FFx']);
    expect(await keys('\u{10FFFF}')).toEqual(['\u{10FFFF}z']);
    expect(await again.count('ds_1', 1, '')).toBe(9);
    expect(await keys('x')).toEqual([]);
  });

  rule('go with what they keep', async ({ store, reopen }) => {
    await store.dataStores.ensure(record);
    await store.dataStores.set('ds_1', ['a', '1'], null, 1);
    await store.dataStores.delete('ds_1');
    const { dataStores: again } = await reopen();
    expect(again.find('one')).toBeUndefined();
    expect(await again.count('ds_1', 1)).toBe(0);
    expect(await again.ensure({ ...record, id: 'ds_2' })).toEqual({ ...record, id: 'ds_2' });
  });
});
