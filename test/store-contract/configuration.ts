/** Rules of the configuration: reads that answer at once, and commands that keep their rule. */
import { expect } from 'vitest';
import { definition, run, source, take, webhook, ownerOf } from '../support/records.ts';
import { nothing, oneSource, topic } from './rules.ts';

const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const subscription = (id: string, emitterId: string, listenerId: string, channel = '') => ({
  id,
  emitterId,
  listenerId,
  channel,
});

export const settings = topic('settings', nothing, (rule) => {
  rule('are kept, replaced and read after a restart', async ({ store, reopen }) => {
    expect(store.settings.get('port')).toBeUndefined();
    await store.settings.set('port', '1');
    await store.settings.set('port', '2');
    expect((await reopen()).settings.get('port')).toBe('2');
  });

  rule('one that has to be there is made once', async ({ store, reopen }) => {
    const asked = ['one', 'two'].map((value) => store.settings.ensure('key', value));
    expect(await Promise.all(asked)).toEqual(['one', 'one']);
    const again = await reopen();
    expect(await again.settings.ensure('key', 'three')).toBe('one');
    expect(again.settings.get('key')).toBe('one');
  });
});

export const components = topic('components', nothing, (rule) => {
  const record = { id: 'sc_1', hash: 'h1', path: '/a.mjs', definition, createdAt: 5 };

  rule('are found by id, and by hash and path', async ({ store, reopen }) => {
    await store.components.ensure(record);
    await store.components.ensure({ ...record, id: 'sc_2', path: null });
    for (const { components } of [store, await reopen()]) {
      expect(components.get('sc_1')).toEqual(record);
      expect(components.find('h1', '/a.mjs')).toEqual(record);
      expect(components.find('h1', null)).toEqual({ ...record, id: 'sc_2', path: null });
      expect(components.find('h2', null)).toBeUndefined();
      expect(ids(components.all())).toEqual(['sc_1', 'sc_2']);
      const { rows, total } = components.list({ limit: 10 });
      expect(rows).toEqual(expect.arrayContaining([...components.all()]));
      expect(total).toBe(2);
    }
  });

  rule('the same code of the same file is saved once', async ({ store, reopen }) => {
    const asked = ['sc_1', 'sc_2'].map((id) => store.components.ensure({ ...record, id }));
    expect(await Promise.all(asked)).toEqual([record, record]);
    expect((await reopen()).components.all()).toEqual([record]);
  });

  rule('go when nothing uses them; a hash that is still used is not named', async (opened) => {
    const { store } = opened;
    await store.components.ensure(record);
    await store.components.ensure({ ...record, id: 'sc_2', path: '/b.mjs' });
    await store.components.ensure({ ...record, id: 'sc_3', hash: 'h3' });
    await store.sources.insert(source('dc_1'));
    expect(await store.components.removeUnused()).toEqual(['h3']);
    expect(ids(store.components.list({ limit: 10 }).rows)).toEqual(['sc_1']);
    expect(ids((await opened.reopen()).components.all())).toEqual(['sc_1']);
  });

  rule('one is published under a key until another takes its place', async (opened) => {
    const { store } = opened;
    const newer = { ...record, id: 'sc_2', hash: 'h2' };
    await store.components.publish(record, 'app-name', '0.0.1');
    await store.components.publish(newer, 'app-name', '0.0.2');
    const published = { key: 'app-name', version: '0.0.2', componentId: 'sc_2' };
    expect(store.components.published('app-name')).toEqual(published);
    const again = await opened.reopen();
    expect(again.components.published('app-name')).toEqual(published);
    expect(again.components.get('sc_2')).toEqual(newer);
    expect(await again.components.removeUnused()).toEqual(['h1']);
    await again.components.unpublish('app-name');
    expect(again.components.published('app-name')).toBeUndefined();
    expect(await again.components.removeUnused()).toEqual(['h2']);
  });
});

