/** The feed that RPC clients follow: batches of changes, one per turn of the loop, in commit order. */
import type { Change } from '../../protocol/rpc.ts';

export interface ChangeFeed {
  /** Returns the function that ends the subscription. Nothing is computed while nobody listens. */
  subscribe(listener: (batch: readonly Change[]) => void): () => void;
}
