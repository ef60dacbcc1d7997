/** Steps of the configuration: sources, webhooks, subscriptions, code, settings, accounts, data stores. */
import * as fc from 'fast-check';
import { definition, source, webhook } from '../../support/records.ts';
import { writerOf } from './owner.ts';
import {
  aChannel,
  anEmitter,
  aWebhook,
  few,
  pick,
  rarely,
  sometimes,
  type Weighted,
  write,
} from './step.ts';
import { names } from './view.ts';

const timerOf = (id: string) =>
  ({ id: `ti_${id}`, prop: 'timer', kind: 'timer', intervalSeconds: 60 }) as const;

/** The same code and file under two ids: `sc_0` and `sc_2`. */
const component = (i: number) => ({
  id: `sc_${i}`,
  hash: `h${i % 2}`,
  path: i % 2 === 0 ? '/a.mjs' : null,
  definition,
  createdAt: i,
});

/** Two of one name: `ds_0` and `ds_2`. */
const dataStore = (i: number) => ({ id: `ds_${i}`, name: `store ${i % 2}`, createdAt: i });

const insertSource = write(
  'insert a source',
  5,
  { anEmitter, slug: few(1), i: few(2), timer: sometimes },
  ({ anEmitter: id, slug, i, timer }) => {
    const interfaces = timer ? [timerOf(id)] : [];
    const record = source(id, { slug: `slug${slug}`, componentId: `sc_${i}`, interfaces });
    return {
      apply: (plain) => plain.insertSource(record),
      ask: (store) => store.sources.insert(record),
    };
  },
);

const replaceSource = write(
  'replace a source',
  2,
  { anEmitter, i: few(2), active: sometimes, timer: sometimes },
  ({ anEmitter: id, i, active, timer }, session) => {
    const interfaces = timer ? [timerOf(id)] : [];
    const updatedAt = session.now();
    const record = source(id, { componentId: `sc_${i}`, active, interfaces, updatedAt });
    return {
      apply: (plain) =>
        plain.changeSource(id, ({ slug, createdAt }) => ({ ...record, slug, createdAt })),
      ask: (store) => store.sources.replace(record),
    };
  },
);

const renameSource = write(
  'rename a source',
  2,
  { anEmitter, slug: few(1) },
  ({ anEmitter: id, slug }, session) => {
    const change = [`Name ${slug}`, `slug${slug}`, session.now()] as const;
    return {
      apply: (plain) => plain.renameSource(id, ...change),
      ask: (store) => store.sources.rename(id, ...change),
    };
  },
);

const endDeploy = write(
  'end a deploy',
  2,
  { anEmitter, stale: rarely },
  async ({ anEmitter: id, stale }, session) => {
    const at = session.now();
    const newIds = () => {
      let n = 0;
      return () => `sub ${at} ${n++}`;
    };
    const { owner, as } = await writerOf(session, id, stale);
    return {
      apply: as((plain) => plain.endDeploy(id, at, newIds())),
      ask: (store) => store.sources.endDeploy(owner, at, newIds()),
    };
  },
);

const setNextTick = write(
  'set a next tick',
  2,
  { anEmitter, never: sometimes, stale: rarely },
  async ({ anEmitter: id, never, stale }, session) => {
    const nextAt = never ? undefined : session.now();
    const { owner, as } = await writerOf(session, id, stale);
    return {
      apply: as((plain) => plain.setNextTick(`ti_${id}`, nextAt)),
      ask: (store) => store.sources.setNextTick(owner, `ti_${id}`, nextAt),
    };
  },
);

const deleteSource = write('delete a source', 2, { anEmitter }, ({ anEmitter: id }) => ({
  apply: (plain) => plain.deleteSource(id),
  ask: (store) => store.sources.delete(id),
}));

const insertWebhook = write('insert a webhook', 4, { aWebhook }, ({ aWebhook: id }) => ({
  apply: (plain) => plain.insertWebhook(webhook(id)),
  ask: (store) => store.webhooks.insert(webhook(id)),
}));

const updateWebhook = write(
  'update a webhook',
  2,
  { aWebhook, active: sometimes, rotate: sometimes },
  ({ aWebhook: id, active, rotate }, session) => {
    const at = session.now();
    if (!rotate) {
      const change = { active, name: `at ${at}`, updatedAt: at };
      return {
        apply: (plain) => plain.updateWebhook(id, change),
        ask: (store) => store.webhooks.update(id, change),
      };
    }
    return {
      apply: (plain) =>
        plain.changeWebhook(id, (before) => ({
          ...before,
          signingSecret: `secret ${at}`,
          oldSecret: { sealed: before.signingSecret, until: at + 9 },
          updatedAt: at,
        })),
      ask: (store) => store.webhooks.rotateSecret(id, `secret ${at}`, at + 9, at),
    };
  },
);

const deleteWebhook = write('delete a webhook', 2, { aWebhook }, ({ aWebhook: id }) => ({
  apply: (plain) => plain.deleteWebhook(id),
  ask: (store) => store.webhooks.delete(id),
}));

const subscribe = write(
  'subscribe',
  4,
  {
    anEmitter,
    listener: fc.oneof(aWebhook, anEmitter),
    channel: aChannel,
    i: few(3),
    gone: rarely,
  },
  ({ anEmitter: emitterId, listener, channel, i, gone }) => {
    const id = `sub_${i}`;
    if (gone) {
      return {
        apply(plain) {
          const { subscriptions } = plain.state;
          plain.state.subscriptions = subscriptions.filter((one) => one.id !== id);
        },
        ask: (store) => store.subscriptions.delete(id),
      };
    }
    // Ids are random and never used twice.
    const record = {
      id: `${id} ${emitterId} ${listener} ${channel}`,
      emitterId,
      listenerId: listener,
      channel,
    };
    return {
      apply: (plain) => plain.ensureSubscription(record),
      ask: (store) => store.subscriptions.ensure(record),
    };
  },
);

