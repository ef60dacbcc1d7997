/**
 * What the rooms tell each other upwards: a lower room emits, the composition root connects, no room
 * imports a higher one. Emitted after the commit is on disk, and only then (architecture.md, "Fan-out").
 */
import { EventEmitter } from 'node:events';
import type { Debugged } from './debug/session.ts';
import type { CommittedInvocation, InvocationCommit } from './store/commit.ts';
import type { LogRecord } from './store/history/logs.ts';

export interface Committed {
  readonly commit: InvocationCommit;
  readonly made: CommittedInvocation;
}

export interface SignalMap {
  /** Created, updated, renamed, switched on or off; its next tick moved. */
  source: [id: string];
  sourceDeleted: [id: string];
  /** An invocation was accepted or started. */
  invocation: [n: number];
  /** An invocation ended and everything it did is on disk. */
  committed: [Committed];
  eventsDeleted: [sourceId: string];
  /** A line outside an invocation. */
  log: [line: LogRecord];
  webhook: [id: string];
  webhookDeleted: [id: string];
  subscription: [id: string];
  subscriptionDeleted: [id: string];
  delivery: [n: number];
  /** A process waits for a debugger. */
  debug: [Debugged];
}

export class Signals extends EventEmitter<SignalMap> {}
