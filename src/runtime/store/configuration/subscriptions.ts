import type { PageOf, PageRequest } from '../page.ts';

/** A source or webhook (`listenerId`) that gets what a source (`emitterId`) emits on a channel. */
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
