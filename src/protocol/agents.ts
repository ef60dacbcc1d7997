/** The log of what agents asked and did: one JSON object a line, oldest first. */

/** In the data folder. */
export const agentsLogFile = 'agents.jsonl';

export interface AgentCall {
  /** ISO 8601, of its end. */
  readonly at: string;
  /** What the client calls itself: nobody has checked it. */
  readonly agent: string;
  /** Name of the key that it came with over HTTP. */
  readonly key?: string;
  readonly tool: string;
  /** Cut and without secrets, as the agent itself would see them. */
  readonly arguments: unknown;
  readonly outcome: 'answered' | 'failed' | 'refused' | 'cancelled';
  /** Why not, in one sentence. */
  readonly message?: string;
  /** Document of what it made or changed. */
  readonly uri?: string;
  readonly ms: number;
}
