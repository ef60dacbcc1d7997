/** What is in memory after the disk has refused a write: what the store has, and nothing of the refused write. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Environment } from '../../../../../src/runtime/accounts/environment/environment.ts';
import { createSealer } from '../../../../../src/runtime/accounts/seal.ts';
import { SigningSecrets } from '../../../../../src/runtime/sources/apphooks/signing-secrets.ts';
import type { AccountRecord } from '../../../../../src/runtime/store/configuration/accounts.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { open } from '../../../../support/open-store.ts';
import { ownerOf, source, take, webhook } from '../../../../support/records.ts';
import { breakable, type Fault } from './breakable.ts';

const account = (id: string, name = 'Acme'): AccountRecord => ({
  id,
  app: 'acme',
  name,
  createdAt: 1,
  updatedAt: 1,
  sealed: 'sealed',
});
const timer = {
  id: 'ti_1',
  prop: 'timer',
  kind: 'timer',
  intervalSeconds: 60,
  nextAt: 100,
} as const;
const subscription = { id: 'sub_1', emitterId: 'dc_1', listenerId: 'wh_1', channel: '' };

async function world() {
  const { io, state } = breakable('ENOSPC');
  const store = await open(join(temporaryFolder(), 'weir.db'), io);
  onTestFinished(() => store.close().catch(() => undefined));
  await store.sources.insert(source('dc_1', { interfaces: [timer] }));
  await store.sources.insert(source('dc_2'));
  await take(store, 'dc_1');
  await store.webhooks.insert(webhook('wh_1'));
  await store.subscriptions.ensure(subscription);
  for (const id of ['apn_1', 'apn_2', 'apn_3']) await store.accounts.insert(account(id));
  await store.settings.set('key', 'before');
  await store.dataStores.ensure({ id: 'ds_1', name: 'things', createdAt: 1 });
  const sealer = createSealer({ bytes: randomBytes(32), origin: 'a test' });
  const { settings } = store;
  const environment = new Environment({
    settings,
    sealer,
    file: undefined,
    now: () => 0,
    warn: () => undefined,
  });
  await environment.set('KEPT', '1');
  const secrets = await SigningSecrets.open(settings, sealer);
  await secrets.set('apn_1', 'kept');
  const seen = () => ({
    sources: store.sources.all(),
    events: store.events.list('dc_2', { limit: 1 }),
    webhooks: store.webhooks.all(),
    subscriptions: store.subscriptions.all(),
    accounts: store.accounts.all(),
    stores: store.dataStores.list({ limit: 9 }).rows,
    setting: store.settings.get('key'),
    environment: environment.all(),
    listed: environment.mask.text('1 2'),
    secrets: ['apn_1', 'apn_2'].map((id) => secrets.get(id)),
  });
  return { store, state, environment, secrets, seen };
}

type World = Awaited<ReturnType<typeof world>>;

/** Each is asked for in the same turn as the others: one group, which the disk refuses. */
const writes: Record<string, (made: World) => Promise<unknown>> = {
  'a new source': ({ store }) => store.sources.insert(source('dc_3')),
  'a renamed source': ({ store }) => store.sources.rename('dc_1', 'Other', 'other', 2),
  'a deleted source': ({ store }) => store.sources.delete('dc_2'),
  'the next tick': async ({ store }) =>
    store.sources.setNextTick(await ownerOf(store, 'dc_1'), 'ti_1', 500),
  'a deleted webhook': ({ store }) => store.webhooks.delete('wh_1'),
  'a new account': ({ store }) => store.accounts.insert(account('apn_4')),
  'changed accounts': ({ store }) =>
    Promise.all(['A', 'B'].map((name) => store.accounts.replace(account('apn_1', name)))),
  'a deleted account': ({ store }) => store.accounts.delete('apn_2'),
  'a setting': ({ store }) => store.settings.set('key', 'after'),
  'a setting that has to be there': ({ store }) => store.settings.ensure('other', 'made'),
  'a data store': ({ store }) =>
    store.dataStores.ensure({ id: 'ds_2', name: 'more', createdAt: 1 }),
  'a variable': ({ environment }) => environment.set('NEW', '2'),
  'a variable that is taken away': ({ environment }) => environment.delete('KEPT'),
  'a signing secret': ({ secrets }) => secrets.set('apn_2', 'new'),
};

const cases = Object.keys(writes).flatMap((what) =>
  (['write', 'barrier'] as const).map((fault) => [what, fault] as const),
);

test.each(cases)('%s, refused at the %s', async (what, fault: Fault) => {
  const made = await world();
  const before = await settled(made);
  made.state.broken = fault;
  await expect(writes[what]?.(made)).rejects.toMatchObject({ code: 'store_failed' });
  expect(await settled(made)).toEqual(before);
  expect(made.store.settings.get('other')).toBeUndefined();
});

test('all of them in one group: nothing of any is left, and the order is as it was', async () => {
  const made = await world();
  const before = await settled(made);
  made.state.broken = 'barrier';
  const ends = await Promise.allSettled(Object.values(writes).map((write) => write(made)));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect(await settled(made)).toEqual(before);
});

async function settled({ seen }: World) {
  const all = seen();
  return { ...all, events: (await all.events).total };
}
