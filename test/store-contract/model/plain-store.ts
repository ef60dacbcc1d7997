/**
 * The store as plain data in memory, with no thought for speed, disks or crashes: what the rules say
 * and nothing else. The real one has to show the same.
 */
import { WeirError } from '../../../src/protocol/errors.ts';
import type { DbWrite, Trigger } from '../../../src/protocol/host.ts';
import { requestLineOf } from '../../../src/protocol/request-line.ts';
import type { InvocationCommit } from '../../../src/runtime/store/commit.ts';
import type { SourceRecord } from '../../../src/runtime/store/configuration/sources.ts';
import {
  compareEventIds,
  type EventId,
  parseEventId,
} from '../../../src/runtime/store/event-id.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
  Message,
} from '../../../src/runtime/store/history/deliveries.ts';
import {
  droppedRecord,
  emittedRecord,
  type EventRecord,
  type NewEvent,
} from '../../../src/runtime/store/history/events.ts';
import type { NewInvocation } from '../../../src/runtime/store/history/invocations.ts';
import type { NewLog } from '../../../src/runtime/store/history/logs.ts';
import type { NewScheduledEmit } from '../../../src/runtime/store/history/scheduled-emits.ts';
import { PlainConfiguration } from './plain-configuration.ts';
import {
  type Delivery,
  type Emitter,
  type Event,
  isOpen,
  type NumberOf,
  remove,
  type Scheduled,
} from './state.ts';

interface Keep {
  readonly count: number;
  readonly before: number;
  readonly bytes?: number;
}

export class PlainStore extends PlainConfiguration {
  copy(): PlainStore {
    return new PlainStore(structuredClone(this.state));
  }

