import type { ThrownError } from '../../../protocol/host.ts';
import type { Keep, PageOf, PageRequest } from '../page.ts';

/** `crashed`: the runtime ended before the run did. It is not begun again: nobody waits for it any more. */
export type ActionRunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'crashed';

/** An action by itself, outside of any workflow, as it begins; times in epoch ms. */
export interface NewActionRun {
  /** Name of the action. */
  readonly name: string;
  readonly key: string | null;
  readonly version: string | null;
  /** File of the action; null for code that has none. */
  readonly path: string | null;
  /** The name of the agent that started it, as it calls itself; null if it was not an agent. */
  readonly agent: string | null;
  /** JSON text: the values it runs with, without those of secrets. */
  readonly props: string;
  readonly startedAt: number;
}

export interface ActionRunRecord extends NewActionRun {
  readonly n: number;
  readonly status: ActionRunStatus;
  readonly endedAt: number | null;
  readonly error: ThrownError | null;
}

/** The outcome of an action, as JSON texts. */
export interface ActionRunOutcome {
  /** Object of values by name. */
  readonly exports: string;
  readonly returnValue: string | null;
  /** List of `ConsoleLine`. */
  readonly logs: string;
  /** List of `OutgoingRequest`; null when it sent none. */
  readonly requests: string | null;
}

export interface ActionRunEnd {
  readonly status: Exclude<ActionRunStatus, 'running' | 'crashed'>;
  readonly endedAt: number;
  readonly error: ThrownError | null;
  readonly outcome: ActionRunOutcome;
}

export interface WholeActionRun extends ActionRunRecord {
  /** Null while it runs, and of one that a crash cut off. */
  readonly outcome: ActionRunOutcome | null;
}

/** Actions have no emitter: their runs are nobody's but the store's. */
export interface ActionRunTable {
  /** Resolves when it is on disk: only then it is run. */
  begin(run: NewActionRun): Promise<ActionRunRecord>;
  /** Resolves with the new record. Rejects with WeirError('not_found') for a run that is not running. */
  end(n: number, end: ActionRunEnd): Promise<ActionRunRecord>;
  get(n: number): Promise<WholeActionRun | undefined>;
  /** Newest first. */
  list(page: PageRequest): Promise<PageOf<ActionRunRecord>>;
  /** Runs whose runtime is gone end as crashed. Resolves with how many. @param at epoch ms */
  endLost(at: number): Promise<number>;
  /** Applies retention to completed runs. Resolves with how many were deleted. */
  prune(keep: Keep): Promise<number>;
}