export const sources = topic('sources', nothing, (rule) => {
  rule('come back as they were put, after a restart too', async ({ store, reopen }) => {
    const record = source('dc_1', {
      interfaces: [
        { id: 'ti_1', prop: 'timer', kind: 'timer', cron: '* * * * *', timezone: 'UTC', nextAt: 5 },
        { id: 'ti_2', prop: 'other', kind: 'timer', intervalSeconds: 1.5 },
        { id: 'hi_1', prop: 'http', kind: 'http' },
      ],
    });
    expect(await store.sources.insert(record)).toEqual(record);
    expect(store.sources.get('dc_1')).toEqual(record);
    const again = await reopen();
    expect(again.sources.find('source-dc_1')).toEqual(record);
    expect(again.sources.find('dc_1')).toEqual(record);
    expect(again.sources.bySlug('source-dc_1')).toEqual(record);
    expect(again.sources.bySlug('dc_1')).toBeUndefined();
  });

  rule('are replaced but for slug and creation, and their next tick moves', async (opened) => {
    const { store } = opened;
    const timer = { id: 'ti_1', prop: 't', kind: 'timer', intervalSeconds: 60 } as const;
    await store.sources.insert(source('dc_1', { interfaces: [timer] }));
    await store.sources.setNextTick(await ownerOf(store, 'dc_1'), 'ti_1', 1_800_000_000_000);
    expect(store.sources.get('dc_1')?.interfaces[0]?.nextAt).toBe(1_800_000_000_000);
    await store.sources.setNextTick(await ownerOf(store, 'dc_1'), 'ti_1', undefined);
    expect(store.sources.get('dc_1')?.interfaces[0]).not.toHaveProperty('nextAt');
    const wished = source('dc_1', { slug: 'new', active: false, interfaces: [], createdAt: 9 });
    const stands = { ...wished, slug: 'source-dc_1', createdAt: 1_700_000_000_000 };
    expect(await store.sources.replace(wished)).toEqual(stands);
    const again = await opened.reopen();
    expect(again.sources.get('dc_1')).toEqual(stands);
    expect(again.sources.bySlug('new')).toBeUndefined();
  });

  rule('a slug that is taken gets a number, also of two that ask at once', async (opened) => {
    const { store } = opened;
    const asked = ['dc_1', 'dc_2', 'dc_3'].map((id) =>
      store.sources.insert(source(id, { slug: 'same' })),
    );
    const slugs = (await Promise.all(asked)).map(({ slug }) => slug);
    expect(slugs).toEqual(['same', 'same-1', 'same-2']);
    const again = await opened.reopen();
    expect(again.sources.all().map(({ slug }) => slug)).toEqual(slugs);
    expect(again.sources.bySlug('same-1')?.id).toBe('dc_2');
  });

  rule('a new name brings a slug that is free, its own included', async ({ store, reopen }) => {
    for (const id of ['dc_1', 'dc_2']) await store.sources.insert(source(id, { slug: id }));
    const asked = ['dc_1', 'dc_2'].map((id) => store.sources.rename(id, 'New', 'new', 7));
    expect((await Promise.all(asked)).map(({ slug }) => slug)).toEqual(['new', 'new-1']);
    const kept = await store.sources.rename('dc_1', 'Newer', 'new', 8);
    expect(kept).toMatchObject({ name: 'Newer', slug: 'new', updatedAt: 8 });
    expect((await reopen()).sources.bySlug('new')).toEqual(kept);
  });

  rule('the end of a deploy switches on and brings auto-subscriptions, in one', async (opened) => {
    const { store } = opened;
    await store.sources.insert(source('dc_1', { deploying: true, active: false }));
    for (const [id, listenerId] of [
      ['as_1', 'wh_1'],
      ['as_2', 'wh_2'],
    ] as const) {
      await store.autoSubscriptions.ensure({ id, listenerId, channel: '$errors' });
    }
    await store.subscriptions.ensure(subscription('sub_1', 'dc_1', 'wh_1', '$errors'));
    let last = 1;
    const made = await store.sources.endDeploy(
      await ownerOf(store, 'dc_1'),
      7,
      () => `sub_${++last}`,
    );
    expect(made).toHaveLength(1);
    const again = await opened.reopen();
    expect(again.sources.get('dc_1')).toEqual(source('dc_1', { updatedAt: 7 }));
    expect(again.subscriptions.all()).toEqual([
      subscription('sub_1', 'dc_1', 'wh_1', '$errors'),
      subscription(made[0] ?? '', 'dc_1', 'wh_2', '$errors'),
    ]);
  });

  rule('an id that is taken refuses that one write and no other', async ({ store, reopen }) => {
    await store.sources.insert(source('dc_1'));
    const refused = store.sources.insert(source('dc_1', { slug: 'other' }));
    const kept = store.sources.insert(source('dc_3'));
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
    await kept;
    expect(ids(store.sources.all())).toEqual(['dc_1', 'dc_3']);
    expect(store.sources.bySlug('other')).toBeUndefined();
    expect(ids((await reopen()).sources.all())).toEqual(['dc_1', 'dc_3']);
  });

  rule('what is asked of one that is not there is refused', async ({ store }) => {
    const refused = { code: 'not_found' };
    const nobody = { id: 'dc_9', fence: 1 };
    await expect(store.sources.replace(source('dc_9'))).rejects.toMatchObject(refused);
    await expect(store.sources.rename('dc_9', 'N', 'n', 1)).rejects.toMatchObject(refused);
    await expect(store.sources.endDeploy(nobody, 1, () => 'sub_9')).rejects.toMatchObject(refused);
    await expect(store.sources.setNextTick(nobody, 'ti_9', 1)).rejects.toMatchObject(refused);
    expect(await store.sources.delete('dc_9')).toEqual([]);
  });

  rule('take everything they had with them', async ({ store, reopen }) => {
    for (const id of ['dc_1', 'dc_2']) await store.sources.insert(source(id));
    await store.webhooks.insert(webhook('wh_1'));
    const { subscriptions } = store;
    await subscriptions.ensure(subscription('sub_1', 'dc_1', 'wh_1'));
    await subscriptions.ensure(subscription('sub_2', 'dc_2', 'dc_1'));
    await subscriptions.ensure(subscription('sub_3', 'dc_2', 'wh_1'));
    await store.autoSubscriptions.ensure({ id: 'as_1', listenerId: 'dc_1', channel: '$errors' });
    await store.autoSubscriptions.ensure({ id: 'as_2', listenerId: 'dc_2', channel: '$errors' });
    const effect = {
      events: [
        {
          id: '5-0',
          indexedAt: 5,
          emitId: 'e',
          channel: '',
          payload: '1',
          webhooks: ['wh_1'],
          triggers: [],
        },
      ],
      db: [{ prop: 'db', key: 'k', json: '1' }],
      dedupe: { strategy: 'unique', append: ['a'] },
      logs: [{ at: 1, kind: 'console', level: 'info', text: 'x' } as const],
    };
    const first = await run(store, effect);
    const other = await run(store, { ...effect, emitterId: 'dc_2' });
    expect(await store.sources.delete('dc_1')).toEqual(['sub_1', 'sub_2']);

    const again = await reopen();
    expect(again.sources.get('dc_1')).toBeUndefined();
    expect(await again.invocations.get(first.n)).toBeUndefined();
    expect((await again.events.list('dc_1', { limit: 5 })).total).toBe(0);
    expect((await again.logs.list('dc_1', { limit: 5 })).total).toBe(0);
    expect(ids(again.subscriptions.all())).toEqual(['sub_3']);
    expect(ids(again.autoSubscriptions.all())).toEqual(['as_2']);
    const deliveries = await again.deliveries.list({ limit: 5 });
    expect(deliveries.rows.map(({ emitterId }) => emitterId)).toEqual(['dc_2']);

    await again.sources.insert(source('dc_1'));
    expect(await take(again, 'dc_1')).toMatchObject({
      db: {},
      dedupe: { strategy: null, ids: [] },
      newestEvent: undefined,
      lastInvocation: undefined,
      unfinished: [],
      openDeliveries: [],
    });
    expect((await take(again, 'dc_2')).db).toEqual({ db: { k: '1' } });
    expect(await again.events.ofInvocation(other.n)).toHaveLength(1);
  });
});

