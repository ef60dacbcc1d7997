import type { PageOf, PageRequest } from '../page.ts';

/** An address that events are sent to; times in epoch ms. */
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
