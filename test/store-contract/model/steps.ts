/** What a random script does to a store, step by step. */
import * as fc from 'fast-check';
import type { Trigger } from '../../../src/protocol/host.ts';
import { WeirError } from '../../../src/protocol/errors.ts';
import type { InvocationCommit } from '../../../src/runtime/store/commit.ts';
import type { AttemptRecord } from '../../../src/runtime/store/history/deliveries.ts';
import type { DroppedEvent, NewEvent } from '../../../src/runtime/store/history/events.ts';
import { randomFrom } from '../../support/power-disk.ts';
import { definition, drop, event, source, webhook } from '../../support/records.ts';
import { expectSame, isNumberOf } from './numbers.ts';
import { isOpen } from './plain-store.ts';
import type { Session, Write } from './session.ts';
import { names } from './view.ts';

/** One step of a script: plain data until it runs, so that a failure can be told and made smaller. */
export interface Step {
  readonly run: (session: Session) => Promise<void>;
}

interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Step>;
}

/** What is asked for in one turn of the loop goes to the disk together, and is there after two. */
const someTurns = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3);

/** @param fields which ones are meant of what is there when the step runs, and what is done to them */
function step<T>(
  name: string,
  weight: number,
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (session: Session, fields: T) => Promise<void>,
): Weighted {
  const drawn = fc.tuple(fc.record(fields), someTurns);
  const arbitrary = drawn.map(([values, turns]) => ({
    async run(session: Session) {
      await run(session, values as T);
      await session.pass(turns);
    },
    [fc.toStringMethod]: () => `${name} ${JSON.stringify(values)}, ${turns} turns`,
  }));
  return { weight, arbitrary };
}

/** A step that is one write. Undefined when there is nothing to do it to. */
function write<T>(
  name: string,
  weight: number,
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  plan: (fields: T, session: Session) => Promise<Write | undefined> | Write | undefined,
): Weighted {
  return step(name, weight, fields, async (session, values: T) => {
    const planned = await plan(values, session);
    if (planned !== undefined) session.write(planned);
  });
}

/** One of those that are there. */
function pick<T>(from: readonly T[], which: number): T | undefined {
  return from[which % from.length];
}

const which = fc.nat({ max: 30 });
const few = (most: number) => fc.nat({ max: most });
const rarely = fc.nat({ max: 24 }).map((n) => n === 0);
const sometimes = fc.boolean();

const emitters = names.emitters;
const anEmitter = fc.constantFrom(...emitters);
const aWebhook = fc.constantFrom('wh_0', 'wh_1');
const aChannel = fc.constantFrom('', 'c');
const word = fc.constantFrom('apple', 'pear', 'plum');

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

const triggers: readonly (Trigger | undefined)[] = [
  undefined,
  { kind: 'event', json: '{"a":1}' },
  { kind: 'timer', prop: 'timer', timestamp: 1, intervalSeconds: 60 },
  {
    kind: 'http',
    prop: 'http',
    method: 'POST',
    url: 'http://127.0.0.1:1/h/hi_1',
    path: '/',
    query: '',
    headers: {},
    clientIp: '127.0.0.1',
    body: Uint8Array.from([0, 255]),
  },
];

/** Runs that are there and whose number is known. */
const invocationsIn = ({ plain, numbers }: Session, wanted: (endedAt: number | null) => boolean) =>
  [...plain.state.emitters].flatMap(([emitterId, { invocations }]) =>
    invocations
      .filter(({ endedAt }) => wanted(endedAt))
      .flatMap(({ n }) => {
        const known = numbers.get(n);
        return known === undefined ? [] : [{ emitterId, n, known }];
      }),
  );

const refuse = (code: 'conflict'): never => {
  throw new WeirError(code, 'A fence that is stale.');
};

