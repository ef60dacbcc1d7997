/**
 * Signals from lower rooms to higher ones: a lower room emits, the composition root connects, no room imports a higher
 * one. The result of a run is announced when its commit is on disk, and only then (architecture.md, "Fan-out"); its
 * console lines may be shown before.
 */
import { EventEmitter } from 'node:events';
import type { Debugged } from '../processes/debugged.ts';
import type { ShownRun } from './owner/owned-emitters.ts';
import type { CommittedDue, CommittedInvocation, InvocationCommit } from '../store/commit.ts';
import type { ActionRunRecord } from '../store/history/action-runs.ts';
import type { DeliveryRecord } from '../store/history/deliveries.ts';
import type { StoredStatus } from '../store/history/invocations.ts';
import type { LogRecord } from '../store/history/logs.ts';

/** The announced part of a commit: of a run's end, or of the end of a workflow's step. */
export type ToldCommit = Pick<
  InvocationCommit,
  'n' | 'emitterId' | 'events' | 'drops' | 'notices' | 'logs' | 'scheduled' | 'error'
> & { readonly status: StoredStatus };

export interface Committed {
  readonly run: ShownRun;
  readonly commit: ToldCommit;
  readonly made: CommittedInvocation;
}

/** Console lines of a running run. */
export interface Said {
  readonly n: number;
  readonly emitterId: string;
  readonly lines: readonly Pick<LogRecord, 'at' | 'level' | 'text'>[];
  /** How many lines it has sent before. */
  readonly from: number;
}

/** Emits that runs scheduled earlier and that are due now. */
export interface Due {
  readonly emitterId: string;
  readonly made: CommittedDue;
}

export interface SignalMap {
  /** Created, updated, renamed, switched on or off; its next tick moved; emits that it had scheduled were cancelled. */
  source: [id: string];
  /** The same for a workflow. */
  workflow: [id: string];
  emitterDeleted: [id: string];
  /** An invocation was accepted, started or waits again. A crash may still take it back. */
  invocation: [run: ShownRun];
  /** Console lines of a running run arrived. A crash discards them, and then the run starts again. */
  said: [Said];
  /** An invocation ended and everything it did is on disk. */
  committed: [Committed];
  /** Scheduled emits became events, which are on disk. */
  due: [Due];
  eventsDeleted: [emitterId: string];
  /** A line outside an invocation. */
  log: [line: LogRecord];
  /** A run of an action by itself has begun or ended, which is on disk. */
  actionRun: [run: ActionRunRecord];
  webhook: [id: string];
  webhookDeleted: [id: string];
  subscription: [id: string];
  subscriptionDeleted: [id: string];
  account: [id: string];
  accountDeleted: [id: string];
  /** It was made, or its values changed. */
  dataStore: [id: string];
  dataStoreDeleted: [id: string];
  /** An attempt at it is on disk. */
  delivery: [delivery: DeliveryRecord];
  /** The offers or rules for agents have changed. */
  agents: [];
  /** A component was published under this key, or is no longer. */
  published: [key: string];
  /** A process waits for a debugger. */
  debug: [Debugged];
}

export class Signals extends EventEmitter<SignalMap> {}