  emitter(id: string): Emitter {
    const emitter = this.state.emitters.get(id);
    if (emitter === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    return emitter;
  }

  accept(
    invocation: Omit<NewInvocation, 'fence' | 'replayOf'> & { replayOf?: NumberOf },
  ): NumberOf {
    const { emitterId, tick } = invocation;
    this.emitter(emitterId);
    if (tick !== undefined) this.moveTick(tick.interfaceId, tick.nextAt, emitterId);
    return this.#enqueue(invocation);
  }

  commit(
    emitterId: string,
    n: NumberOf,
    commit: Omit<InvocationCommit, 'n' | 'emitterId' | 'fence'>,
  ) {
    const emitter = this.emitter(emitterId);
    const invocation = emitter.invocations.find((one) => one.n.numberOf === n.numberOf);
    if (invocation === undefined) throw new Error('The model commits what it accepted.');
    const made = { emitterId, n: 0 };
    const told: Told = { deliveries: [], triggered: [] };
    const tell = (event: NewEvent): void => this.#tell(told, emitterId, event, commit.hops);
    const keep = (record: EventRecord, kind: Event['kind']): void =>
      keepEvent(emitter, { ...record, invocation: n, kind });
    for (const event of commit.events) {
      keep(emittedRecord(made, event), 'emitted');
      tell(event);
    }
    for (const drop of commit.drops) keep(droppedRecord(made, drop), 'drop');
    for (const emit of commit.scheduled ?? []) this.#schedule(emitterId, emitter, n, emit);
    for (const notice of commit.notices ?? []) {
      keep(emittedRecord(made, notice), 'notice');
      tell(notice);
    }
    emitter.events.sort((one, other) => compareEventIds(idOf(one), idOf(other)));
    for (const write of commit.db) this.#writeDb(emitter, write);
    if (commit.dedupe !== undefined) remember(emitter, commit.dedupe);
    emitter.invocations = emitter.invocations.map((one) =>
      one.n.numberOf === n.numberOf
        ? {
            ...one,
            status: commit.status,
            startedAt: commit.startedAt,
            endedAt: commit.endedAt,
            error: commit.error ?? null,
            emitted: commit.events.length,
            dropped: commit.drops.length,
            ...(commit.forgetTrigger === true && { trigger: undefined, request: null }),
          }
        : one,
    );
    const logIds = commit.logs.map((line) => this.#keepLog(emitterId, emitter, n, line));
    return { logIds, ...told };
  }

  /** @param due those that are asked for; what does not wait is passed over */
  commitDue(
    emitterId: string,
    due: readonly { readonly emit: Scheduled; readonly event: NewEvent }[],
  ) {
    const emitter = this.emitter(emitterId);
    const told: Told = { deliveries: [], triggered: [] };
    const events = [];
    let bytes = 0;
    for (const { emit, event } of due) {
      const { numberOf } = emit.n;
      if (remove(emitter.scheduled, ({ n }) => n.numberOf === numberOf).length === 0) continue;
      const record = { ...emittedRecord({ emitterId, n: 0 }, event), invocation: emit.invocation };
      keepEvent(emitter, { ...record, kind: 'emitted' });
      this.#tell(told, emitterId, event, emit.hops);
      events.push(record);
      bytes += Buffer.byteLength(event.payload);
    }
    emitter.events.sort((one, other) => compareEventIds(idOf(one), idOf(other)));
    return { count: events.length, bytes, events, ...told };
  }

  cancel(emitterId: string, cancelled: readonly Scheduled[]) {
    const emitter = this.state.emitters.get(emitterId);
    const numbers = new Set(cancelled.map(({ n }) => n.numberOf));
    const gone = emitter ? remove(emitter.scheduled, ({ n }) => numbers.has(n.numberOf)) : [];
    return {
      count: gone.length,
      bytes: gone.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0),
    };
  }

  retry(emitterId: string, numbers: readonly NumberOf[]): void {
    const emitter = this.state.emitters.get(emitterId);
    if (emitter === undefined) return;
    const again = new Set(numbers.map(({ numberOf }) => numberOf));
    emitter.invocations = emitter.invocations.map((one) =>
      again.has(one.n.numberOf)
        ? { ...one, attempt: one.attempt + 1, status: 'queued', startedAt: null, endedAt: null }
        : one,
    );
  }

  markCutOff(emitterId: string, numbers: readonly NumberOf[]): void {
    const emitter = this.state.emitters.get(emitterId);
    if (emitter === undefined) return;
    const begun = new Set(numbers.map(({ numberOf }) => numberOf));
    emitter.invocations = emitter.invocations.map((one) =>
      begun.has(one.n.numberOf) && one.endedAt === null ? { ...one, status: 'running' } : one,
    );
  }

  writeDb(emitterId: string, writes: readonly DbWrite[]): void {
    const emitter = this.emitter(emitterId);
    for (const write of writes) this.#writeDb(emitter, write);
  }

  record(
    { n }: Delivery,
    attempt: AttemptRecord,
    next: { readonly status: DeliveryRecord['status']; readonly nextAt: number | null },
  ): Delivery {
    const at = this.state.deliveries.findIndex((one) => one.n.numberOf === n.numberOf);
    const delivery = this.state.deliveries[at];
    if (delivery === undefined) throw new Error('The model records attempts of what it has.');
    const goesOn =
      next.nextAt !== null && this.state.webhooks.some(({ id }) => id === delivery.webhookId);
    const moved: Delivery = {
      ...delivery,
      status: next.nextAt === null || goesOn ? next.status : 'cancelled',
      nextAt: goesOn ? next.nextAt : null,
      attempts: delivery.attempts + 1,
      lastStatus: attempt.response?.status ?? null,
      lastError: attempt.error?.message ?? null,
    };
    this.state.deliveries[at] = moved;
    const attempts = this.state.attempts.get(n.numberOf) ?? [];
    this.state.attempts.set(n.numberOf, [...attempts, attempt]);
    return structuredClone(moved);
  }

  appendLog(emitterId: string, line: NewLog): NumberOf {
    return this.#keepLog(emitterId, this.emitter(emitterId), null, line);
  }

  deleteEvents(
    emitterId: string,
    range: { readonly start?: string; readonly end?: string; readonly channel?: string },
  ): number {
    const emitter = this.state.emitters.get(emitterId);
    if (emitter === undefined) return 0;
    const [start, end] = [parseEventId(range.start ?? ''), parseEventId(range.end ?? '')];
    const left = emitter.events.filter(
      (event) =>
        (start !== undefined && compareEventIds(idOf(event), start) < 0) ||
        (end !== undefined && compareEventIds(idOf(event), end) > 0) ||
        (range.channel !== undefined && event.channel !== range.channel),
    );
    const gone = emitter.events.length - left.length;
    emitter.events = left;
    return gone;
  }

  pruneEvents(emitterId: string, keep: Keep): number {
    const emitter = this.state.emitters.get(emitterId);
    if (emitter === undefined) return 0;
    const before = emitter.events.length;
    for (const kind of ['emitted', 'drop', 'notice']) {
      const ofKind = emitter.events.filter((event) => event.kind === kind);
      const weighed = ofKind.map((event) => ({
        ms: idOf(event).ms,
        bytes: Buffer.byteLength(event.payload),
      }));
      const gone = new Set(ofKind.slice(0, howManyGo(weighed, keep)));
      emitter.events = emitter.events.filter((event) => !gone.has(event));
    }
    return before - emitter.events.length;
  }

  pruneLogs(emitterId: string, keep: Keep): number {
    const emitter = this.state.emitters.get(emitterId);
    if (emitter === undefined) return 0;
    const weighed = emitter.logs.map(({ at }) => ({ ms: at, bytes: 0 }));
    return emitter.logs.splice(0, howManyGo(weighed, keep)).length;
  }

  /** All that may go; a store may as well wait until more have come, and remove none. */
  pruneInvocations(emitterId: string, keep: Keep): number {
    const emitter = this.state.emitters.get(emitterId);
    if (emitter === undefined) return 0;
    const { invocations, events, scheduled } = emitter;
    const withEvents = new Set(
      [...events.filter(({ kind }) => kind !== 'notice'), ...scheduled].map(
        ({ invocation }) => invocation.numberOf,
      ),
    );
    const weighed = invocations.map(({ createdAt }) => ({ ms: createdAt, bytes: 0 }));
    const oldest = howManyGo(weighed, keep);
    emitter.invocations = invocations.filter(
      ({ n, endedAt }, at) => at >= oldest || endedAt === null || withEvents.has(n.numberOf),
    );
    return invocations.length - emitter.invocations.length;
  }

  pruneDeliveries(emitterId: string, keep: Keep): number {
    const before = this.state.deliveries.length;
    const own = this.state.deliveries
      .filter((delivery) => delivery.emitterId === emitterId)
      .toSorted((one, other) => {
        const [first, second] = [parseEventId(one.eventId), parseEventId(other.eventId)];
        if (first === undefined || second === undefined) return 0;
        return compareEventIds(first, second) || one.n.numberOf - other.n.numberOf;
      });
    const weighed = own.map(({ createdAt }) => ({ ms: createdAt, bytes: 0 }));
    const gone = new Set(own.slice(0, howManyGo(weighed, keep)).filter((one) => !isOpen(one)));
    this.#removeDeliveries((delivery) => gone.has(delivery));
    return before - this.state.deliveries.length;
  }

  insertSource(wished: SourceRecord): SourceRecord {
    const { sources, emitters } = this.state;
    if (emitters.has(wished.id)) throw new WeirError('conflict', `${wished.id} is there.`);
    const record = { ...wished, slug: this.freeSlug(wished.slug, wished.id) };
    sources.push(record);
    emitters.set(record.id, {
      life: ++this.state.numbers,
      invocations: [],
      events: [],
      scheduled: [],
      logs: [],
      db: new Map(),
      strategy: null,
      ids: [],
      greatest: undefined,
      last: undefined,
      newest: undefined,
    });
    return structuredClone(record);
  }

  deleteSource(id: string): string[] {
    if (!this.state.emitters.delete(id)) return [];
    remove(this.state.sources, (one) => one.id === id);
    this.#removeDeliveries(({ emitterId }) => emitterId === id);
    return this.deleteListener(id);
  }

  deleteWebhook(id: string): string[] {
    remove(this.state.webhooks, (one) => one.id === id);
    this.state.deliveries = this.state.deliveries.map((one) =>
      one.webhookId === id && isOpen(one) ? { ...one, status: 'cancelled', nextAt: null } : one,
    );
    return this.deleteListener(id);
  }

  /** What webhooks and listeners get of an event. */
  #tell(told: Told, emitterId: string, event: NewEvent, hops: number | undefined): void {
    for (const webhookId of event.webhooks) {
      if (!this.state.webhooks.some(({ id }) => id === webhookId)) continue;
      const delivery: Delivery = {
        n: this.#number('delivery'),
        webhookId,
        emitterId,
        eventId: event.id,
        status: 'pending',
        attempts: 0,
        nextAt: null,
        createdAt: event.indexedAt,
        lastStatus: null,
        lastError: null,
      };
      this.state.deliveries.push(delivery);
      const { emitId, payload } = event;
      const message: Message = { emitId, payload, hops: hops ?? 1 };
      told.deliveries.push({ delivery: structuredClone(delivery), message });
    }
    for (const listener of event.triggers) {
      if (!this.state.emitters.has(listener)) continue;
      const trigger: Trigger = {
        kind: 'event',
        json: event.payload,
        ...(hops !== undefined && { hops }),
      };
      const at = event.indexedAt;
      const asked = this.#enqueue({ emitterId: listener, cause: 'event', trigger, at });
      told.triggered.push({ n: asked, emitterId: listener, trigger });
    }
  }