const accept = write(
  'accept',
  14,
  { which, trigger: few(3), tick: sometimes, replay: sometimes, stale: rarely },
  async ({ which, trigger, tick, replay, stale }, session) => {
    const emitterId = pick([...session.plain.state.emitters.keys()], which);
    if (emitterId === undefined) return undefined;
    const fence = (await session.fenceOf(emitterId)) - (stale ? 1 : 0);
    const at = session.now();
    const replayed = replay
      ? pick(
          invocationsIn(session, () => true),
          which,
        )
      : undefined;
    const asked = {
      emitterId,
      cause: tick ? ('timer' as const) : ('manual' as const),
      at,
      ...(triggers[trigger] && { trigger: triggers[trigger] }),
      ...(tick && { tick: { interfaceId: `ti_${emitterId}`, nextAt: at + 60_000 } }),
    };
    return {
      apply: (plain) =>
        stale
          ? refuse('conflict')
          : plain.accept({ ...asked, ...(replayed && { replayOf: replayed.n }) }),
      async ask(store, expected) {
        const replayOf = replayed && { replayOf: replayed.known };
        const { n, durable } = store.accept({ ...asked, fence, ...replayOf });
        // Runs start before they are on disk.
        if (isNumberOf(expected)) session.numbers.learn(expected, n);
        await durable;
        return n;
      },
    };
  },
);

const anEvent = fc.record({
  channel: aChannel,
  word,
  webhooks: fc.subarray(['wh_0', 'wh_1', 'wh_gone']),
  triggers: fc.subarray([...emitters]),
});

const effect = fc.record({
  events: fc.array(anEvent, { maxLength: 3 }),
  drops: few(2),
  notices: few(1),
  /** Enough for retention. */
  many: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 110),
  db: fc.array(fc.record({ key: few(3), value: fc.option(few(9)) }), { maxLength: 3 }),
  strategy: fc.constantFrom(undefined, 'unique', 'greatest', 'last'),
  ids: few(3),
  reset: rarely,
  logs: few(2),
  status: fc.constantFrom('succeeded', 'failed', 'crashed', 'cancelled'),
  forgetTrigger: rarely,
});

type Effect = typeof effect extends fc.Arbitrary<infer T> ? T : never;

function commitOf(made: Effect, at: number): Omit<InvocationCommit, 'n' | 'emitterId' | 'fence'> {
  let seq = 0;
  const events: NewEvent[] = [];
  const drops: DroppedEvent[] = [];
  const notices: NewEvent[] = [];
  for (const { word, ...one } of made.events) {
    events.push(event(`${at}-${seq++}`, { ...one, summary: word, dedupeId: word }));
    if (drops.length < made.drops) drops.push(drop(`${at}-${seq++}`, { summary: word }));
  }
  for (let i = 0; i < made.many; i++) events.push(event(`${at}-${seq++}`));
  for (let i = 0; i < made.notices; i++) {
    notices.push(event(`${at}-${seq++}`, { channel: '$errors', webhooks: ['wh_0'] }));
  }
  const { strategy, reset } = made;
  const ids = Array.from({ length: made.ids * (made.many > 0 ? 40 : 1) }, (_, i) => `${at} ${i}`);
  const dedupe = strategy && {
    strategy,
    ...(reset && { reset }),
    ...(strategy === 'unique' && { append: ids }),
    ...(strategy === 'greatest' && { greatest: at / 2 }),
    ...(strategy === 'last' && { last: String(at) }),
  };
  return {
    status: made.status,
    startedAt: at,
    endedAt: at + 1,
    events,
    drops,
    notices,
    db: made.db.map(({ key, value }) => ({
      prop: 'db',
      key: `k${key}`,
      ...(value === null ? {} : { json: `${at}${value}` }),
    })),
    logs: Array.from({ length: made.logs + made.many }, (_, i) => ({
      at: at + i,
      kind: 'console',
      level: 'info',
      text: `line ${i}`,
    })),
    ...(dedupe && { dedupe }),
    ...(made.status === 'failed' && { error: { name: 'Error', message: `at ${at}` } }),
    ...(made.forgetTrigger && { forgetTrigger: true }),
  };
}

