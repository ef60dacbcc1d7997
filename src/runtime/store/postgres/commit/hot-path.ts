import { WeirError } from '../../../../protocol/errors.ts';
import type { DbWrite } from '../../../../protocol/host.ts';
import type {
  CommittedDue,
  CommittedInvocation,
  DueCommit,
  InvocationCommit,
  StepCommit,
} from '../../commit.ts';
import type { EmitterOwner } from '../../emitter-owner.ts';
import { parseEventId } from '../../event-id.ts';
import { type DroppedEvent, emittedRecord, type NewEvent } from '../../history/events.ts';
import type { NewInvocation } from '../../history/invocations.ts';
import { Change, rowsOf } from '../change.ts';
import { type EmitterKey, type OwnedKey, sawEvent } from '../emitter-keys.ts';
import { type Engine, write } from '../engine.ts';
import { insertStatement } from '../row-table.ts';
import type { ScheduledEmit } from '../../history/scheduled-emits.ts';
import type { Logs } from '../tables/logs.ts';
import * as tables from '../tables/row-tables.ts';
import type { Timers } from '../../tables/configuration.ts';
import type { Webhooks } from '../../tables/webhooks.ts';
import type { Store } from '../../store.ts';
import type { Sends } from '../tables/sends.ts';
import type { Streams } from '../tables/streams.ts';
import { dedupeColumns } from './dedupe-columns.ts';
import { beginExecution, forgetExecution, takeNotification, writeExecution } from './executions.ts';
import { createListeners, type Told, type WithId } from './listeners.ts';
import { writeSends } from './sends.ts';
import { putInInbox } from './inbox.ts';
import { writeDb, writeDedupe } from './state.ts';

/**
 * The way of every event. No row is read: what a write rests on, the owner has in memory. What could be wrong with
 * the input is found before anything is asked of the server.
 */
