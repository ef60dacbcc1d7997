import { WeirError } from '../../../../protocol/errors.ts';
import type { DbWrite, Trigger } from '../../../../protocol/host.ts';
import { kindOf } from '../../../../protocol/ids.ts';
import type { Engine } from '../engine.ts';
import { type EventId, parseEventId } from '../../event-id.ts';
import { type EmitterKey, sawEvent } from '../emitter-keys.ts';
import type {
  CommittedDue,
  CommittedInvocation,
  DueCommit,
  DueEvent,
  InvocationCommit,
  StepCommit,
  TriggeredInvocation,
} from '../../commit.ts';
import type { EmitterOwner } from '../../emitter-owner.ts';
import type { DeliveryRecord, Outgoing } from '../../history/deliveries.ts';
import {
  type DroppedEvent,
  emittedRecord,
  type EventRecord,
  type NewEvent,
} from '../../history/events.ts';
import type { NewInvocation } from '../../history/invocations.ts';
import type { Store } from '../../store.ts';
import type { Logs } from '../tables/logs.ts';
import type { Sends } from '../tables/sends.ts';
import type { Streams } from '../tables/streams.ts';
import type { Timers } from '../../tables/configuration.ts';
import type { Webhooks } from '../../tables/webhooks.ts';
import { changeOf } from '../table-engine.ts';
import { createErrorNotifications } from './error-notifications.ts';
import { createEventWriter } from './event-writer.ts';
import { createExecutionWriter } from './execution-writer.ts';
import { createInbox } from './inbox.ts';
import { createScheduleWriter } from './schedule-writer.ts';
import { createSendWriter } from './send-writer.ts';
import { createStateWriter } from './state-writer.ts';

/**
 * The way of every event: statements are compiled when the store opens, no row is read, and what
 * could be wrong with the input is found before the first write, because here no savepoint would
 * undo half an invocation.
 */