const commit = write(
  'commit',
  28,
  { which, effect, stale: rarely },
  async ({ which, effect: made, stale }, session) => {
    const open = invocationsIn(session, (endedAt) => endedAt === null);
    const invocation = pick(open, which);
    if (invocation === undefined) return undefined;
    const { emitterId, n, known } = invocation;
    const fence = (await session.fenceOf(emitterId)) - (stale ? 1 : 0);
    const asked = commitOf(made, session.now());
    return {
      apply: (plain) => (stale ? refuse('conflict') : plain.commit(emitterId, n, asked)),
      ask: (store) => store.commit({ ...asked, n: known, emitterId, fence }),
    };
  },
);

const retry = write('retry', 2, { which, count: few(2) }, ({ which, count }, session) => {
  const open = invocationsIn(session, (endedAt) => endedAt === null);
  const again = open.slice(which % (open.length + 1)).slice(0, count);
  return {
    apply(plain) {
      for (const { emitterId, n } of again) plain.retry(emitterId, [n]);
    },
    ask: (store) => store.invocations.retry(again.map(({ known }) => known)),
  };
});

const record = write(
  'record',
  10,
  { which, outcome: few(2), manual: sometimes, any: rarely },
  ({ which, outcome, manual, any }, { plain, numbers }) => {
    const known = plain.state.deliveries.filter(
      (one) => numbers.get(one.n) !== undefined && (any || isOpen(one)),
    );
    const delivery = pick(known, which);
    const n = delivery && numbers.get(delivery.n);
    if (delivery === undefined || n === undefined) return undefined;
    const at = 5 + which;
    const status = ([200, 500, null] as const)[outcome] ?? null;
    const attempt: AttemptRecord = {
      at,
      request: { method: 'POST', url: 'http://127.0.0.1:1/', headers: { a: 'b' }, body: '{}' },
      response: status === null ? null : { status, headers: {}, body: 'x' },
      totalMs: 3,
      error: status === null ? { class: 'network', message: 'refused' } : null,
      ...(manual && { manual }),
    };
    const next = (
      [
        { status: 'delivered', nextAt: null },
        { status: 'retrying', nextAt: at + 99 },
        { status: 'exhausted', nextAt: null },
      ] as const
    )[outcome] ?? { status: 'exhausted', nextAt: null };
    return {
      apply: (after) => after.record(delivery, attempt, next),
      ask: (store) => store.deliveries.record({ ...delivery, n }, attempt, next),
    };
  },
);

const appendLog = write('append a log line', 3, { anEmitter }, ({ anEmitter: id }, session) => {
  const line = { at: session.now(), kind: 'system', level: 'warn', text: 'refused' } as const;
  return {
    apply: (plain) => plain.appendLog(id, line),
    ask: (store) => store.logs.append(id, line),
  };
});

const deleteEvents = write(
  'delete events',
  3,
  { which, length: few(3), channel: fc.option(aChannel), all: sometimes },
  ({ which, length, channel, all }, { plain }) => {
    const emitterId = pick([...plain.state.emitters.keys()], which);
    if (emitterId === undefined) return undefined;
    const { events } = plain.emitter(emitterId);
    const from = which % (events.length + 1);
    const [start, end] = [events[from]?.id, events[from + length]?.id];
    const range = all
      ? {}
      : {
          ...(start !== undefined && { start }),
          ...(end !== undefined && { end }),
          ...(channel !== null && { channel }),
        };
    return {
      apply: (after) => after.deleteEvents(emitterId, range),
      ask: (store) => store.events.delete(emitterId, range),
    };
  },
);

const prune = step(
  'prune',
  4,
  {
    anEmitter,
    table: fc.constantFrom('events', 'logs', 'invocations', 'deliveries'),
    count: fc.constantFrom(1, 120, 1e6),
    age: fc.constantFrom(0, 20, 1e6),
    bytes: fc.constantFrom(1500, 1e9),
  },
  async (session, { anEmitter: id, table, count, age, bytes }) => {
    const keep = { count, before: session.now() - age, bytes };
    if (table === 'events') {
      session.write({
        apply: (plain) => plain.pruneEvents(id, keep),
        ask: (store) => store.events.prune(id, keep),
      });
    } else if (table === 'logs') {
      session.write({
        apply: (plain) => plain.pruneLogs(id, keep),
        ask: (store) => store.logs.prune(id, keep),
      });
    } else if (table === 'deliveries') {
      session.write({
        apply: (plain) => plain.pruneDeliveries(id, keep),
        ask: (store) => store.deliveries.prune(id, keep),
      });
    } else {
      await session.settle();
      const gone = await session.store.invocations.prune(id, keep);
      // None is right as well: a store may wait until it is worth it.
      if (gone > 0) expectSame(gone, session.plain.pruneInvocations(id, keep));
      await session.settle();
    }
  },
);

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