const subscribeToAll = write(
  'subscribe to all',
  2,
  { listener: fc.oneof(aWebhook, anEmitter), i: few(1) },
  ({ listener, i }) => {
    const channel = '$errors';
    const record = { id: `as_${listener}_${i}`, listenerId: listener, channel };
    return {
      apply: (plain) => plain.ensureAutoSubscription(record),
      ask: (store) => store.autoSubscriptions.ensure(record),
    };
  },
);

const deploy = write(
  'save code',
  3,
  { i: few(2), key: fc.option(fc.constantFrom(...names.published)) },
  ({ i, key }) => {
    if (key === null) {
      return {
        apply: (plain) => plain.ensureComponent(component(i)),
        ask: (store) => store.components.ensure(component(i)),
      };
    }
    return {
      apply: (plain) => plain.publish(component(i), key, `0.0.${i}`),
      ask: (store) => store.components.publish(component(i), key, `0.0.${i}`),
    };
  },
);

const unpublish = write(
  'unpublish',
  1,
  { key: fc.constantFrom(...names.published) },
  ({ key }) => ({
    apply: (plain) => void plain.state.published.delete(key),
    ask: (store) => store.components.unpublish(key),
  }),
);

const removeUnused = write('remove unused code', 2, {}, () => ({
  apply: (plain) => plain.removeUnusedComponents(),
  ask: (store) => store.components.removeUnused(),
}));

const setSetting = write(
  'set a setting',
  2,
  { key: fc.constantFrom(...names.settings), value: few(9), ensure: sometimes },
  ({ key, value, ensure }) => {
    if (ensure) {
      return {
        apply: (plain) => plain.ensureSetting(key, String(value)),
        ask: (store) => store.settings.ensure(key, String(value)),
      };
    }
    return {
      apply: (plain) => void plain.state.settings.set(key, String(value)),
      ask: (store) => store.settings.set(key, String(value)),
    };
  },
);

const changeAccount = write(
  'change an account',
  2,
  { i: few(1), what: few(3) },
  ({ i, what }, session) => {
    const id = `apn_${i}`;
    const record = { id, app: 'slack', name: id, sealed: 's', createdAt: 1, updatedAt: 1 };
    if (what === 0) {
      const at = session.now();
      const other = { ...record, name: `at ${at}`, sealed: `at ${at}`, updatedAt: at };
      return {
        apply: (plain) => plain.replaceAccount(other),
        ask: (store) => store.accounts.replace(other),
      };
    }
    if (what === 1) {
      return {
        apply(plain) {
          plain.state.accounts = plain.state.accounts.filter((one) => one.id !== id);
        },
        ask: (store) => store.accounts.delete(id),
      };
    }
    return {
      apply: (plain) => plain.insertAccount(record),
      ask: (store) => store.accounts.insert(record),
    };
  },
);

const changeDataStore = write(
  'change a data store',
  4,
  { i: few(2), what: few(8), key: few(2), expires: fc.option(few(40)), meanwhile: rarely },
  ({ i, what, key: k, expires, meanwhile }, session) => {
    const at = session.now();
    const key = `k${k}`;
    const expiresAt = expires === null ? null : at + expires;
    const store = pick(session.plain.state.dataStores, i)?.id;
    if (what === 0 || store === undefined) {
      return {
        apply: (plain) => plain.ensureDataStore(dataStore(i)),
        ask: ({ dataStores }) => dataStores.ensure(dataStore(i)),
      };
    }
    if (what === 1) {
      return {
        apply: (plain) => plain.deleteDataStore(store),
        ask: ({ dataStores }) => dataStores.delete(store),
      };
    }
    if (what === 2) {
      return {
        apply: (plain) => plain.setExpiry(store, key, expiresAt, at),
        ask: ({ dataStores }) => dataStores.setExpiry(store, key, expiresAt, at),
      };
    }
    if (what === 3) {
      return {
        apply: (plain) => plain.deleteEntry(store, key),
        ask: ({ dataStores }) => dataStores.deleteKey(store, key),
      };
    }
    const json = String(at);
    if (what === 4 || what === 5) {
      const there = session.plain.state.entries.find(
        (one) => one.store === store && one.key === key,
      );
      const before = meanwhile ? 'another' : (there?.json ?? '');
      const item = { key, json, expiresAt };
      return {
        apply: (plain) => plain.replaceEntry({ store, ...item }, before, at),
        ask: ({ dataStores }) => dataStores.replace(store, item, before, at),
      };
    }
    return {
      apply: (plain) => plain.setEntry({ store, key, json, expiresAt }),
      ask: ({ dataStores }) => dataStores.set(store, [key, json], expiresAt, at),
    };
  },
);

export const configurationSteps: readonly Weighted[] = [
  insertSource,
  replaceSource,
  renameSource,
  endDeploy,
  setNextTick,
  deleteSource,
  insertWebhook,
  updateWebhook,
  deleteWebhook,
  subscribe,
  subscribeToAll,
  deploy,
  unpublish,
  removeUnused,
  setSetting,
  changeAccount,
  changeDataStore,
];
