/**
 * The part of a store that several runtimes share. One of them leads: it alone changes the configuration, and the
 * others read it again when it requests that. Each runs the emitters that it owns, and leaves triggers for others in
 * their inbox.
 */
import type { Trigger } from '../../protocol/host.ts';
import type { TriggeredInvocation } from './commit.ts';
import type { EmitterOwner } from './emitter-owner.ts';
import type { InvocationCause } from './history/invocations.ts';

export interface SharedStore {
  /** Grows with each change of the configuration by this runtime; ticks of timers do not count. */
  readonly changes: number;
  /**
   * Reads the configuration again, except sources that this runtime owns, because nobody else changes those. Resolves
   * with the changes.
   */
  refresh(): Promise<ConfigurationChanges>;
  /** Reads again when the timers of another runtime's emitter tick. */
  refreshTicks(id: string): Promise<void>;
  /** The owners of all emitters that have an owner which was not fenced. */
  owners(): Promise<readonly EmitterNode[]>;
  /** Gives an emitter back, once everything of it is on disk: another runtime may take it. */
  release(owner: EmitterOwner): Promise<void>;
  /** Releases an emitter that does not run here; does nothing if this runtime does not own it. */
  giveUp(id: string): Promise<void>;
  /** For an invocation that another runtime may take in under this number, and no other under it. */
  nextNumber(): number;
  /** An invocation of this number is in the inbox of an emitter of this runtime, and has no end. */
  isOpen(id: string, n: number): boolean;
  /**
   * Puts what came in for an emitter of another runtime into its inbox, unless an invocation of this number is there.
   * Resolves when it is on disk.
   */
  leave(left: LeftInvocation): Promise<void>;
  /**
   * Triggers that others have left in the inboxes of this runtime's emitters, and that nobody has claimed yet; oldest
   * first.
   */
  takeLeft(): Promise<readonly (TriggeredInvocation & { readonly createdAt: number })[]>;
}

export interface EmitterNode {
  readonly id: string;
  readonly node: number;
}

export interface LeftInvocation {
  readonly emitterId: string;
  /** `nextNumber`. */
  readonly n: number;
  readonly cause: InvocationCause;
  readonly trigger: Trigger;
  /** Epoch ms. */
  readonly at: number;
}

/** Ids of what is another than before, or new, and of what is gone. */
export interface RecordChanges {
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

export interface ConfigurationChanges {
  readonly sources: RecordChanges;
  readonly workflows: RecordChanges;
  readonly webhooks: RecordChanges;
  readonly subscriptions: RecordChanges;
  readonly accounts: RecordChanges;
}