export function createHotPath(
  engine: Engine,
  logs: Logs,
  timers: Timers,
  webhooks: Pick<Webhooks, 'has'>,
  sends: Pick<Sends, 'insert'>,
  streams: Pick<Streams, 'insert'>,
): Pick<Store, 'accept' | 'commit' | 'commitStep' | 'commitDue' | 'writeDb'> {
  const { db, groups, keys, numbers, counts } = engine;
  const inbox = createInbox(engine);
  const writer = createEventWriter(engine);
  const schedule = createScheduleWriter(engine);
  const state = createStateWriter(engine);
  const execution = createExecutionWriter(engine, logs);
  const takeNotification = createErrorNotifications(engine);
  const send = createSendWriter(engine, inbox, sends, streams);
  const end = db.prepare(
    `UPDATE invocations SET status = ?, started_at = ?, ended_at = ?, emitted = ?, dropped = ?,
       error = ?, first_event = ?, first_log = ?, logs = ?, scheduled = ?
     WHERE emitter = ? AND n = ? AND ended_at IS NULL`,
  );
  const removeTrigger = db.prepare('DELETE FROM triggers WHERE n = ?');
  const insertDelivery = db.prepare(
    `INSERT INTO deliveries (n, webhook_id, emitter, ms, seq, status, attempts, created_at)
     VALUES (?, ?, ?, ?, ?, 'pending', 0, ?)`,
  );

  return {
    accept(invocation: NewInvocation) {
      const { row } = keys.owned(invocation.emitterId, invocation.fence);
      const { tick } = invocation;
      if (tick !== undefined) timers.requireInterface(invocation.emitterId, tick.interfaceId);
      const ticked = tick && changeOf(db);
      const { value, durable } = groups.write(() => {
        if (tick !== undefined && ticked !== undefined) {
          timers.moveTick(ticked, invocation.emitterId, tick.interfaceId, tick.nextAt);
        }
        const n = inbox(row, invocation);
        if (invocation.journal !== undefined) execution.begin(row, n, invocation.journal);
        return n;
      });
      ticked?.memory.settled(durable).catch(() => undefined);
      return { n: value, durable };
    },
    async commit(commit: InvocationCommit) {
      const checked = check(commit, keys.owned(commit.emitterId, commit.fence));
      const { value, durable } = groups.write(() => apply(checked));
      if (value === undefined) throw hasEnded(commit);
      await durable;
      return value;
    },
    async commitStep(commit: StepCommit) {
      const checked = checkEvents(commit, keys.owned(commit.emitterId, commit.fence));
      const { value, durable } = groups.write(() => applyStep(checked));
      if (value === undefined) throw hasEnded(commit);
      await durable;
      return value;
    },
    async commitDue({ emitterId, fence, events }: DueCommit) {
      const key = keys.owned(emitterId, fence);
      const checked = events.map(({ emit, event }) => ({ emit, ...withId(event) }));
      const { value, durable } = groups.write(() => applyDue(key, checked));
      await durable;
      return value;
    },

    async writeDb({ id, fence }: EmitterOwner, writes: readonly DbWrite[]) {
      const { row } = keys.owned(id, fence);
      await groups.write(() => state.db(row, writes)).durable;
    },
  };

  /** Undefined, with nothing written, when the invocation is not open. */
  function apply(checked: CheckedCommit): CommittedInvocation | undefined {
    const { commit, key, events, drops, error } = checked;
    end.run(
      commit.status,
      commit.startedAt,
      commit.endedAt,
      events.length,
      drops.length,
      error,
      numbers.peek('event'),
      key.lastLog + 1,
      commit.logs.length,
      commit.scheduled?.length ?? 0,
      key.row,
      commit.n,
    );
    if (db.changes === 0) return undefined;
    const told: Told = { deliveries: [], triggered: [] };
    writeEvents(told, checked);
    if (commit.scheduled !== undefined) {
      for (const emit of commit.scheduled) schedule.keep(key.row, commit.n, emit);
    }
    // After what the invocation counts as its own.
    writeNotices(told, checked);
    state.db(key.row, commit.db);
    if (commit.dedupe !== undefined) state.dedupe(key, commit.dedupe);
    if (commit.forgetTrigger === true) removeTrigger.run(commit.n);
    const logIds = commit.logs.map((line) => logs.insert(key, commit.n, line));
    return { logIds, deliveries: told.deliveries, triggered: told.triggered };
  }

  /** Undefined, with nothing written, when the execution is not open. */
  function applyStep(
    checked: CheckedEvents & { readonly commit: StepCommit },
  ): CommittedInvocation | undefined {
    const { commit, key } = checked;
    if (!execution.write(key, commit)) return undefined;
    const told: Told = { deliveries: [], triggered: [] };
    writeEvents(told, checked);
    for (const emit of commit.scheduled ?? nothing) schedule.keep(key.row, commit.n, emit);
    writeNotices(told, checked);
    state.db(key.row, commit.db);
    if (commit.forget === true) {
      removeTrigger.run(commit.n);
      execution.forget(commit.n);
    }
    const logIds = commit.logs.map((line) => logs.insert(key, commit.n, line));
    const { deliveries, triggered } = told;
    const { notification, end: ended } = commit;
    const isToBeTold =
      notification !== undefined &&
      ended !== undefined &&
      takeNotification(key.row, notification.error, ended.at);
    const mail = isToBeTold && notification.mail !== undefined ? [notification.mail] : nothing;
    const sent = send(key, commit, [...commit.sends, ...mail]);
    if (sent === undefined) return { logIds, deliveries, triggered, isToBeTold };
    const { messages } = sent;
    const started = [...triggered, ...sent.triggered];
    return { logIds, deliveries, triggered: started, sends: sent.sends, messages, isToBeTold };
  }

  function writeEvents(told: Told, { commit, key, events, drops }: CheckedEvents): void {
    for (const made of events) {
      writer.event(key.row, commit.n, made.id, made.event);
      sawEvent(key, made.id);
      tellListeners(told, key, made, commit.hops);
    }
    for (const { id, event } of drops) {
      writer.drop(key.row, commit.n, id, event);
      sawEvent(key, id);
    }
  }

  function writeNotices(told: Told, { commit, key, notices }: CheckedEvents): void {
    for (const made of notices) {
      writer.notice(key.row, commit.n, made.id, made.event);
      sawEvent(key, made.id);
      tellListeners(told, key, made, commit.hops);
    }
  }

  function applyDue(
    key: EmitterKey,
    due: readonly (WithId<NewEvent> & Pick<DueEvent, 'emit'>)[],
  ): CommittedDue {
    const told: Told = { deliveries: [], triggered: [] };
    const events: EventRecord[] = [];
    let bytes = 0;
    for (const made of due) {
      const { emit, id, event } = made;
      if (!schedule.take(key.row, emit)) continue;
      writer.due(emit.n, key.row, emit.invocation, id, event);
      sawEvent(key, id);
      tellListeners(told, key, made, emit.hops);
      events.push(emittedRecord({ emitterId: key.id, n: emit.invocation }, event));
      bytes += Buffer.byteLength(event.payload);
    }
    return { count: events.length, bytes, events, ...told };
  }

  function tellListeners(
    { deliveries, triggered }: Told,
    key: EmitterKey,
    made: WithId<NewEvent>,
    hops: number | undefined,
  ): void {
    const { event } = made;
    for (const webhookId of event.webhooks) {
      // Deleted since the emit room planned the delivery.
      if (webhooks.has(webhookId)) deliveries.push(deliver(webhookId, key, made, hops));
    }
    for (const emitterId of event.triggers) {
      const listener = keys.get(emitterId);
      if (listener !== undefined) triggered.push(trigger(listener, key, event, hops));
    }
  }

  function deliver(
    webhookId: string,
    key: EmitterKey,
    { id, event }: WithId<NewEvent>,
    hops = 1,
  ): Outgoing {
    const n = numbers.next('delivery');
    counts.deliveries.added(key.row);
    insertDelivery.run(n, webhookId, key.row, id.ms, id.seq, event.indexedAt);
    const delivery: DeliveryRecord = {
      n,
      webhookId,
      emitterId: key.id,
      eventId: event.id,
      status: 'pending',
      attempts: 0,
      nextAt: null,
      createdAt: event.indexedAt,
      lastStatus: null,
      lastError: null,
    };
    return { delivery, message: { emitId: event.emitId, payload: event.payload, hops } };
  }

  function trigger(
    listener: EmitterKey,
    key: EmitterKey,
    event: NewEvent,
    hops: number | undefined,
  ): TriggeredInvocation {
    const made: Trigger = {
      kind: 'event',
      json: event.payload,
      ...(hops !== undefined && { hops }),
      // A workflow may listen to several emitters, so the event names its own; a source does not need that.
      ...(kindOf(listener.id) === 'workflow' && { emitterId: key.id }),
    };
    const n = inbox(listener.row, { cause: 'event', trigger: made, at: event.indexedAt });
    return { n, emitterId: listener.id, trigger: made };
  }
}

