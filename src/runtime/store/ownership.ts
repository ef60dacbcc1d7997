/**
 * Who may act for an emitter (a source or a workflow). Everything an emitter does between its trigger and its commit
 * depends on the memory of one process: its db, the dedupe state, its newest event id, its open runs and deliveries. So
 * each emitter has one owner at a time.
 *
 * The owner gets all of that once, when it takes the emitter, together with a fencing token. The token goes with every
 * write, and a store refuses the writes of a replaced owner. On a single machine the runtime owns every emitter.
 */
import type { Trigger } from '../../protocol/host.ts';
import type { EmitterOwner } from './emitter-owner.ts';
import type { EventId } from './event-id.ts';
import type { DeliveryRecord } from './history/deliveries.ts';
import type { InvocationRecord } from './history/invocations.ts';
import type { SendRecord } from './history/sends.ts';
import type { Suspicion } from './history/suspicion.ts';
import type { WaitingEmits } from './history/scheduled-emits.ts';

export interface Ownership {
  /**
   * Takes every emitter that has no owner, and tells each. Resolves when all were told.
   * What is made later is taken by `take`.
   */
  takeAll(taken: (emitter: TakenEmitter) => void): Promise<void>;
  /** Takes one emitter. Rejects with WeirError('not_found') for one that is not there. */
  take(id: string): Promise<TakenEmitter>;
}

/** The state that the owner of an emitter has to know when it takes the emitter. */
export interface TakenEmitter extends EmitterOwner {
  /** Its last owner ended cleanly; false after a crash. */
  readonly released: boolean;
  readonly db: StoredDb;
  readonly dedupe: DedupeRecord;
  /** Undefined of one that never emitted. */
  readonly newestEvent: EventId | undefined;
  /** The newest run, ended or not. */
  readonly lastInvocation: InvocationRecord | undefined;
  /** In the inbox without an end, oldest first, hooks included. */
  readonly unfinished: readonly UnfinishedInvocation[];
  /** Neither delivered nor given up, in the order of emission. */
  readonly openDeliveries: readonly DeliveryRecord[];
  readonly waitingEmits: WaitingEmits;
  /** Sends of a workflow's executions that were not sent yet, oldest first; after a crash, some may have been. */
  readonly pendingSends: readonly SendRecord[];
}

export interface UnfinishedInvocation {
  readonly record: InvocationRecord;
  /** `withoutPayload`, as all of them together may be larger than memory; undefined for hooks. */
  readonly trigger: Trigger | undefined;
  /** Set for a run that has been running since a crash of its owner (`markSuspects`). */
  readonly suspicion?: Suspicion | undefined;
}

/** The contents of every `$.service.db` prop: prop → key → JSON text. */
export type StoredDb = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The state of a dedupe strategy. Which field is used depends on the strategy. */
export interface DedupeRecord {
  readonly strategy: string | null;
  /** `unique`: oldest first, 100 at most, each at most 65 characters. */
  readonly ids: readonly string[];
  /** `greatest`. */
  readonly greatest?: number;
  /** `last`. */
  readonly last?: string;
}
