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

/** The fields of a webhook that a person may change; `updatedAt` in epoch ms. */
export type WebhookChange = Partial<
  Pick<WebhookRecord, 'url' | 'name' | 'description' | 'active'>
> &
  Pick<WebhookRecord, 'updatedAt'>;

/** Commands on a webhook that is not there reject with WeirError('not_found'). */
export interface WebhookTable {
  get(id: string): WebhookRecord | undefined;
  all(): WebhookRecord[];
  list(page: PageRequest): PageOf<WebhookRecord>;
  insert(record: WebhookRecord): Promise<void>;
  /** Resolves with the new record of the webhook. */
  update(id: string, change: WebhookChange): Promise<WebhookRecord>;
  /** The secret so far becomes the old one, which signs as well until then (epoch ms). */
  rotateSecret(
    id: string,
    sealed: string,
    oldUntil: number,
    updatedAt: number,
  ): Promise<WebhookRecord>;
  /**
   * With its subscriptions; its open deliveries become `cancelled`. Resolves with the ids of the
   * subscriptions that went with it.
   */
  delete(id: string): Promise<readonly string[]>;
}