export const webhooks = topic('webhooks', nothing, (rule) => {
  rule('one is kept, changed, and takes its subscriptions with it', async (opened) => {
    const { store } = opened;
    const record = webhook('wh_1', { name: 'W', description: 'D' });
    await store.webhooks.insert(record);
    await store.subscriptions.ensure(subscription('sub_1', 'dc_1', 'wh_1', 'c'));
    await store.subscriptions.ensure(subscription('sub_2', 'dc_1', 'wh_2'));
    await store.autoSubscriptions.ensure({ id: 'as_1', listenerId: 'wh_1', channel: '$errors' });
    expect(store.webhooks.get('wh_1')).toEqual(record);
    const changed = { ...record, name: null, active: false, updatedAt: 9 };
    const change = { name: null, active: false, updatedAt: 9 };
    expect(await store.webhooks.update('wh_1', change)).toEqual(changed);

    const again = await opened.reopen();
    expect(again.webhooks.all()).toEqual([changed]);
    expect(await again.webhooks.delete('wh_1')).toEqual(['sub_1']);
    expect(again.webhooks.all()).toEqual([]);
    expect(ids(again.subscriptions.all())).toEqual(['sub_2']);
    expect(again.autoSubscriptions.all()).toEqual([]);
    expect(await again.webhooks.delete('wh_1')).toEqual([]);
  });

  rule('the secret before the last rotation is kept until it runs out', async (opened) => {
    const { store } = opened;
    await store.webhooks.insert(webhook('wh_1', { signingSecret: 'one' }));
    await store.webhooks.rotateSecret('wh_1', 'two', 50, 9);
    // Both rotate what stands when it is their turn.
    const asked = ['three', 'four'].map((sealed) =>
      store.webhooks.rotateSecret('wh_1', sealed, 60, 10),
    );
    const [, last] = await Promise.all(asked);
    const stands = webhook('wh_1', {
      signingSecret: 'four',
      oldSecret: { sealed: 'three', until: 60 },
      updatedAt: 10,
    });
    expect(last).toEqual(stands);
    expect((await opened.reopen()).webhooks.get('wh_1')).toEqual(stands);
  });

  rule('what is asked of one that is not there is refused', async ({ store }) => {
    const refused = { code: 'not_found' };
    await expect(store.webhooks.update('wh_9', { updatedAt: 1 })).rejects.toMatchObject(refused);
    await expect(store.webhooks.rotateSecret('wh_9', 's', 1, 1)).rejects.toMatchObject(refused);
  });
});

