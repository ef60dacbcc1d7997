import type { PageOf, PageRequest } from '../page.ts';

/** A listener (webhook, source or workflow) that gets what an emitter emits on a channel. */
export interface SubscriptionRecord {
  readonly id: string;
  readonly emitterId: string;
  readonly listenerId: string;
  /** Channel, '' for the default one. */
  readonly channel: string;
}

export interface SubscriptionTable {
  get(id: string): SubscriptionRecord | undefined;
  all(): SubscriptionRecord[];
  find(emitterId: string, listenerId: string, channel: string): SubscriptionRecord | undefined;
  list(page: PageRequest): PageOf<SubscriptionRecord>;
  /** The same emitter, listener and channel twice make one subscription: resolves with the existing one. */
  ensure(record: SubscriptionRecord): Promise<Ensured<SubscriptionRecord>>;
  delete(id: string): Promise<void>;
}

/** A listener that every source deployed from now on gets on a reserved channel (P18.8). */
export interface AutoSubscriptionRecord {
  readonly id: string;
  readonly listenerId: string;
  readonly channel: string;
}

export interface AutoSubscriptionTable {
  get(id: string): AutoSubscriptionRecord | undefined;
  all(): AutoSubscriptionRecord[];
  list(page: PageRequest): PageOf<AutoSubscriptionRecord>;
  /** The same listener and channel twice make one subscription: resolves with the existing one. */
  ensure(record: AutoSubscriptionRecord): Promise<Ensured<AutoSubscriptionRecord>>;
  delete(id: string): Promise<void>;
}

/** The stored record, after a request to add one that may exist already. */
export interface Ensured<T> {
  readonly record: T;
  readonly created: boolean;
}
