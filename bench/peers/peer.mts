/** Something the load is sent to, in processes of its own. */
export interface Peer {
  readonly name: string;
  /** Where its events are when it answers. */
  readonly keeps: string;
  start(): Promise<RunningPeer>;
}

export interface RunningPeer {
  readonly url: string;
  /** Root of the process tree that is measured. */
  readonly pid: number;
  /** Resolves when `count` requests are worked off, for a peer that answers before it is done. */
  settled?(count: number): Promise<void>;
  /**
   * Rejects when an acknowledged event is missing or there twice.
   * @param acknowledged answers per connection, see `payloadId` for the ids.
   */
  verify?(acknowledged: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}
