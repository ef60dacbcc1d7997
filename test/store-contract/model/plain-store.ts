/**
 * The store as plain data in memory, with no thought for speed, disks or crashes: what the rules say
 * and nothing else. The real one has to show the same.
 */
import type { DbWrite, Trigger } from '../../../src/protocol/host.ts';
import { WeirError } from '../../../src/protocol/errors.ts';
import type { InvocationCommit } from '../../../src/runtime/store/commit.ts';
import type { AccountRecord } from '../../../src/runtime/store/configuration/accounts.ts';
import type {
  ComponentRecord,
  PublishedRecord,
} from '../../../src/runtime/store/configuration/components.ts';
import type { SourceRecord } from '../../../src/runtime/store/configuration/sources.ts';
import type {
  AutoSubscriptionRecord,
  SubscriptionRecord,
} from '../../../src/runtime/store/configuration/subscriptions.ts';
import type {
  WebhookChange,
  WebhookRecord,
} from '../../../src/runtime/store/configuration/webhooks.ts';
import {
  compareEventIds,
  type EventId,
  parseEventId,
} from '../../../src/runtime/store/event-id.ts';
import type { DataStoreRecord } from '../../../src/runtime/store/history/data-stores.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
} from '../../../src/runtime/store/history/deliveries.ts';
import {
  droppedRecord,
  emittedRecord,
  type EventRecord,
  type NewEvent,
} from '../../../src/runtime/store/history/events.ts';
import type {
  InvocationRecord,
  NewInvocation,
} from '../../../src/runtime/store/history/invocations.ts';
import type { LogRecord, NewLog } from '../../../src/runtime/store/history/logs.ts';

/** A number that the store gives out: the model knows which one it is, not what it is. */
export interface NumberOf {
  readonly numberOf: number;
  /** Those of one kind ascend in the order they were asked for. */
  readonly kind: string;
}

/** A record of the store whose numbers are those of the model. */
type Numbered<T, K extends keyof T> = Omit<T, K> & {
  [key in K]: null extends T[key] ? NumberOf | null : NumberOf;
};

type Invocation = Numbered<InvocationRecord, 'n' | 'replayOf'> & {
  readonly trigger: Trigger | undefined;
};
type Event = Numbered<EventRecord, 'invocation'> & { readonly kind: 'emitted' | 'drop' | 'notice' };
type Log = Numbered<LogRecord, 'id' | 'invocation'>;
export type Delivery = Numbered<DeliveryRecord, 'n'>;

export interface Emitter {
  /** Another one when it is made anew under the same id. */
  readonly life: number;
  /** All oldest first. */
  invocations: Invocation[];
  events: Event[];
  logs: Log[];
  db: Map<string, string>;
  strategy: string | null;
  ids: string[];
  greatest: number | undefined;
  last: string | undefined;
  newest: EventId | undefined;
}

export type Entry = {
  readonly store: string;
  readonly key: string;
  readonly json: string;
  readonly expiresAt: number | null;
};

/** All of it is copied when a state is kept: nothing in it refers to anything outside. */
export interface State {
  numbers: number;
  settings: Map<string, string>;
  components: ComponentRecord[];
  published: Map<string, PublishedRecord>;
  sources: SourceRecord[];
  emitters: Map<string, Emitter>;
  webhooks: WebhookRecord[];
  subscriptions: SubscriptionRecord[];
  autoSubscriptions: AutoSubscriptionRecord[];
  accounts: AccountRecord[];
  dataStores: DataStoreRecord[];
  entries: Entry[];
  /** Oldest first. */
  deliveries: Delivery[];
  /** By the model's number of the delivery. */
  attempts: Map<number, AttemptRecord[]>;
}

interface Keep {
  readonly count: number;
  readonly before: number;
  readonly bytes?: number;
}

export class PlainStore {
  readonly state: State;

