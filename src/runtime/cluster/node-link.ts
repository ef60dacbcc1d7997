import type { LeadingNode } from './followers.ts';
import type { TriggerForwarder } from './trigger-forwarder.ts';
import type { NodeHandlers } from './peer.ts';
import type { Peers } from './peers.ts';

/**
 * Emitters at a node answer all calls except this one, which reaches the waiting callers here even if no emitter runs
 * here.
 */
export type RunningHandlers = Omit<NodeHandlers, 'answered'>;

/** A runtime's access to its node, for calls to other nodes, whether it leads or not. */
export interface NodeLink extends LeadingNode {
  readonly peers: Peers;
  readonly passingOn: TriggerForwarder;
  /** It has not renewed its lease for so long that others are about to replace it: it begins nothing. */
  readonly isPaused: () => boolean;
  /** Sets the handlers for calls of other nodes; undefined: calls are refused. */
  serve(handlers: RunningHandlers | undefined): void;
}
