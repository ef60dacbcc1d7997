import { describe, expect, test } from 'vitest';
import { definition, run, source, webhook } from '../../../support/records.ts';
import { newStore, storeWithSource } from '../../../support/store.ts';

describe('settings', () => {
  test('are kept, replaced and read after a restart', async () => {
    const { store, reopen } = await newStore();
    expect(store.settings.get('port')).toBeUndefined();
    await store.settings.set('port', '1');
    await store.settings.set('port', '2');
    expect((await reopen()).settings.get('port')).toBe('2');
  });
});

describe('components', () => {
  const record = { id: 'sc_1', hash: 'h1', path: '/a.mjs', definition, createdAt: 5 };

  test('are found by id, and by hash and path', async () => {
    const { store } = await newStore();
    await store.components.insert(record);
    await store.components.insert({ ...record, id: 'sc_2', path: null });
    expect(store.components.get('sc_1')).toEqual(record);
    expect(store.components.find('h1', '/a.mjs')?.id).toBe('sc_1');
    expect(store.components.find('h1', null)?.id).toBe('sc_2');
    expect(store.components.find('h2', null)).toBeUndefined();
  });

  test('go when no source uses them; a hash that is still used is not named', async () => {
    const { store } = await newStore();
    await store.components.insert(record);
    await store.components.insert({ ...record, id: 'sc_2', path: '/b.mjs' });
    await store.components.insert({ ...record, id: 'sc_3', hash: 'h3' });
    await store.sources.insert(source('dc_1'));
    expect(await store.components.removeUnused()).toEqual(['h3']);
    expect(store.components.list({ limit: 10 }).rows.map((row) => row.id)).toEqual(['sc_1']);
  });
});

describe('sources', () => {
  test('come back as they were put, after a restart too', async () => {
    const { store, reopen } = await newStore();
    const record = source('dc_1', {
      interfaces: [
        { id: 'ti_1', prop: 'timer', kind: 'timer', cron: '* * * * *', timezone: 'UTC', nextAt: 5 },
        { id: 'ti_2', prop: 'other', kind: 'timer', intervalSeconds: 1.5 },
        { id: 'hi_1', prop: 'http', kind: 'http' },
      ],
    });
    await store.sources.insert(record);
    expect(store.sources.get('dc_1')).toEqual(record);
    const again = await reopen();
    expect(again.sources.find('source-dc_1')).toEqual(record);
    expect(again.sources.find('dc_1')).toEqual(record);
    expect(again.sources.slugs()).toEqual(new Set(['source-dc_1']));
  });

  test('are replaced, and their next tick moves', async () => {
    const { store } = await newStore();
    await store.sources.insert(
      source('dc_1', {
        interfaces: [{ id: 'ti_1', prop: 't', kind: 'timer', intervalSeconds: 60 }],
      }),
    );
    await store.sources.setNextTick('ti_1', 1_800_000_000_000);
    expect(store.sources.get('dc_1')?.interfaces[0]?.nextAt).toBe(1_800_000_000_000);
    await store.sources.setNextTick('ti_1', undefined);
    expect(store.sources.get('dc_1')?.interfaces[0]).not.toHaveProperty('nextAt');
    await store.sources.replace(source('dc_1', { slug: 'new', active: false, interfaces: [] }));
    expect(store.sources.bySlug('new')).toMatchObject({ active: false, interfaces: [] });
    expect(store.sources.bySlug('source-dc_1')).toBeUndefined();
  });

  test('a slug that is taken refuses that one write and no other', async () => {
    const { store } = await storeWithSource();
    const refused = store.sources.insert(source('dc_2', { slug: 'source-dc_1' }));
    const kept = store.sources.insert(source('dc_3'));
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
    await kept;
    expect(store.sources.all().map((one) => one.id)).toEqual(['dc_1', 'dc_3']);
    expect(() => store.accept({ sourceId: 'dc_2', cause: 'manual', at: 1 })).toThrow(/dc_2/);
  });

  test('take everything they had with them', async () => {
    const { store, reopen } = await storeWithSource();
    await store.sources.insert(source('dc_2'));
    await store.webhooks.insert(webhook('wh_1'));
    await store.subscriptions.insert({
      id: 'sub_1',
      emitterId: 'dc_1',
      listenerId: 'wh_1',
      channel: '',
    });
    await store.subscriptions.insert({
      id: 'sub_2',
      emitterId: 'dc_2',
      listenerId: 'dc_1',
      channel: '',
    });
    await store.subscriptions.insert({
      id: 'sub_3',
      emitterId: 'dc_2',
      listenerId: 'wh_1',
      channel: '',
    });
    const effect = {
      events: [
        {
          id: '5-0',
          indexedAt: 5,
          emitId: 'e',
          channel: '',
          payload: '1',
          webhooks: ['wh_1'],
          sources: [],
        },
      ],
      db: [{ prop: 'db', key: 'k', json: '1' }],
      dedupe: { strategy: 'unique', append: ['a'] },
      logs: [{ at: 1, kind: 'console', level: 'info', text: 'x' } as const],
    };
    const first = await run(store, effect);
    const other = await run(store, { ...effect, sourceId: 'dc_2' });
    await store.sources.delete('dc_1');

    const again = await reopen();
    expect(again.sources.get('dc_1')).toBeUndefined();
    expect(again.invocations.get(first.n)).toBeUndefined();
    expect(again.events.list('dc_1', { limit: 5 }).total).toBe(0);
    expect(again.logs.list('dc_1', { limit: 5 }).total).toBe(0);
    expect(again.subscriptions.all().map((one) => one.id)).toEqual(['sub_3']);
    expect(again.deliveries.list({ limit: 5 }).rows.map((one) => one.sourceId)).toEqual(['dc_2']);

    await again.sources.insert(source('dc_1'));
    expect(again.sources.db('dc_1')).toEqual({});
    expect(again.sources.dedupe('dc_1')).toEqual({ strategy: null, ids: [] });
    expect(again.sources.db('dc_2')).toEqual({ db: { k: '1' } });
    expect(again.events.ofInvocation(other.n)).toHaveLength(1);
  });
});

