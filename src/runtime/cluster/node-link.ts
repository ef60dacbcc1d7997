import type { NodeSeen } from './followers.ts';
import type { PassingOn } from './passing-on.ts';
import type { NodeHandlers } from './peer.ts';
import type { Peers } from './peers.ts';

/** What a runtime has of the node that it is part of, to speak with others. */
export interface NodeLink {
  readonly id: number;
  /** `HOST:PORT` where other nodes reach this one. */
  readonly address: string;
  readonly leaseMs: number;
  /** Those that were not fenced, this one too. */
  nodes(): Promise<readonly NodeSeen[]>;
  /** From then on another one writes nothing more. */
  fence(id: number): Promise<void>;
  /** See `LeadingNode`. */
  fenceLate(): Promise<void>;
  readonly peers: Peers;
  readonly passingOn: PassingOn;
  /** Who answers what other nodes ask of this one; undefined: nobody. */
  serve(handlers: NodeHandlers | undefined): void;
}
