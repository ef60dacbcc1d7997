/** All that a store has to remember, as plain data. */
import { WeirError } from '../../../src/protocol/errors.ts';
import type { Trigger } from '../../../src/protocol/host.ts';
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
import type { WebhookRecord } from '../../../src/runtime/store/configuration/webhooks.ts';
import type { EventId } from '../../../src/runtime/store/event-id.ts';
import type { DataStoreRecord } from '../../../src/runtime/store/history/data-stores.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
} from '../../../src/runtime/store/history/deliveries.ts';
import type { EventRecord } from '../../../src/runtime/store/history/events.ts';
import type { InvocationRecord } from '../../../src/runtime/store/history/invocations.ts';
import type { LogRecord } from '../../../src/runtime/store/history/logs.ts';
import type { ScheduledEmit } from '../../../src/runtime/store/history/scheduled-emits.ts';

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

export type Invocation = Numbered<InvocationRecord, 'n' | 'replayOf'> & {
  readonly trigger: Trigger | undefined;
};
export type Event = Numbered<EventRecord, 'invocation'> & {
  readonly kind: 'emitted' | 'drop' | 'notice';
};
type Log = Numbered<LogRecord, 'id' | 'invocation'>;
export type Scheduled = Numbered<ScheduledEmit, 'n' | 'invocation'>;
export type Delivery = Numbered<DeliveryRecord, 'n'>;

export interface Emitter {
  /** Another one when it is made anew under the same id. */
  readonly life: number;
  /** All oldest first. */
  invocations: Invocation[];
  events: Event[];
  /** By due time, then in the order of emission. */
  scheduled: Scheduled[];
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

/** Of a new store. */
export const emptyState = (): State => ({
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
});

export function isOpen({ status }: Pick<DeliveryRecord, 'status'>): boolean {
  return status === 'pending' || status === 'retrying';
}

export function isAlive({ expiresAt }: Entry, at: number): boolean {
  return expiresAt === null || expiresAt > at;
}

/** @throws WeirError('conflict') */
export function insert<T extends { readonly id: string }>(rows: T[], record: T): void {
  if (rows.some(({ id }) => id === record.id)) {
    throw new WeirError('conflict', `${record.id} is there.`);
  }
  rows.push(record);
}

export function ensure<T>(rows: T[], record: T, same: (one: T) => boolean) {
  const found = rows.find(same);
  if (found === undefined) rows.push(record);
  return structuredClone({ record: found ?? record, created: found === undefined });
}

export function put<T extends { readonly id: string }>(rows: T[], record: T): void {
  const at = rows.findIndex(({ id }) => id === record.id);
  if (at !== -1) rows[at] = record;
}

/** @returns those that went */
export function remove<T>(rows: T[], goes: (row: T) => boolean): T[] {
  const gone = rows.filter(goes);
  const left = rows.filter((row) => !gone.includes(row));
  rows.splice(0, rows.length, ...left);
  return gone;
}