  #schedule(emitterId: string, emitter: Emitter, invocation: NumberOf, emit: NewScheduledEmit) {
    const { dedupeId = null, summary = null, ts = null } = emit;
    const n = this.#number('scheduled emit');
    emitter.scheduled.push({ ...emit, dedupeId, summary, ts, n, emitterId, invocation });
    emitter.scheduled.sort(
      (one, other) => one.dueAt - other.dueAt || one.n.numberOf - other.n.numberOf,
    );
  }

  #number(kind: string): NumberOf {
    return { numberOf: ++this.state.numbers, kind };
  }

  #enqueue(
    invocation: Omit<NewInvocation, 'fence' | 'replayOf'> & { replayOf?: NumberOf },
  ): NumberOf {
    const { emitterId, cause, hook, trigger, replayOf, at } = invocation;
    const n = this.#number('invocation');
    this.emitter(emitterId).invocations.push({
      n,
      emitterId,
      cause,
      hook: hook ?? null,
      request: requestLineOf(trigger),
      status: 'queued',
      attempt: 1,
      replayOf: replayOf ?? null,
      createdAt: at,
      startedAt: null,
      endedAt: null,
      emitted: 0,
      dropped: 0,
      error: null,
      trigger,
    });
    return n;
  }

  #keepLog(
    emitterId: string,
    emitter: Emitter,
    invocation: NumberOf | null,
    line: NewLog,
  ): NumberOf {
    const id = this.#number(`log line of ${emitter.life}`);
    emitter.logs.push({ ...line, id, emitterId, invocation });
    return id;
  }

  #writeDb(emitter: Emitter, { prop, key, json }: DbWrite): void {
    if (json === undefined) emitter.db.delete(`${prop} ${key}`);
    else emitter.db.set(`${prop} ${key}`, json);
  }

  #removeDeliveries(goes: (delivery: Delivery) => boolean): void {
    for (const { n } of remove(this.state.deliveries, goes)) this.state.attempts.delete(n.numberOf);
  }
}