export const subscriptions = topic('subscriptions', nothing, (rule) => {
  rule('one of an emitter, a listener and a channel is made once', async ({ store, reopen }) => {
    const asked = ['sub_1', 'sub_2'].map((id) =>
      store.subscriptions.ensure(subscription(id, 'dc_1', 'wh_1', 'c')),
    );
    const record = subscription('sub_1', 'dc_1', 'wh_1', 'c');
    expect(await Promise.all(asked)).toEqual([
      { record, created: true },
      { record, created: false },
    ]);
    await store.subscriptions.ensure(subscription('sub_3', 'dc_1', 'wh_1'));
    const again = await reopen();
    expect(again.subscriptions.all()).toEqual([record, subscription('sub_3', 'dc_1', 'wh_1')]);
    expect(again.subscriptions.find('dc_1', 'wh_1', 'c')).toEqual(record);
    expect(again.subscriptions.find('dc_1', 'wh_1', 'd')).toBeUndefined();
    await again.subscriptions.delete('sub_1');
    expect(again.subscriptions.get('sub_1')).toBeUndefined();
    const anew = await again.subscriptions.ensure(subscription('sub_4', 'dc_1', 'wh_1', 'c'));
    expect(anew.created).toBe(true);
  });

  rule('one for all emitters is made once', async ({ store, reopen }) => {
    const asked = ['as_1', 'as_2'].map((id) =>
      store.autoSubscriptions.ensure({ id, listenerId: 'wh_1', channel: '$logs' }),
    );
    const record = { id: 'as_1', listenerId: 'wh_1', channel: '$logs' };
    expect((await Promise.all(asked)).map((one) => one.created)).toEqual([true, false]);
    const again = await reopen();
    expect(again.autoSubscriptions.all()).toEqual([record]);
    await again.autoSubscriptions.delete('as_1');
    expect(again.autoSubscriptions.get('as_1')).toBeUndefined();
  });
});

