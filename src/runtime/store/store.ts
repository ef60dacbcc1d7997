/**
 * What the rest of the runtime knows of the store: the domain, never SQL (house §4).
 *
 * Reads are answered at once from the one connection. Writes are applied at once, in call order, to
 * the open group transaction, and resolve when the group is on disk: what resolved survives kill -9.
 * Nothing may be told to anybody outside before the promise of its write has resolved.
 */
import type { ComponentDefinition } from '../../protocol/definition.ts';
import type { ThrownError, Trigger } from '../../protocol/host.ts';
import type { DataStoreTable } from './data-stores.ts';

export interface Store {
  /** Resolves when everything written so far is on disk. */
  flush(): Promise<void>;
  /** Flushes, folds the WAL, leaves an ordinary SQLite file. The store cannot be used afterwards. */
  close(): Promise<void>;
  /** An ordinary SQLite file with all that is committed. Refuses to overwrite. Returns its size. */
  copyTo(file: string): Promise<number>;

  readonly settings: SettingsTable;
  readonly components: ComponentTable;
  readonly sources: SourceTable;
  readonly invocations: InvocationTable;
  readonly events: EventTable;
  readonly logs: LogTable;
  readonly webhooks: WebhookTable;
  readonly subscriptions: SubscriptionTable;
  readonly deliveries: DeliveryTable;
  readonly accounts: AccountTable;
  readonly autoSubscriptions: AutoSubscriptionTable;
  readonly search: EventSearch;
  readonly dataStores: DataStoreTable;

  /**
   * Puts a trigger into the inbox. The number is known at once, so that the run may start while the
   * record travels to the disk; `durable` resolves when it is there.
   * @throws WeirError('not_found') for a source that is not there, WeirError('store_failed').
   */
  accept(invocation: NewInvocation): { readonly n: number; readonly durable: Promise<void> };

  /**
   * One invocation's whole effect, all or nothing. Hot path: no SQL is compiled, no row is read.
   * Webhooks and listeners that were deleted meanwhile are passed over; a source that was deleted
   * rejects with WeirError('not_found') and leaves nothing.
   */
  commit(commit: InvocationCommit): Promise<CommittedInvocation>;
}

export interface SettingsTable {
  get(key: string): string | undefined;
  set(key: string, value: string): Promise<void>;
}

/** Code that was deployed once: immutable, named by the hash of its bundle. */
export interface ComponentRecord {
  readonly id: string;
  readonly hash: string;
  /** File it was made from. */
  readonly path: string | null;
  readonly definition: ComponentDefinition;
  readonly createdAt: number;
}

export interface PublishedRecord {
  readonly key: string;
  readonly version: string;
  readonly componentId: string;
}

export interface ComponentTable {
  get(id: string): ComponentRecord | undefined;
  /** Same hash and path: the same saved component. */
  find(hash: string, path: string | null): ComponentRecord | undefined;
  all(): ComponentRecord[];
  list(page: PageRequest): PageOf<ComponentRecord>;
  insert(record: ComponentRecord): Promise<void>;
  /** What a person published under this key. */
  published(key: string): PublishedRecord | undefined;
  /** Saves the component if it is not, and puts it in the place of what has its key so far. */
  publish(record: ComponentRecord, key: string, version: string): Promise<void>;
  unpublish(key: string): Promise<void>;
  /** Removes components no source and no key refers to; returns the hashes that are now unused. */
  removeUnused(): Promise<string[]>;
}

export interface InterfaceRecord {
  /** `hi_…` or `ti_…`. */
  readonly id: string;
  readonly prop: string;
  readonly kind: 'http' | 'timer';
  /** Timers only. Exactly one of the two is set. */
  readonly intervalSeconds?: number;
  readonly cron?: string;
  readonly timezone?: string;
  /** Epoch ms of the next tick; absent while inactive. */
  readonly nextAt?: number;
}