describe('webhooks, subscriptions and accounts', () => {
  test('a webhook is kept, replaced, and takes its subscriptions with it', async () => {
    const { store } = await newStore();
    await store.webhooks.insert(webhook('wh_1'));
    await store.subscriptions.insert({
      id: 'sub_1',
      emitterId: 'dc_1',
      listenerId: 'wh_1',
      channel: 'c',
    });
    await store.webhooks.replace({ ...webhook('wh_1'), name: 'N', active: false });
    expect(store.webhooks.get('wh_1')).toMatchObject({ name: 'N', active: false });
    expect(store.subscriptions.find('dc_1', 'wh_1', 'c')?.id).toBe('sub_1');
    expect(store.subscriptions.find('dc_1', 'wh_1', '')).toBeUndefined();
    await store.webhooks.delete('wh_1');
    expect(store.webhooks.all()).toEqual([]);
    expect(store.subscriptions.all()).toEqual([]);
    await expect(store.webhooks.replace(webhook('wh_1'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('the same subscription twice is refused', async () => {
    const { store } = await newStore();
    const subscription = { id: 'sub_1', emitterId: 'dc_1', listenerId: 'wh_1', channel: '' };
    await store.subscriptions.insert(subscription);
    await expect(
      store.subscriptions.insert({ ...subscription, id: 'sub_2' }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('accounts are listed by app', async () => {
    const { store } = await newStore();
    for (const [id, app] of [
      ['apn_1', 'slack'],
      ['apn_2', 'github'],
      ['apn_3', 'slack'],
    ] as const) {
      await store.accounts.insert({ id, app, name: id, sealed: 's', createdAt: 1, updatedAt: 1 });
    }
    await store.accounts.delete('apn_1');
    expect(store.accounts.list({ limit: 5, app: 'slack' })).toMatchObject({
      total: 1,
      rows: [{ id: 'apn_3' }],
    });
    expect(store.accounts.get('apn_2')?.app).toBe('github');
  });
});