  constructor(
    state: State = {
      numbers: 0,
      settings: new Map(),
      components: [],
      published: new Map(),
      sources: [],
      emitters: new Map(),
      webhooks: [],
      subscriptions: [],
      autoSubscriptions: [],
      accounts: [],
      dataStores: [],
      entries: [],
      deliveries: [],
      attempts: new Map(),
    },
  ) {
    this.state = state;
  }

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
    if (tick !== undefined) this.#moveTick(tick.interfaceId, tick.nextAt, emitterId);
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
    const deliveries: { delivery: Delivery; message: { emitId: string; payload: string } }[] = [];
    const triggered: { n: NumberOf; emitterId: string; trigger: Trigger }[] = [];
    const tell = (event: NewEvent): void => {
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
        deliveries.push({ delivery: structuredClone(delivery), message: { emitId, payload } });
      }
      for (const listener of event.triggers) {
        if (!this.state.emitters.has(listener)) continue;
        const trigger: Trigger = { kind: 'event', json: event.payload };
        const at = event.indexedAt;
        const asked = this.#enqueue({ emitterId: listener, cause: 'event', trigger, at });
        triggered.push({ n: asked, emitterId: listener, trigger });
      }
    };
    const keep = (record: EventRecord, kind: Event['kind']): void => {
      emitter.events.push({ ...record, invocation: n, kind });
      const id = parseEventId(record.id);
      if (id === undefined) throw new Error(`${record.id} is not an event id.`);
      if (emitter.newest === undefined || compareEventIds(id, emitter.newest) > 0) {
        emitter.newest = id;
      }
    };
    for (const event of commit.events) {
      keep(emittedRecord(made, event), 'emitted');
      tell(event);
    }
    for (const drop of commit.drops) keep(droppedRecord(made, drop), 'drop');
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
            trigger: commit.forgetTrigger === true ? undefined : one.trigger,
          }
        : one,
    );
    const logIds = commit.logs.map((line) => this.#keepLog(emitterId, emitter, n, line));
    return { logIds, deliveries, triggered };
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
    const { invocations, events } = emitter;
    const withEvents = new Set(
      events.filter(({ kind }) => kind !== 'notice').map(({ invocation }) => invocation.numberOf),
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
    const record = { ...wished, slug: this.#freeSlug(wished.slug, wished.id) };
    sources.push(record);
    emitters.set(record.id, {
      life: ++this.state.numbers,
      invocations: [],
      events: [],
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

  changeSource(id: string, change: (before: SourceRecord) => SourceRecord): SourceRecord {
    const before = this.state.sources.find((one) => one.id === id);
    if (before === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    const record = change(before);
    put(this.state.sources, record);
    return structuredClone(record);
  }

  renameSource(id: string, name: string, slug: string, updatedAt: number): SourceRecord {
    return this.changeSource(id, (before) => {
      return { ...before, name, slug: this.#freeSlug(slug, id), updatedAt };
    });
  }

  setNextTick(interfaceId: string, nextAt: number | undefined): void {
    this.#moveTick(interfaceId, nextAt);
  }

  deleteSource(id: string): string[] {
    if (!this.state.emitters.delete(id)) return [];
    remove(this.state.sources, (one) => one.id === id);
    this.#removeDeliveries(({ emitterId }) => emitterId === id);
    return this.#deleteListener(id);
  }

  insertWebhook(record: WebhookRecord): void {
    insert(this.state.webhooks, record);
  }

  changeWebhook(id: string, change: (before: WebhookRecord) => WebhookRecord): WebhookRecord {
    const before = this.state.webhooks.find((one) => one.id === id);
    if (before === undefined) throw new WeirError('not_found', `There is no webhook ${id}.`);
    const record = change(before);
    put(this.state.webhooks, record);
    return structuredClone(record);
  }

  updateWebhook(id: string, change: WebhookChange): WebhookRecord {
    return this.changeWebhook(id, (before) => ({ ...before, ...change }));
  }

  deleteWebhook(id: string): string[] {
    remove(this.state.webhooks, (one) => one.id === id);
    this.state.deliveries = this.state.deliveries.map((one) =>
      one.webhookId === id && isOpen(one) ? { ...one, status: 'cancelled', nextAt: null } : one,
    );
    return this.#deleteListener(id);
  }

  ensureSubscription(record: SubscriptionRecord) {
    return ensure(
      this.state.subscriptions,
      record,
      (one) =>
        one.emitterId === record.emitterId &&
        one.listenerId === record.listenerId &&
        one.channel === record.channel,
    );
  }

  ensureAutoSubscription(record: AutoSubscriptionRecord) {
    return ensure(
      this.state.autoSubscriptions,
      record,
      (one) => one.listenerId === record.listenerId && one.channel === record.channel,
    );
  }

  ensureComponent(record: ComponentRecord): ComponentRecord {
    const same = (one: ComponentRecord) => one.hash === record.hash && one.path === record.path;
    return ensure(this.state.components, record, same).record;
  }

  publish(record: ComponentRecord, key: string, version: string): void {
    ensure(this.state.components, record, ({ id }) => id === record.id);
    this.state.published.set(key, { key, version, componentId: record.id });
  }

  removeUnusedComponents(): string[] {
    const { components, sources, published } = this.state;
    const hashes = () => new Set(components.map(({ hash }) => hash));
    const before = hashes();
    const used = new Set([...sources, ...published.values()].map(({ componentId }) => componentId));
    remove(components, ({ id }) => !used.has(id));
    const after = hashes();
    return [...before].filter((hash) => !after.has(hash));
  }

  ensureSetting(key: string, value: string): string {
    const found = this.state.settings.get(key);
    if (found === undefined) this.state.settings.set(key, value);
    return found ?? value;
  }

  insertAccount(record: AccountRecord): void {
    insert(this.state.accounts, record);
  }

  ensureDataStore(record: DataStoreRecord): DataStoreRecord {
    return ensure(this.state.dataStores, record, ({ name }) => name === record.name).record;
  }

  deleteDataStore(id: string): void {
    remove(this.state.dataStores, (one) => one.id === id);
    remove(this.state.entries, ({ store }) => store === id);
  }

  setEntry(entry: Entry): void {
    this.deleteEntry(entry.store, entry.key);
    this.state.entries.push(entry);
  }

  setExpiry(store: string, key: string, expiresAt: number | null, at: number): void {
    this.state.entries = this.state.entries.map((entry) =>
      entry.store === store && entry.key === key && isAlive(entry, at)
        ? { ...entry, expiresAt }
        : entry,
    );
  }

  deleteEntry(store: string, key: string): void {
    remove(this.state.entries, (entry) => entry.store === store && entry.key === key);
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

  #moveTick(interfaceId: string, nextAt: number | undefined, ofSource?: string): void {
    const source = this.state.sources.find(
      ({ id, interfaces }) =>
        (ofSource === undefined || id === ofSource) &&
        interfaces.some((one) => one.id === interfaceId),
    );
    if (source === undefined) throw new WeirError('not_found', `There is no ${interfaceId}.`);
    const interfaces = source.interfaces.map(({ nextAt: before, ...rest }) => {
      const at = rest.id === interfaceId ? nextAt : before;
      return at === undefined ? rest : { ...rest, nextAt: at };
    });
    put(this.state.sources, { ...source, interfaces });
  }

  #freeSlug(wished: string, id: string): string {
    const taken = (slug: string) =>
      this.state.sources.some((one) => one.slug === slug && one.id !== id);
    for (let n = 0; ; n++) {
      const slug = n === 0 ? wished : `${wished}-${n}`;
      if (!taken(slug)) return slug;
    }
  }

  /** @returns ids of the subscriptions that went with it */
  #deleteListener(id: string): string[] {
    remove(this.state.autoSubscriptions, ({ listenerId }) => listenerId === id);
    return remove(
      this.state.subscriptions,
      ({ emitterId, listenerId }) => emitterId === id || listenerId === id,
    ).map((one) => one.id);
  }

  #removeDeliveries(goes: (delivery: Delivery) => boolean): void {
    for (const { n } of remove(this.state.deliveries, goes)) this.state.attempts.delete(n.numberOf);
  }
}

export function isOpen({ status }: Pick<DeliveryRecord, 'status'>): boolean {
  return status === 'pending' || status === 'retrying';
}

export function isAlive({ expiresAt }: Entry, at: number): boolean {
  return expiresAt === null || expiresAt > at;
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

function insert<T extends { readonly id: string }>(rows: T[], record: T): void {
  if (rows.some(({ id }) => id === record.id)) {
    throw new WeirError('conflict', `${record.id} is there.`);
  }
  rows.push(record);
}

function ensure<T>(rows: T[], record: T, same: (one: T) => boolean) {
  const found = rows.find(same);
  if (found === undefined) rows.push(record);
  return structuredClone({ record: found ?? record, created: found === undefined });
}

function put<T extends { readonly id: string }>(rows: T[], record: T): void {
  const at = rows.findIndex(({ id }) => id === record.id);
  if (at !== -1) rows[at] = record;
}

/** @returns those that went */
function remove<T>(rows: T[], goes: (row: T) => boolean): T[] {
  const gone = rows.filter(goes);
  const left = rows.filter((row) => !gone.includes(row));
  rows.splice(0, rows.length, ...left);
  return gone;
}