export interface SourceRecord {
  readonly id: string;
  readonly componentId: string;
  readonly name: string;
  readonly slug: string;
  /**
   * True until the hooks of its first deploy have succeeded. A source that is still deploying at
   * start-up was cut off by a crash: its deploy was never acknowledged, so it is removed.
   */
  readonly deploying: boolean;
  readonly active: boolean;
  /** As configured, `__lv` on, secret values sealed (see accounts/seal.ts). */
  readonly configuredProps: Readonly<Record<string, unknown>>;
  /** The definition this instance runs with: the component's own, or the set additionalProps returned. */
  readonly definition: ComponentDefinition;
  readonly interfaces: readonly InterfaceRecord[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface SourceTable {
  get(id: string): SourceRecord | undefined;
  bySlug(slug: string): SourceRecord | undefined;
  /** `dc_…` or slug. */
  find(idOrSlug: string): SourceRecord | undefined;
  all(): SourceRecord[];
  list(page: PageRequest): PageOf<SourceRecord>;
  slugs(): Set<string>;
  insert(record: SourceRecord): Promise<void>;
  replace(record: SourceRecord): Promise<void>;
  setNextTick(interfaceId: string, nextAt: number | undefined): Promise<void>;
  /** With its events, logs, invocations, deliveries, db, dedupe state and subscriptions. */
  delete(id: string): Promise<void>;
  /** prop → key → JSON text. */
  db(id: string): Record<string, Record<string, string>>;
  dedupe(id: string): DedupeRecord;
}

/** What a strategy remembers. Which field is used depends on the strategy. */
export interface DedupeRecord {
  readonly strategy: string | null;
  /** `unique`: oldest first, 100 at most, each at most 64 characters. */
  readonly ids: readonly string[];
  /** `greatest`. */
  readonly greatest?: number;
  /** `last`. */
  readonly last?: string;
}

export type InvocationCause = 'http' | 'timer' | 'event' | 'manual' | 'hook' | 'replay';
export type StoredStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'crashed' | 'cancelled';

export interface NewInvocation {
  readonly sourceId: string;
  readonly cause: InvocationCause;
  readonly hook?: 'deploy' | 'activate' | 'deactivate';
  /** Absent for hooks. */
  readonly trigger?: Trigger;
  readonly replayOf?: number;
  /** Epoch ms. */
  readonly at: number;
}

export interface InvocationRecord {
  readonly n: number;
  readonly sourceId: string;
  readonly cause: InvocationCause;
  readonly hook: 'deploy' | 'activate' | 'deactivate' | null;
  readonly status: StoredStatus;
  /** 1 for the first. */
  readonly attempt: number;
  readonly replayOf: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly emitted: number;
  readonly dropped: number;
  readonly error: ThrownError | null;
}

/** A stretch of time cut into equal parts. */
export interface TimeSpan {
  /** Epoch ms. */
  readonly from: number;
  readonly bucketMs: number;
  readonly buckets: number;
}

export interface InvocationTable {
  get(n: number): InvocationRecord | undefined;
  /** As received. */
  trigger(n: number): Trigger | undefined;
  list(sourceId: string, page: PageRequest): PageOf<InvocationRecord>;
  last(sourceId: string): InvocationRecord | undefined;
  /** How many failed or crashed in each part, oldest first. */
  countFailedOverTime(sourceId: string, span: TimeSpan): number[];
  /** In the inbox without an end: what a crash cut off, oldest first. Hooks included. */
  unfinished(): InvocationRecord[];
  /** Counts one more attempt of an invocation that was cut off. */
  retry(n: number): Promise<void>;
  /** Applies retention to one source; unfinished ones and those with a kept event stay. */
  prune(sourceId: string, keep: Keep): Promise<number>;
}

/** How much history stays: at most `count` rows, none older than `before` (epoch ms); the 100 newest always stay. */
export interface Keep {
  readonly count: number;
  readonly before: number;
}

/** The end of an invocation and everything it did. */
export interface InvocationCommit {
  readonly n: number;
  readonly sourceId: string;
  readonly status: 'succeeded' | 'failed' | 'crashed' | 'cancelled';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly error?: ThrownError;
  /** Ordered, deduped, in the order they are to be seen. */
  readonly events: readonly NewEvent[];
  readonly drops: readonly DroppedEvent[];
  /** Events on reserved channels (`$errors`, `$logs`): told and listed only where one is asked for. */
  readonly notices?: readonly NewEvent[];
  readonly db: readonly { readonly prop: string; readonly key: string; readonly json?: string }[];
  /** Absent when nothing changed. */
  readonly dedupe?: DedupeChange;
  readonly logs: readonly NewLog[];
  /** Takes the trigger away: it cannot be run again. */
  readonly forgetTrigger?: boolean;
}

/** Increment of a DedupeRecord: writing all of it with each event would cost kilobytes. */
export interface DedupeChange {
  readonly strategy: string;
  /** `unique`: ids to append; the table keeps the newest 100. `reset` empties it first. */
  readonly append?: readonly string[];
  readonly greatest?: number;
  readonly last?: string;
  readonly reset?: boolean;
}

export interface NewEvent {
  /** `<ms>-<seq>`: unique and ascending within the store; the emit room assigns it. */
  readonly id: string;
  readonly indexedAt: number;
  readonly emitId: string;
  /** Channel, '' for the default one. */
  readonly channel: string;
  readonly dedupeId?: string | number;
  readonly summary?: string;
  readonly ts?: number;
  /** JSON text, never parsed by the store. */
  readonly payload: string;
  /** Webhooks that get it: one delivery each, made in the same transaction. */
  readonly webhooks: readonly string[];
  /** Sources that get it: one invocation each (cause `event`), made in the same transaction. */
  readonly sources: readonly string[];
}

export interface DroppedEvent {
  readonly id: string;
  readonly at: number;
  readonly channel: string;
  readonly dedupeId?: string | number;
  readonly summary?: string;
  readonly payload: string;
  /** One sentence: why it was not emitted. */
  readonly reason: string;
}

export interface NewLog {
  readonly at: number;
  readonly kind: 'start' | 'end' | 'console' | 'error' | 'drop' | 'system';
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** What the commit made, for the fan-out. */
export interface CommittedInvocation {
  readonly logIds: readonly number[];
  readonly deliveries: readonly DeliveryRecord[];
  /** Invocations of listening sources, in order. */
  readonly triggered: readonly { readonly n: number; readonly sourceId: string }[];
}

export interface EventRecord {
  readonly id: string;
  readonly sourceId: string;
  readonly invocation: number;
  readonly indexedAt: number;
  readonly emitId: string;
  readonly channel: string;
  readonly dedupeId: string | number | null;
  readonly summary: string | null;
  readonly ts: number | null;
  readonly payload: string;
  /** Null for an emitted one, else why not. */
  readonly dropped: string | null;
}

export interface EventTable {
  get(sourceId: string, id: string): EventRecord | undefined;
  /** Newest first. */
  list(
    sourceId: string,
    page: PageRequest & {
      /** Reserved channels (`$…`) are listed only when asked for. */
      readonly channel?: string;
      /** Drops as well; without it only what was emitted. */
      readonly dropped?: boolean;
      /** Only events with all these words in summary or payload; see search/words.ts. */
      readonly search?: string;
    },
  ): PageOf<EventRecord>;
  ofInvocation(n: number): EventRecord[];
  /** Emitted ones (no drops) after the id, oldest first: what an SSE reader that reconnects missed. */
  after(sourceId: string, id: string, limit: number): EventRecord[];
  /** How many were emitted in each part, oldest first. */
  countOverTime(sourceId: string, span: TimeSpan): number[];
  /** The newest event id of the whole store, to go on from after a restart. */
  lastId(): string | undefined;
  /** Both ends included. */
  delete(
    sourceId: string,
    range: { readonly start?: string; readonly end?: string; readonly channel?: string },
  ): Promise<number>;
  /** Applies retention to one source: at most `count` events and `bytes` bytes, none older than `before` (ms), the 100 newest always kept. */
  prune(
    sourceId: string,
    keep: { readonly count: number; readonly bytes: number; readonly before: number },
  ): Promise<number>;
}

export interface LogRecord extends NewLog {
  readonly id: number;
  readonly sourceId: string;
  readonly invocation: number | null;
}

export interface LogTable {
  /** Newest first. */
  list(sourceId: string, page: PageRequest): PageOf<LogRecord>;
  ofInvocation(n: number): LogRecord[];
  /** After the id, oldest first: what an SSE reader that reconnects missed. */
  after(sourceId: string, id: number, limit: number): LogRecord[];
  /** Lines outside an invocation (lifecycle, refused requests). Resolves to the line's id. */
  append(sourceId: string, line: NewLog): Promise<number>;
  /** Applies retention to one source. */
  prune(sourceId: string, keep: Keep): Promise<number>;
}

export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly active: boolean;
  /** Sealed. */
  readonly signingSecret: string;
  /** The one before the last rotation, sealed: it signs as well until then (epoch ms). */
  readonly oldSecret?: { readonly sealed: string; readonly until: number };
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface WebhookTable {
  get(id: string): WebhookRecord | undefined;
  all(): WebhookRecord[];
  list(page: PageRequest): PageOf<WebhookRecord>;
  insert(record: WebhookRecord): Promise<void>;
  replace(record: WebhookRecord): Promise<void>;
  /** With its subscriptions; its open deliveries become `cancelled`. */
  delete(id: string): Promise<void>;
}

export interface SubscriptionRecord {
  readonly id: string;
  readonly emitterId: string;
  readonly listenerId: string;
  /** Channel, '' for the default one. */
  readonly channel: string;
}

export interface SubscriptionTable {
  all(): SubscriptionRecord[];
  find(emitterId: string, listenerId: string, channel: string): SubscriptionRecord | undefined;
  list(page: PageRequest): PageOf<SubscriptionRecord>;
  insert(record: SubscriptionRecord): Promise<void>;
  delete(id: string): Promise<void>;
}

/** A listener that every source deployed from now on gets on a reserved channel (reference §6.3). */
export interface AutoSubscriptionRecord {
  readonly id: string;
  readonly listenerId: string;
  readonly channel: string;
}

export interface AutoSubscriptionTable {
  all(): AutoSubscriptionRecord[];
  list(page: PageRequest): PageOf<AutoSubscriptionRecord>;
  insert(record: AutoSubscriptionRecord): Promise<void>;
  delete(id: string): Promise<void>;
}

/**
 * The words of events, for `events.list`. An event is found at once; its words go into the index
 * later, in small steps when there is time, because that costs twenty times what its commit does.
 */
export interface EventSearch {
  /** Events whose words are not in the index yet. */
  readonly behind: number;
  /** Indexes the next ones, at most so many; resolves when that is on disk. */
  step(most: number): Promise<void>;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'exhausted' | 'cancelled';

export interface DeliveryRecord {
  readonly n: number;
  readonly webhookId: string;
  readonly sourceId: string;
  readonly eventId: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAt: number | null;
  readonly createdAt: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

export interface AttemptRecord {
  readonly at: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly totalMs: number;
  /** Absent in attempts that older versions kept. */
  readonly phases?: AttemptPhases;
  /** By a person, beside the schedule. */
  readonly manual?: boolean;
  readonly error: { readonly class: string; readonly message: string } | null;
}

/** Milliseconds of each step; null for one that was not needed (an open connection) or not reached. */
export interface AttemptPhases {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  /** From the request's last byte to the answer's first. */
  readonly firstByte: number | null;
}

export interface DeliveryTable {
  get(n: number): DeliveryRecord | undefined;
  list(
    page: PageRequest & { readonly webhookId?: string; readonly status?: DeliveryStatus },
  ): PageOf<DeliveryRecord>;
  /** Failed ones, given up or not, of webhooks that are there, oldest first. @param filter `since` is their creation, epoch ms */
  failed(filter: { readonly webhookId?: string; readonly since?: number }): DeliveryRecord[];
  /** Of one event, oldest first. */
  ofEvent(sourceId: string, eventId: string): DeliveryRecord[];
  attempts(n: number): AttemptRecord[];
  /** Not yet delivered nor given up, in emission order: what to go on with after a restart. */
  open(): DeliveryRecord[];
  /** Payload of the event, null when it is gone. */
  payload(n: number): string | null;
  /** Keeps the attempt and moves the delivery on, in one transaction. */
  record(
    n: number,
    attempt: AttemptRecord,
    next: { readonly status: DeliveryStatus; readonly nextAt: number | null },
  ): Promise<DeliveryRecord>;
  /** Applies retention to all deliveries that are over, with their attempts. */
  prune(keep: Keep): Promise<number>;
}

export interface AccountRecord {
  readonly id: string;
  readonly app: string;
  readonly name: string;
  /** Sealed JSON of the credentials. */
  readonly sealed: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface AccountTable {
  get(id: string): AccountRecord | undefined;
  all(): AccountRecord[];
  list(page: PageRequest & { readonly app?: string }): PageOf<AccountRecord>;
  insert(record: AccountRecord): Promise<void>;
  delete(id: string): Promise<void>;
}

/**
 * A page is cut at `limit`; `after`/`before` are opaque cursors that a page returned, a foreign one
 * throws WeirError('bad_input'). Events, invocations, log lines and deliveries come newest first,
 * everything else in the order it was made.
 */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

export interface PageOf<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly start: string | null;
  readonly end: string | null;
}
