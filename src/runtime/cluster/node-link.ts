import type { LeadingNode } from './followers.ts';
import type { PassingOn } from './passing-on.ts';
import type { NodeHandlers } from './peer.ts';
import type { Peers } from './peers.ts';

/** What a runtime has of the node that it is part of, to speak with others, whether it leads them or not. */
export interface NodeLink extends LeadingNode {
  readonly peers: Peers;
  readonly passingOn: PassingOn;
  /** Who answers what other nodes ask of this one; undefined: nobody. */
  serve(handlers: NodeHandlers | undefined): void;
}
