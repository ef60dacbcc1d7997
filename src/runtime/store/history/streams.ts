/** A message that a step gave to `$.send.sse`. */
export interface StreamMessage {
  /** Ascends within a workflow; what a reader resumes after. */
  readonly id: number;
  /** The workflow. */
  readonly emitterId: string;
  readonly channel: string;
  /** JSON text. */
  readonly payload: string;
}

/** How many messages are kept of one channel, the newest ones, and of all channels of a workflow together. */
export const keptOfChannel = 100;
export const keptOfStream = 10_000;

export interface StreamTable {
  /**
   * Oldest first.
   * @param channel of all unless given
   * @param id after this one; 0: from the oldest that is kept
   */
  after(
    emitterId: string,
    channel: string | undefined,
    id: number,
    limit: number,
  ): Promise<StreamMessage[]>;
}