interface Told {
  readonly deliveries: { delivery: Delivery; message: Message }[];
  readonly triggered: { n: NumberOf; emitterId: string; trigger: Trigger }[];
}

function keepEvent(emitter: Emitter, event: Event): void {
  emitter.events.push(event);
  const id = parseEventId(event.id);
  if (id === undefined) throw new Error(`${event.id} is not an event id.`);
  if (emitter.newest === undefined || compareEventIds(id, emitter.newest) > 0) emitter.newest = id;
}

function remember(emitter: Emitter, change: NonNullable<InvocationCommit['dedupe']>): void {
  if (change.reset === true) {
    emitter.ids = [];
    emitter.greatest = undefined;
    emitter.last = undefined;
  }
  emitter.strategy = change.strategy;
  emitter.greatest = change.greatest ?? emitter.greatest;
  emitter.last = change.last ?? emitter.last;
  emitter.ids = [...emitter.ids, ...(change.append ?? [])].slice(-100);
}

/** Of rows that are told oldest first: too many, too big or too old, but the newest 100 stay. */
function howManyGo(
  rows: readonly { readonly ms: number; readonly bytes: number }[],
  { count, bytes = Infinity, before }: Keep,
): number {
  const bytesFrom = (at: number) => rows.slice(at).reduce((sum, row) => sum + row.bytes, 0);
  let gone = 0;
  while (rows.length - gone > 100) {
    const fits =
      rows.length - gone <= count && bytesFrom(gone) <= bytes && (rows[gone]?.ms ?? 0) >= before;
    if (fits) break;
    gone++;
  }
  return gone;
}

function idOf({ id }: { readonly id: string }): EventId {
  return parseEventId(id) ?? { ms: 0, seq: 0 };
}