export function createHotPath(
  engine: Engine,
  tablesOf: {
    readonly logs: Logs;
    readonly timers: Timers;
    readonly webhooks: Pick<Webhooks, 'has'>;
    readonly sends: Pick<Sends, 'insert'>;
    readonly streams: Pick<Streams, 'insert'>;
  },
): Pick<Store, 'accept' | 'commit' | 'commitStep' | 'commitDue' | 'writeDb'> {
  const { logs, timers, webhooks } = tablesOf;
  const { writer, keys, numbers } = engine;
  const tellListeners = createListeners(engine, webhooks);

  return {
    accept(invocation: NewInvocation) {
      writer.check();
      const key = keys.owned(invocation.emitterId, invocation.fence);
      const { tick, emitterId, n: given } = invocation;
      if (given !== undefined && key.owned.open.has(given)) throw isHere(given);
      if (tick !== undefined) timers.requireInterface(emitterId, tick.interfaceId);
      const change = new Change();
      if (tick !== undefined) {
        timers.moveTick(change, emitterId, tick.interfaceId, tick.nextAt);
      }
      const n = putInInbox(change, numbers, key, invocation);
      if (invocation.journal !== undefined) beginExecution(change, key, n, invocation.journal);
      return { n, durable: writer.write(change) };
    },
    async commit(commit: InvocationCommit): Promise<CommittedInvocation> {
      const key = keys.owned(commit.emitterId, commit.fence);
      const emitted = emittedOf(commit);
      const error = commit.error === undefined ? null : JSON.stringify(commit.error);
      return write(engine, (change) => {
        if (!key.owned.open.delete(commit.n)) throw hasEnded(commit);
        change.memory.onRefused(() => key.owned.open.add(commit.n));
        change.insert(tables.ends, {
          emitter: key.row,
          n: commit.n,
          status: commit.status,
          started_at: commit.startedAt,
          ended_at: commit.endedAt,
          emitted: commit.events.length,
          dropped: commit.drops.length,
          error,
          first_log: key.owned.lastLog + 1,
          logs: commit.logs.length,
        });
        const told = writeEmitted(change, key, commit, emitted);
        writeDb(change, key, commit.db);
        if (commit.dedupe !== undefined) writeDedupe(change, key, commit.dedupe);
        if (commit.forgetTrigger === true) forgetTrigger(change, key, commit.n);
        const logIds = commit.logs.map((line) => logs.insert(change, key, commit.n, line));
        return { logIds, ...told };
      });
    },
    async commitStep(commit: StepCommit): Promise<CommittedInvocation> {
      const key = keys.owned(commit.emitterId, commit.fence);
      const emitted = emittedOf(commit);
      return write(engine, (change) => {
        if (!writeExecution(change, logs, key, commit)) throw hasEnded(commit);
        const told = writeEmitted(change, key, commit, emitted);
        writeDb(change, key, commit.db);
        if (commit.forget === true) {
          forgetTrigger(change, key, commit.n);
          forgetExecution(change, commit.n);
        }
        const logIds = commit.logs.map((line) => logs.insert(change, key, commit.n, line));
        const { notification, end } = commit;
        const isToBeTold =
          notification !== undefined &&
          end !== undefined &&
          takeNotification(change, key, notification.error, end.at);
        const mail = isToBeTold && notification.mail !== undefined ? [notification.mail] : [];
        const sent = writeSends(change, engine, tablesOf, key, commit, [...commit.sends, ...mail]);
        if (sent === undefined) return { logIds, ...told, isToBeTold };
        const triggered = [...told.triggered, ...sent.triggered];
        return { ...sent, logIds, deliveries: told.deliveries, triggered, isToBeTold };
      });
    },
    async commitDue({ emitterId, fence, events }: DueCommit): Promise<CommittedDue> {
      const key = keys.owned(emitterId, fence);
      const due = events.map(({ emit, event }) => ({ emit, ...withId(event) }));
      const made: { readonly one: (typeof due)[number]; readonly told: Told }[] = [];
      await write(engine, (change) => {
        for (const one of due) {
          const told: Told = { deliveries: [], triggered: [] };
          const rows = new Change(change.memory);
          writeEvent(rows, key, one.emit.invocation, one, tables.kinds.emitted);
          tellListeners(rows, told, key, one, one.emit.hops);
          takeEmit(change, key, one.emit, rows, (isTaken) => {
            if (isTaken) made.push({ one, told });
            else
              for (const { n, emitterId: id } of told.triggered)
                keys.get(id)?.owned?.open.delete(n);
          });
        }
      });
      return {
        count: made.length,
        bytes: made.reduce((sum, { one }) => sum + Buffer.byteLength(one.event.payload), 0),
        events: made.map(({ one }) =>
          emittedRecord({ emitterId, n: one.emit.invocation }, one.event),
        ),
        deliveries: made.flatMap(({ told }) => told.deliveries),
        triggered: made.flatMap(({ told }) => told.triggered),
      };
    },
    async writeDb({ id, fence }: EmitterOwner, writes: readonly DbWrite[]): Promise<void> {
      const key = keys.owned(id, fence);
      await write(engine, (change) => writeDb(change, key, writes));
    },
  };

  /** Writes the emits, for now and for later, and the events for listeners. */
  function writeEmitted(
    change: Change,
    key: OwnedKey,
    commit: Pick<InvocationCommit, 'n' | 'hops' | 'scheduled'>,
    { events, drops, notices }: Emitted,
  ): Told {
    const told: Told = { deliveries: [], triggered: [] };
    for (const made of events) {
      writeEvent(change, key, commit.n, made, tables.kinds.emitted);
      tellListeners(change, told, key, made, commit.hops);
    }
    for (const made of drops) writeDrop(change, key, commit.n, made);
    for (const emit of commit.scheduled ?? []) {
      change.insert(tables.scheduledEmits, {
        emitter: key.row,
        due_at: emit.dueAt,
        n: numbers.next(),
        bytes: Buffer.byteLength(emit.payload),
        invocation: commit.n,
        scheduled_at: emit.scheduledAt,
        hops: emit.hops,
        channel: emit.channel,
        ...dedupeColumns(emit.dedupeId),
        summary: emit.summary,
        ts: emit.ts,
        payload: emit.payload,
      });
    }
    for (const made of notices) {
      writeEvent(change, key, commit.n, made, tables.kinds.notice);
      tellListeners(change, told, key, made, commit.hops);
    }
    return told;
  }

  function writeEvent(
    change: Change,
    key: OwnedKey,
    invocation: number,
    { id, event }: WithId<NewEvent>,
    kind: number,
  ): void {
    sawEvent(key, id);
    change.insert(tables.events, {
      emitter: key.row,
      ...id,
      kind,
      channel: event.channel,
      bytes: Buffer.byteLength(event.payload),
      invocation,
      indexed_at: event.indexedAt,
      emit_id: event.emitId,
      ...dedupeColumns(event.dedupeId),
      summary: event.summary,
      ts: event.ts,
      reason: null,
      payload: event.payload,
    });
  }

  function writeDrop(
    change: Change,
    key: OwnedKey,
    invocation: number,
    { id, event: drop }: WithId<DroppedEvent>,
  ): void {
    sawEvent(key, id);
    change.insert(tables.events, {
      emitter: key.row,
      ...id,
      kind: tables.kinds.drop,
      channel: drop.channel,
      bytes: Buffer.byteLength(drop.payload),
      invocation,
      indexed_at: drop.at,
      emit_id: '',
      ...dedupeColumns(drop.dedupeId),
      summary: drop.summary,
      ts: null,
      reason: drop.reason,
      payload: drop.payload,
    });
  }
}

