/** One of the runtimes that share a store: one leads, each runs the emitters that it owns. */
import type { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { CodeTable } from './code.ts';
import type { Store } from './store.ts';

/** The key that seals the secrets of a database. */
export interface KeyCheck {
  /** Made of it, and says nothing of it. */
  readonly check: string;
  /** Its origin, for a message. */
  readonly origin: string;
}

/** A node as another node sees it. */
export interface OtherNode {
  readonly id: number;
  /** `HOST:PORT`; undefined while it starts. */
  readonly address: string | undefined;
  /** It did not renew its lease. */
  readonly isLate: boolean;
}

/** The leader as another node sees it. */
export interface ActiveNode {
  readonly isMe: boolean;
  /** False once it was fenced, or has left. */
  readonly isThere: boolean;
  /** It did not renew its lease. */
  readonly isLate: boolean;
  /** `HOST:PORT`; undefined while it starts. */
  readonly address: string | undefined;
}

export interface StoreNode {
  /** Never used twice. */
  readonly id: number;
  /** That of this machine; where it is more than a second off, as that of the database is. */
  readonly clock: Clock;
  /** It has not renewed its lease for so long that others are about to replace it: it should start nothing. */
  readonly isPaused: boolean;
  /** Another node has taken over from it: it writes nothing any more. */
  readonly isLost: boolean;
  /** Announces the address where other nodes reach this one. */
  announce(address: string): Promise<void>;
  /**
   * Calls back when a node leaves, so that it need not be searched for. Best effort: leaves during a lost connection
   * are missed.
   */
  onLeave(listener: () => void): Promise<void>;
  /** Undefined before there was one. */
  lookAtActive(): Promise<ActiveNode | undefined>;
  /**
   * Makes this node the active one if there is none, or if the active one's lease has expired. That one is fenced
   * first.
   * @returns whether it is
   */
  lead(): Promise<boolean>;
  /**
   * Returns the same store to every caller.
   * @param onFailure gets failures that no caller waits for
   * @param waits for the lease of other owners, if it takes all emitters
   */
  openStore(
    onFailure?: (failure: WeirError, fault?: unknown) => void,
    waits?: boolean,
  ): Promise<Store>;
  /** Nodes that were not fenced. */
  nodes(): Promise<readonly OtherNode[]>;
  /** Takes its place from a node that this one, which leads, does not reach: waits for its commit under way. */
  fence(id: number): Promise<void>;
  /** Fences those whose lease has run out, once this node may judge that. */
  fenceLate(): Promise<void>;
  readonly code: CodeTable;
  setting(key: string): Promise<string | undefined>;
  /** With its store. Another one may lead at once. */
  leave(): Promise<void>;
}
