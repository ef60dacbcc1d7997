import type { EmitterOwner } from '../emitter-owner.ts';
import type { Keep, PageOf, PageRequest } from '../page.ts';

/** `retrying` waits for its next attempt, `exhausted` has no more, `cancelled` lost its webhook. */
export type DeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'exhausted' | 'cancelled';

/** One event on its way to one webhook; times in epoch ms. */
export interface DeliveryRecord {
  readonly n: number;
  readonly webhookId: string;
  readonly emitterId: string;
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
  /** Message of the event; undefined if it is gone. */
  readonly message: Message | undefined;
}

export interface Message {
  /** The same for every attempt and every webhook. */
  readonly emitId: string;
  /** JSON text. */
  readonly payload: string;
  /** Hops of a run that it starts, if its webhook leads to an endpoint (`InvocationCommit.hops`). */
  readonly hops: number;
}

/** One request of a delivery and what came back; `at` in epoch ms, bodies as text. */
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
  get(n: number): Promise<DeliveryRecord | undefined>;
  list(
    page: PageRequest & { readonly webhookId?: string; readonly status?: DeliveryStatus },
  ): Promise<PageOf<DeliveryRecord>>;
  /** Failed ones, given up or not, of webhooks that are there, oldest first. @param filter `since` is their creation, epoch ms */
  failed(filter: {
    readonly webhookId?: string;
    readonly since?: number;
  }): Promise<DeliveryRecord[]>;
  /** Deliveries of one event, oldest first. */
  ofEvent(emitterId: string, eventId: string): Promise<DeliveryRecord[]>;
  attempts(n: number): Promise<AttemptRecord[]>;
  /** With what it sends. */
  outgoing(n: number): Promise<Outgoing | undefined>;
  /**
   * Keeps the attempt and moves the delivery on, in one transaction. Resolves with the delivery as it
   * stands then: cancelled, when it waits for another attempt and its webhook was deleted meanwhile.
   * Of a delivery that is gone with its emitter nothing is kept.
   * @param fence of its emitter's owner: nobody else moves it
   * @param delivery as it stood before
   */
  record(
    fence: number,
    delivery: DeliveryRecord,
    attempt: AttemptRecord,
    next: { readonly status: DeliveryStatus; readonly nextAt: number | null },
  ): Promise<DeliveryRecord>;
  /** Applies retention to an emitter's deliveries that are over, with their attempts. Resolves to how many went. */
  prune(owner: EmitterOwner, keep: Keep): Promise<number>;
}
