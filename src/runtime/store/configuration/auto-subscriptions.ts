import type { PageOf, PageRequest } from '../page.ts';

/** A listener that every source deployed from now on gets on a reserved channel (P18.8). */
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