/** The events of a write for listeners. */
interface Told {
  readonly deliveries: Outgoing[];
  readonly triggered: TriggeredInvocation[];
}

/** The checked events of a commit: nothing in them can fail any more. */
interface CheckedEvents {
  readonly commit: Pick<InvocationCommit, 'n' | 'hops'>;
  readonly key: EmitterKey;
  readonly events: readonly WithId<NewEvent>[];
  readonly drops: readonly WithId<DroppedEvent>[];
  readonly notices: readonly WithId<NewEvent>[];
}

interface CheckedCommit extends CheckedEvents {
  readonly commit: InvocationCommit;
  readonly error: string | null;
}

interface WithId<T> {
  readonly id: EventId;
  readonly event: T;
}

const nothing: readonly never[] = [];

function check(commit: InvocationCommit, key: EmitterKey): CheckedCommit {
  const error = commit.error === undefined ? null : JSON.stringify(commit.error);
  return { ...checkEvents(commit, key), error };
}

function checkEvents<C extends InvocationCommit | StepCommit>(
  commit: C,
  key: EmitterKey,
): CheckedEvents & { readonly commit: C } {
  return {
    commit,
    key,
    events: commit.events.map(withId),
    drops: commit.drops.map(withId),
    notices: commit.notices?.map(withId) ?? nothing,
  };
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