export const accounts = topic('accounts', nothing, (rule) => {
  rule('are listed by app', async ({ store, reopen }) => {
    for (const [id, app] of [
      ['apn_1', 'slack'],
      ['apn_2', 'github'],
      ['apn_3', 'slack'],
    ] as const) {
      await store.accounts.insert({ id, app, name: id, sealed: 's', createdAt: 1, updatedAt: 1 });
    }
    const github = store.accounts.get('apn_2')!;
    const health = {
      status: 'healthy',
      error: null,
      obtainedAt: 1,
      expiresAt: 2,
      refreshedAt: null,
      retryAt: null,
      failures: 0,
      scopes: ['a'],
      canRefresh: true,
    } as const;
    const oauth = { sealed: 'g', health };
    await store.accounts.replace({ ...github, name: 'new', sealed: 't', updatedAt: 2, oauth });
    await store.accounts.delete('apn_1');
    const gone = store.accounts.replace({ ...github, id: 'apn_1' });
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
    expect(store.accounts.get('apn_1')).toBeUndefined();
    for (const one of [store, await reopen()]) {
      const page = one.accounts.list({ limit: 5, app: 'slack' });
      expect(page).toMatchObject({ total: 1, rows: [{ id: 'apn_3' }] });
      expect(one.accounts.get('apn_2')).toEqual({
        ...github,
        name: 'new',
        sealed: 't',
        updatedAt: 2,
        oauth,
      });
      expect(github.app).toBe('github');
    }
  });
});

export const pages = topic('pages of the configuration', oneSource, (rule) => {
  rule('go forward and back by the unpadded base64 of an id', async ({ store }) => {
    for (const n of [2, 3, 4, 5]) await store.sources.insert(source(`dc_${n}`));
    const first = store.sources.list({ limit: 2 });
    expect(ids(first.rows)).toEqual(['dc_1', 'dc_2']);
    expect(first).toMatchObject({ total: 5, start: 'ZGNfMQ', end: 'ZGNfMg' });
    const second = store.sources.list({ limit: 2, after: first.end ?? '' });
    expect(ids(second.rows)).toEqual(['dc_3', 'dc_4']);
    const back = store.sources.list({ limit: 1, before: second.start ?? '' });
    expect(ids(back.rows)).toEqual(['dc_2']);
    const end = { rows: [], total: 5, start: null, end: null };
    expect(store.sources.list({ limit: 2, after: 'ZGNfNQ' })).toEqual(end);
  });

  for (const after of ['', 'nonsense', 'ZGNfOQ']) {
    rule(`a cursor that is of no record is refused: "${after}"`, async ({ store }) => {
      const refused = expect.objectContaining({ code: 'bad_input' });
      expect(() => store.sources.list({ limit: 2, after })).toThrow(refused);
      expect(() => store.webhooks.list({ limit: 2, before: after })).toThrow(refused);
    });
  }
});
