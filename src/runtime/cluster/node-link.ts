import type { LeadingNode } from './followers.ts';
import type { TriggerForwarder } from './trigger-forwarder.ts';
import type { NodeHandlers } from './peer.ts';
import type { Peers } from './peers.ts';

/** What runs at a node answers all but this, which is told to those who wait here whether anything runs or not. */
export type RunningHandlers = Omit<NodeHandlers, 'answered'>;

/** What a runtime has of the node that it is part of, to speak with others, whether it leads them or not. */
export interface NodeLink extends LeadingNode {
  readonly peers: Peers;
  readonly passingOn: TriggerForwarder;
  /** It was not heard of for so long that others are about to replace it: it begins nothing. */
  readonly isPaused: () => boolean;
  /** Sets the handlers for calls of other nodes; undefined: calls are refused. */
  serve(handlers: RunningHandlers | undefined): void;
}