/** In which nothing can be wrong any more. */
interface Emitted {
  readonly events: readonly WithId<NewEvent>[];
  readonly drops: readonly WithId<DroppedEvent>[];
  readonly notices: readonly WithId<NewEvent>[];
}

function emittedOf(commit: Pick<InvocationCommit, 'events' | 'drops' | 'notices'>): Emitted {
  return {
    events: commit.events.map(withId),
    drops: commit.drops.map(withId),
    notices: commit.notices?.map(withId) ?? [],
  };
}

/**
 * Takes one that waits out, and puts in what comes of it: one statement, as whether it still waits is known when the
 * writes before this one are done, and this one has its place among them.
 */
function takeEmit(
  change: Change,
  { row }: EmitterKey,
  { dueAt, n }: Pick<ScheduledEmit, 'dueAt' | 'n'>,
  made: Change,
  onTaken: (isTaken: boolean) => void,
): void {
  const { sql, values } = insertStatement(
    rowsOf(made),
    {
      sql: `gone AS (
        DELETE FROM scheduled_emits WHERE emitter = $1 AND due_at = $2 AND n = $3 RETURNING 1)`,
      values: [row, dueAt, n],
    },
    'WHERE EXISTS (SELECT 1 FROM gone)',
  );
  change.run(`${sql} SELECT count(*) AS count FROM gone`, values, ([found]) =>
    onTaken(found?.['count'] === 1),
  );
}

function forgetTrigger(change: Change, { row }: EmitterKey, n: number): void {
  change.run(
    `UPDATE accepted SET meta = NULL, body = NULL, method = NULL, path = NULL
     WHERE emitter = $1 AND n = $2`,
    [row, n],
  );
}

function isHere(n: number): WeirError {
  return new WeirError('conflict', `Invocation ${n} was taken in before.`);
}

function hasEnded({ n, emitterId }: Pick<InvocationCommit, 'n' | 'emitterId'>): WeirError {
  return new WeirError(
    'conflict',
    `Invocation ${n} of ${emitterId} has ended already: nothing was stored.`,
  );
}

function withId<T extends { readonly id: string }>(event: T): WithId<T> {
  const id = parseEventId(event.id);
  if (id === undefined) throw new TypeError(`"${event.id}" is not an event id.`);
  return { id, event };
}
