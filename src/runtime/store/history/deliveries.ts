import type { AttemptRecord } from './attempts.ts';
import type { Keep } from './keep.ts';
import type { PageOf, PageRequest } from '../page.ts';

/** `retrying` waits for its next attempt, `exhausted` has no more, `cancelled` lost its webhook. */
export type DeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'exhausted' | 'cancelled';

/** One event on its way to one webhook; times in epoch ms. */
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

/** A delivery with what it sends. */
export interface Outgoing {
  readonly delivery: DeliveryRecord;
  /** Of the event; undefined when it is gone. */
  readonly message: Message | undefined;
}

export interface Message {
  /** The same for every attempt and every webhook. */
  readonly emitId: string;
  /** JSON text. */
  readonly payload: string;
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
  outgoing(n: number): Outgoing | undefined;
  /**
   * Keeps the attempt and moves the delivery on, in one transaction.
   * @param delivery as it stands, read in the same turn of the loop.
   */
  record(
    delivery: DeliveryRecord,
    attempt: AttemptRecord,
    next: { readonly status: DeliveryStatus; readonly nextAt: number | null },
  ): Promise<DeliveryRecord>;
  /** Applies retention to all deliveries that are over, with their attempts. */
  prune(keep: Keep): Promise<number>;
}
