/** All that a store shows of itself, as data; and what the model says that it has to show. */
import { hopsOfTrigger, withoutPayload } from '../../../src/protocol/host.ts';
import type { TakenEmitter } from '../../../src/runtime/store/ownership.ts';
import type { Store } from '../../../src/runtime/store/store.ts';
import type { PlainStore } from './plain-store.ts';
import { isAlive, isOpen } from './state.ts';

/** What scripts use, gone or not. */
export const names = {
  emitters: ['dc_0', 'dc_1', 'dc_2'],
  settings: ['a', 'b'],
  published: ['app-one', 'app-two'],
  dataStores: ['ds_0', 'ds_1', 'ds_2'],
} as const;

const all = { limit: 1_000_000 };

/**
 * @param at what expires by then is not there; epoch ms
 * @param taken what was handed out of each emitter
 */
export async function viewOf(store: Store, at: number, taken: ReadonlyMap<string, TakenEmitter>) {
  return {
    ...configurationOf(store),
    entries: await each(names.dataStores, (id) =>
      store.dataStores.entries(id, at, { after: null, limit: all.limit }),
    ),
    emitters: await each(names.emitters, async (id) => ({
      ...handedOut(taken.get(id)),
      events: await store.events.list(id, { ...all, dropped: true }),
      notices: await store.events.list(id, { ...all, channel: '$errors' }),
      scheduled: await store.scheduledEmits.due(id, Infinity, { count: 1e6, bytes: 1e9 }),
      invocations: await store.invocations.list(id, all),
      logs: await store.logs.list(id, all),
    })),
    deliveries: await Promise.all(
      (await store.deliveries.list(all)).rows.map(async (delivery) => ({
        delivery,
        attempts: await store.deliveries.attempts(delivery.n),
        sent: (await store.deliveries.outgoing(delivery.n))?.message,
      })),
    ),
  };
}

function configurationOf(store: Store) {
  const { settings, components, dataStores } = store;
  return {
    settings: names.settings.map((key) => settings.get(key)),
    components: components.all(),
    published: names.published.map((key) => components.published(key)),
    sources: store.sources.all(),
    webhooks: store.webhooks.all(),
    subscriptions: store.subscriptions.all(),
    autoSubscriptions: store.autoSubscriptions.all(),
    accounts: store.accounts.all(),
    dataStores: dataStores.list(all).rows,
  };
}

function handedOut(taken: TakenEmitter | undefined) {
  if (taken === undefined) return { there: false };
  const { db, dedupe, newestEvent, lastInvocation, unfinished, openDeliveries, waitingEmits } =
    taken;
  const keys = Object.entries(db).flatMap(([prop, values]) =>
    Object.entries(values).map(([key, json]): [string, string] => [`${prop} ${key}`, json]),
  );
  const { strategy, ids, greatest, last } = dedupe;
  return {
    there: true,
    db: new Map(keys),
    dedupe: { strategy, ids, greatest, last },
    newestEvent,
    lastInvocation,
    unfinished,
    openDeliveries,
    waitingEmits,
  };
}

/** The same of the model, with `NumberOf` in the place of numbers. */
export async function expectedView({ state }: PlainStore, at: number) {
  const { emitters, entries, deliveries, attempts } = state;
  return {
    settings: names.settings.map((key) => state.settings.get(key)),
    components: state.components,
    published: names.published.map((key) => state.published.get(key)),
    sources: state.sources,
    webhooks: state.webhooks,
    subscriptions: state.subscriptions,
    autoSubscriptions: state.autoSubscriptions,
    accounts: state.accounts,
    dataStores: state.dataStores,
    entries: await each(names.dataStores, (id) =>
      entries
        .filter((entry) => entry.store === id && isAlive(entry, at))
        .map(({ key, json }) => [key, json])
        .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    ),
    emitters: await each(names.emitters, (id) => {
      const emitter = emitters.get(id);
      if (emitter === undefined) {
        const none = { rows: [], total: 0, start: null, end: null };
        const lists = { events: none, notices: none, invocations: none, logs: none };
        const scheduled = { emits: [], nextAt: undefined };
        return { there: false, ...lists, scheduled };
      }
      const records = emitter.invocations.map(({ trigger: _, ...record }) => record);
      const [events, notices] = [false, true].map((wanted) =>
        emitter.events
          .filter(({ kind }) => (kind === 'notice') === wanted)
          .map(({ kind: _, ...event }) => event),
      );
      const { strategy, ids, greatest, last, newest } = emitter;
      return {
        there: true,
        db: emitter.db,
        dedupe: { strategy, ids, greatest, last },
        newestEvent: newest,
        lastInvocation: records.at(-1),
        unfinished: emitter.invocations
          .filter(({ endedAt }) => endedAt === null)
          .map(({ trigger, ...record }) => ({
            record,
            trigger: trigger && withoutPayload(trigger),
          })),
        openDeliveries: deliveries.filter((one) => one.emitterId === id && isOpen(one)),
        waitingEmits: {
          count: emitter.scheduled.length,
          bytes: emitter.scheduled.reduce((sum, one) => sum + Buffer.byteLength(one.payload), 0),
          nextAt: emitter.scheduled[0]?.dueAt,
        },
        scheduled: { emits: emitter.scheduled, nextAt: undefined },
        events: pageOf(events, ({ id }) => id),
        notices: pageOf(notices, ({ id }) => id),
        invocations: pageOf(records, ({ n }) => ({ ...n, asText: true })),
        logs: pageOf(emitter.logs, (line) => ({ ...line.id, asText: true })),
      };
    }),
    deliveries: deliveries.toReversed().map((delivery) => {
      const emitter = emitters.get(delivery.emitterId);
      const event = emitter?.events.find(
        ({ id, kind }) => id === delivery.eventId && kind !== 'drop',
      );
      const run = emitter?.invocations.find(({ n }) => n.numberOf === event?.invocation.numberOf);
      return {
        delivery,
        attempts: attempts.get(delivery.n.numberOf) ?? [],
        sent: event && {
          emitId: event.emitId,
          payload: event.payload,
          hops: 1 + hopsOfTrigger(run?.trigger),
        },
      };
    }),
  };
}

/** Newest first, with the cursors of both ends. */
function pageOf<T>(oldestFirst: readonly T[] = [], cursorOf: (row: T) => unknown) {
  const rows = oldestFirst.toReversed();
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    total: rows.length,
    start: first === undefined ? null : cursorOf(first),
    end: last === undefined ? null : cursorOf(last),
  };
}

async function each<T>(keys: readonly string[], make: (key: string) => T | Promise<T>) {
  const made = new Map<string, T>();
  for (const key of keys) made.set(key, await make(key));
  return made;
}
