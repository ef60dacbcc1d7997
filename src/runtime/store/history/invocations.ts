import type { ThrownError, Trigger } from '../../../protocol/host.ts';
import type { RequestLine } from '../../../protocol/request-line.ts';
import type { EmitterOwner } from '../emitter-owner.ts';
import type { Keep, PageOf, PageRequest, TimeSpan } from '../page.ts';
import type { NewJournal } from './step-runs.ts';
import type { SuspectMark } from './suspicion.ts';

/**
 * The cause of an emitter's run; `event` is another emitter that it listens to, `workflow` a step's `$.flow.trigger`.
 */
export type InvocationCause =
  | 'http'
  | 'timer'
  | 'event'
  | 'workflow'
  | 'manual'
  | 'hook'
  | 'replay';

/** `crashed` has ended its runtime or its process as often as is allowed, and waits for a person. */
export type StoredStatus =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'crashed'
  | 'cancelled'
  /** Only for workflows. */
  | 'paused'
  | 'timed_out'
  | 'dropped';

/** A run that is asked for, as it goes into the inbox. */
export interface NewInvocation {
  readonly emitterId: string;
  /** Fence of the owner that accepts it (`TakenEmitter.fence`). */
  readonly fence: number;
  /** Number of a trigger that another runtime has forwarded (`SharedStore.nextNumber`); a new number unless given. */
  readonly n?: number | undefined;
  readonly cause: InvocationCause;
  readonly hook?: 'deploy' | 'activate' | 'deactivate';
  /** Absent for hooks. */
  readonly trigger?: Trigger | undefined;
  readonly replayOf?: number | undefined;
  /** Epoch ms. */
  readonly at: number;
  /** For an execution that continues with another one's steps, in one write with it. */
  readonly journal?: NewJournal | undefined;
  /** For a run by a timer: its next tick, in one write with the run. `nextAt` undefined: never again. */
  readonly tick?: { readonly interfaceId: string; readonly nextAt: number | undefined } | undefined;
}

/** One run of an emitter; times in epoch ms. */
export interface InvocationRecord {
  readonly n: number;
  readonly emitterId: string;
  readonly cause: InvocationCause;
  readonly hook: 'deploy' | 'activate' | 'deactivate' | null;
  /** For a run by an HTTP request, and for its replays. */
  readonly request: RequestLine | null;
  readonly status: StoredStatus;
  /** 1 for the first. */
  readonly attempt: number;
  readonly replayOf: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly emitted: number;
  readonly dropped: number;
  readonly error: ThrownError | null;
}

/** Only invocations of one status. */
export interface StatusFilter {
  readonly status: StoredStatus;
  /** Numbers of running runs: while their owner runs them, the store has them as queued. */
  readonly running: readonly number[];
}

export interface InvocationTable {
  get(n: number): Promise<InvocationRecord | undefined>;
  /** As received. */
  trigger(n: number): Promise<Trigger | undefined>;
  list(
    emitterId: string,
    page: PageRequest,
    filter?: StatusFilter,
  ): Promise<PageOf<InvocationRecord>>;
  /** How many failed or crashed in each part, oldest first. */
  countFailedOverTime(emitterId: string, span: TimeSpan): Promise<number[]>;
  /** Counts one more attempt of invocations of this emitter whose process has ended: they are queued again. */
  retry(owner: EmitterOwner, numbers: readonly number[]): Promise<void>;
  /**
   * Before its owner releases the emitter: these of its invocations had begun, and their status is `running`
   * for whoever takes it. While an owner runs them they are `queued`: telling a start apart would cost a
   * write. What has ended stays as it is.
   */
  markCutOff(owner: EmitterOwner, numbers: readonly number[]): Promise<void>;
  /**
   * How invocations without an end run after a death of their owner (`UnfinishedInvocation.suspicion`). One that was
   * paused and begins alone is paused no longer. That others may begin is written only of one that is still marked
   * as alone: a step may have ended since. What has ended stays as it is.
   */
  markSuspects(owner: EmitterOwner, marks: readonly SuspectMark[]): Promise<void>;
  /** Applies retention; unfinished ones and those with a kept event stay. Resolves to how many went. */
  prune(owner: EmitterOwner, keep: Keep): Promise<number>;
}
