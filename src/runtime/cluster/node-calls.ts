/** Calls and notices between nodes. A change here may need another `nodeProtocol`. */
import type { DataStoreRequest, FileRequest, HostResponse, Trigger } from '../../protocol/host.ts';
import type { DeliveryRecord } from '../store/history/deliveries.ts';
import type {
  HitOutcome,
  LiveExecution,
  NewJournal,
  ResumeHit,
} from '../store/history/executions.ts';
import type {
  InvocationCause,
  InvocationRecord,
  StoredStatus,
} from '../store/history/invocations.ts';
import type { RelayedRequests } from './relayed-requests.ts';
import type { RelayedSignal } from './relayed-signals.ts';

/** Each is answered. */
export interface NodeCalls {
  /**
   * The leading node has found this one: it leads from now on. What this one owns already. They have met where both have
   * the same `nodeProtocol`; versions that had none yet leave it out.
   */
  readonly meet: {
    params: { readonly leader: string; readonly isWatched: boolean; readonly protocol?: number };
    result: { readonly owned: readonly OwnedByNode[]; readonly protocol?: number };
  };
  /** Reads the configuration again; afterwards nothing here depends on the old one. */
  readonly refresh: { params: null; result: null };
  /** Whether somebody follows this node's signals at the leader; then all of them are relayed. */
  readonly watch: { params: { readonly isWatched: boolean }; result: null };
  /** Checks that the node is there and answers. */
  readonly ping: { params: null; result: { readonly owned: readonly string[] } };
  /** Runs an emitter from now on, which has no owner. */
  readonly take: { params: { readonly id: string }; result: null };
  /** Gives it back, unless runs of it do not end in time. */
  readonly release: {
    params: { readonly id: string } & ReleaseOptions;
    result: { readonly isReleased: boolean };
  };
  /** Takes in what came in at another node; resolves when it is on disk. */
  readonly accept: { params: ForwardedTrigger; result: null };
  /** Ends a running or waiting run. */
  readonly stop: {
    params: { readonly id: string; readonly n: number };
    result: { readonly isStopped: boolean };
  };
  /** Makes one delivery attempt for an emitter that it owns. */
  readonly redeliver: { params: { readonly n: number }; result: DeliveryRecord };
  /** The current state of an execution on its node; null if it does not run there. */
  readonly execution: { params: { readonly n: number }; result: LiveExecution | null };
  /** Cancels an execution of a workflow that it runs; false when it has ended before. */
  readonly cancel: {
    params: { readonly id: string; readonly n: number };
    result: { readonly isCancelled: boolean };
  };
  /** Ends a pause of an execution of a workflow that it runs. */
  readonly hit: {
    params: { readonly id: string; readonly hit: ResumeHit };
    result: { readonly outcome: HitOutcome };
  };
  /** Deployments that executions there have begun with. */
  readonly deploymentsInUse: { params: null; result: { readonly ids: readonly string[] } };
  /** Answers requests of component code that only the leader can answer. */
  readonly answer: {
    params: { readonly request: DataStoreRequest | FileRequest };
    result: { readonly answer: unknown };
  };
  /** The leading node keeps accounts fresh; resolves when this one has what is new. */
  readonly freshen: { params: { readonly accounts: readonly string[] }; result: null };
}

/** Nobody waits for what becomes of them. */
export interface NodeNotices {
  /** Reports the result of a run that another node waits for. */
  readonly answered: { readonly n: number; readonly came: CameOfRun };
  /** A trigger was left in the inbox of an emitter that you own. */
  readonly left: null;
  /** Where all owned emitters run: `HOST:PORT` by id. */
  readonly places: { readonly places: Readonly<Record<string, string>> };
  /** Relays signals of this node to those who follow them at the leader. */
  readonly told: { readonly signals: readonly RelayedSignal[] };
  /** Relays counts of requests, for the metrics. */
  readonly requested: { readonly requests: readonly RelayedRequests[] };
  /** An app has answered 401 to a run with these accounts. */
  readonly unauthorized: { readonly accounts: readonly string[] };
}

/** A trigger for an emitter of another node. */
export interface ForwardedTrigger {
  readonly id: string;
  readonly n: number;
  readonly cause: InvocationCause;
  readonly trigger: Trigger;
  /** Its caller waits for what the run answers. */
  readonly isAnswered: boolean;
  /** It is kept and not run. */
  readonly isRecorded: boolean;
  /** It was asked for before, and the answer was lost: it may be there, and may have ended. */
  readonly isAgain: boolean;
  /** Why it is only kept, where nobody asked for that. */
  readonly reason?: string | undefined;
  /** For executions that a person starts. */
  readonly replayOf?: number | undefined;
  /** For executions that a person starts. */
  readonly journal?: NewJournal | undefined;
}

/** Its answer, how it has ended without, why a workflow gives none, or that it was cut off. */
export type CameOfRun =
  | { readonly of: 'answer'; readonly answer: HostResponse }
  | { readonly of: 'end'; readonly status: StoredStatus }
  | { readonly of: 'unanswered'; readonly why: 'ended' | 'paused' | 'stopping' }
  | { readonly of: 'cutOff' };

export interface OwnedByNode {
  readonly id: string;
  readonly lastRun: InvocationRecord | undefined;
}

export interface ReleaseOptions {
  /** How long runs may take to end, in ms. */
  readonly withinMs: number;
  /** It is to be deleted: executions of a workflow are ended. */
  readonly isDeleted: boolean;
}
