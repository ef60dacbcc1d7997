/** Steps of an emitter's life: runs, commits, attempts, retention; and reading them back. */
import * as fc from 'fast-check';
import type { Trigger } from '../../../src/protocol/host.ts';
import type { InvocationCommit } from '../../../src/runtime/store/commit.ts';
import type { AttemptRecord } from '../../../src/runtime/store/history/deliveries.ts';
import type { DroppedEvent, NewEvent } from '../../../src/runtime/store/history/events.ts';
import { drop, event, httpTrigger, scheduled } from '../../support/records.ts';
import { expectSame, isNumberOf } from './numbers.ts';
import { writerOf } from './owner.ts';
import type { Session } from './session.ts';
import { isOpen } from './state.ts';
import {
  aChannel,
  anEmitter,
  few,
  pick,
  rarely,
  sometimes,
  step,
  type Weighted,
  which,
  word,
  write,
} from './step.ts';
import { names } from './view.ts';

const triggers: readonly (Trigger | undefined)[] = [
  undefined,
  { kind: 'event', json: '{"a":1}' },
  { kind: 'timer', prop: 'timer', timestamp: 1, intervalSeconds: 60 },
  httpTrigger(Uint8Array.from([0, 255])),
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

const accept = write(
  'accept',
  14,
  { which, trigger: few(3), tick: sometimes, replay: sometimes, stale: rarely },
  async ({ which, trigger, tick, replay, stale }, session) => {
    const emitterId = pick([...session.plain.state.emitters.keys()], which);
    if (emitterId === undefined) return undefined;
    const { owner, as } = await writerOf(session, emitterId, stale);
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
      apply: as((plain) => plain.accept({ ...asked, ...(replayed && { replayOf: replayed.n }) })),
      async ask(store, expected) {
        const replayOf = replayed && { replayOf: replayed.known };
        const { n, durable } = store.accept({ ...asked, fence: owner.fence, ...replayOf });
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
  triggers: fc.subarray([...names.emitters]),
});

const effect = fc.record({
  events: fc.array(anEvent, { maxLength: 3 }),
  drops: few(2),
  notices: few(1),
  /** In how many ms each is due. */
  scheduled: fc.array(few(3), { maxLength: 3 }),
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
    scheduled: made.scheduled.map((ms) => scheduled(at + ms, { scheduledAt: at, hops: ms + 1 })),
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
    const { owner, as } = await writerOf(session, emitterId, stale);
    const asked = commitOf(made, session.now());
    return {
      apply: as((plain) => plain.commit(emitterId, n, asked)),
      ask: (store) => store.commit({ ...asked, n: known, emitterId, fence: owner.fence }),
    };
  },
);

/** Those that wait and whose number is known. */
const scheduledIn = ({ plain, numbers }: Session, emitterId: string) =>
  (plain.state.emitters.get(emitterId)?.scheduled ?? []).flatMap((emit) => {
    const [n, invocation] = [numbers.get(emit.n), numbers.get(emit.invocation)];
    return n === undefined || invocation === undefined ? [] : [{ emit, n, invocation }];
  });

const emitDue = write(
  'emit what is due',
  8,
  { anEmitter, made: anEvent, count: few(3), stale: rarely },
  async ({ anEmitter: emitterId, made, count, stale }, session) => {
    const due = scheduledIn(session, emitterId).slice(0, count);
    if (due.length === 0) return undefined;
    const { owner, as } = await writerOf(session, emitterId, stale);
    const { word, ...listeners } = made;
    const at = session.now();
    const events = due.map(({ emit, ...known }, i) => ({
      emit,
      known,
      event: event(`${at}-${i}`, { ...listeners, summary: word, payload: emit.payload }),
    }));
    return {
      apply: as((plain) => plain.commitDue(emitterId, events)),
      ask: (store) =>
        store.commitDue({
          emitterId,
          fence: owner.fence,
          events: events.map(({ emit, known, event: one }) => ({
            emit: { ...emit, ...known },
            event: one,
          })),
        }),
    };
  },
);

const cancel = write(
  'cancel what is scheduled',
  3,
  { anEmitter, which, all: rarely, stale: rarely },
  async ({ anEmitter: id, which, all, stale }, session) => {
    const { owner, as } = await writerOf(session, id, stale);
    if (all) {
      return {
        apply: as((plain) => plain.cancel(id, plain.state.emitters.get(id)?.scheduled ?? [])),
        ask: (store) => store.scheduledEmits.cancel(owner, {}),
      };
    }
    const chosen = pick(scheduledIn(session, id), which);
    if (chosen === undefined) return undefined;
    const place = { ms: chosen.emit.dueAt, seq: chosen.n };
    return {
      apply: as((plain) => plain.cancel(id, [chosen.emit])),
      ask: (store) => store.scheduledEmits.cancel(owner, { start: place, end: place }),
    };
  },
);

const retry = write(
  'retry or mark as cut off',
  4,
  { which, count: few(2), cutOff: sometimes, stale: rarely },
  async ({ which, count, cutOff, stale }, session) => {
    const open = invocationsIn(session, (endedAt) => endedAt === null);
    const emitterId = pick(open, which)?.emitterId;
    if (emitterId === undefined) return undefined;
    const some = open.filter((one) => one.emitterId === emitterId).slice(0, count);
    const [numbers, known] = [some.map(({ n }) => n), some.map((one) => one.known)];
    const { owner, as } = await writerOf(session, emitterId, stale);
    if (cutOff) {
      return {
        apply: as((plain) => plain.markCutOff(emitterId, numbers)),
        ask: (store) => store.invocations.markCutOff(owner, known),
      };
    }
    return {
      apply: as((plain) => plain.retry(emitterId, numbers)),
      ask: (store) => store.invocations.retry(owner, known),
    };
  },
);

const writeDb = write(
  'write the db by hand',
  4,
  { anEmitter, keys: fc.array(few(3), { maxLength: 3 }), gone: sometimes, stale: rarely },
  async ({ anEmitter: id, keys, gone, stale }, session) => {
    const at = session.now();
    const writes = keys.map((key) => ({
      prop: 'db',
      key: `k${key}`,
      ...(!gone && { json: String(at) }),
    }));
    const { owner, as } = await writerOf(session, id, stale);
    return {
      apply: as((plain) => plain.writeDb(id, writes)),
      ask: (store) => store.writeDb(owner, writes),
    };
  },
);

const record = write(
  'record',
  10,
  { which, outcome: few(2), manual: sometimes, any: rarely, stale: rarely },
  async ({ which, outcome, manual, any, stale }, session) => {
    const { plain, numbers } = session;
    const known = plain.state.deliveries.filter(
      (one) => numbers.get(one.n) !== undefined && (any || isOpen(one)),
    );
    const delivery = pick(known, which);
    const n = delivery && numbers.get(delivery.n);
    if (delivery === undefined || n === undefined) return undefined;
    const { owner, as } = await writerOf(session, delivery.emitterId, stale);
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
      apply: as((after) => after.record(delivery, attempt, next)),
      ask: (store) => store.deliveries.record(owner.fence, { ...delivery, n }, attempt, next),
    };
  },
);

const appendLog = write(
  'append a log line',
  3,
  { anEmitter, stale: rarely },
  async ({ anEmitter: id, stale }, session) => {
    const { owner, as } = await writerOf(session, id, stale);
    const line = { at: session.now(), kind: 'system', level: 'warn', text: 'refused' } as const;
    return {
      apply: as((plain) => plain.appendLog(id, line)),
      ask: (store) => store.logs.append(owner, line),
    };
  },
);

const deleteEvents = write(
  'delete events',
  3,
  { which, length: few(3), channel: fc.option(aChannel), all: sometimes, stale: rarely },
  async ({ which, length, channel, all, stale }, session) => {
    const { plain } = session;
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
    const { owner, as } = await writerOf(session, emitterId, stale);
    return {
      apply: as((after) => after.deleteEvents(emitterId, range)),
      ask: (store) => store.events.delete(owner, range),
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
    const { owner } = await writerOf(session, id);
    // A store looks at its rows when it gets to them, and has an answer at once where there is nothing to do: alone, so
    // that neither says anything of other writes.
    await session.settle();
    if (table === 'events') {
      session.write({
        apply: (plain) => plain.pruneEvents(id, keep),
        ask: (store) => store.events.prune(owner, keep),
      });
    } else if (table === 'logs') {
      session.write({
        apply: (plain) => plain.pruneLogs(id, keep),
        ask: (store) => store.logs.prune(owner, keep),
      });
    } else if (table === 'deliveries') {
      session.write({
        apply: (plain) => plain.pruneDeliveries(id, keep),
        ask: (store) => store.deliveries.prune(owner, keep),
      });
    } else {
      const gone = await session.store.invocations.prune(owner, keep);
      // None is right as well: a store may wait until it is worth it.
      if (gone > 0) expectSame(gone, session.plain.pruneInvocations(id, keep));
    }
    await session.settle();
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

export const emitterSteps: readonly Weighted[] = [
  accept,
  commit,
  emitDue,
  cancel,
  retry,
  writeDb,
  record,
  appendLog,
  deleteEvents,
  prune,
  index,
  search,
  readOn,
];