const setNextTick = write(
  'set a next tick',
  2,
  { anEmitter, never: sometimes },
  ({ anEmitter: id, never }, session) => {
    const nextAt = never ? undefined : session.now();
    return {
      apply: (plain) => plain.setNextTick(`ti_${id}`, nextAt),
      ask: (store) => store.sources.setNextTick(`ti_${id}`, nextAt),
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
  1,
  { i: few(1), gone: sometimes },
  ({ i, gone }) => {
    const id = `apn_${i}`;
    const record = { id, app: 'slack', name: id, sealed: 's', createdAt: 1, updatedAt: 1 };
    if (gone) {
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
  { i: few(2), what: few(6), key: few(2), expires: fc.option(few(40)) },
  ({ i, what, key: k, expires }, session) => {
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
    return {
      apply: (plain) => plain.setEntry({ store, key, json, expiresAt }),
      ask: ({ dataStores }) => dataStores.set(store, [key, json], expiresAt, at),
    };
  },
);

const index = step(
  'index',
  3,
  { anEmitter, most: fc.constantFrom(1, 10, 1000) },
  async (session, { anEmitter: id, most }) => {
    // Changes nothing that anybody sees.
    await session.store.events.index(id, most);
    session.check();
  },
);

const search = step('search', 4, { anEmitter, word }, async (session, { anEmitter: id, word }) => {
  const events = session.plain.state.emitters.get(id)?.events ?? [];
  const found = events.filter(({ kind, summary }) => kind === 'emitted' && summary === word);
  const page = await session.store.events.list(id, { limit: 1e6, search: word.slice(0, 3) });
  const ids = page.rows.map((row) => row.id);
  expectSame(
    ids.toReversed(),
    found.map((row) => row.id),
  );
  expectSame(page.total, found.length);
});

const readOn = step(
  'read on',
  3,
  { anEmitter, limit: fc.integer({ min: 1, max: 40 }) },
  async (session, { anEmitter: id, limit }) => {
    const emitter = session.plain.state.emitters.get(id);
    const events = (emitter?.events ?? []).filter(({ kind }) => kind === 'emitted');
    const read: string[] = [];
    for (let after = '0-0'; ; after = read.at(-1) ?? '') {
      const next = await session.store.events.after(id, after, limit);
      read.push(...next.map((row) => row.id));
      if (next.length < limit) break;
    }
    expectSame(
      read,
      events.map((row) => row.id),
    );

    const paged: string[] = [];
    let cursor: { readonly after?: string } = {};
    for (;;) {
      const page = await session.store.events.list(id, { limit, ...cursor });
      paged.push(...page.rows.map((row) => row.id));
      if (page.end === null) break;
      cursor = { after: page.end };
    }
    expectSame(paged, read.toReversed());
  },
);

const wait = step('wait', 4, {}, (session) => session.settle());
const look = step('look', 5, {}, (session) => session.look());
const reopen = step('reopen', 1, {}, (session) => session.reopen());
const crash = step('crash', 6, { seed: few(1e6) }, (session, { seed }) =>
  session.crash(randomFrom(seed)),
);

const steps: readonly Weighted[] = [
  accept,
  commit,
  retry,
  record,
  appendLog,
  deleteEvents,
  prune,
  insertSource,
  replaceSource,
  renameSource,
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
  index,
  search,
  readOn,
  wait,
  look,
  reopen,
  crash,
];

export const aStep: fc.Arbitrary<Step> = fc.oneof(...steps);
