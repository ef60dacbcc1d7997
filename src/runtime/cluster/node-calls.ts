/** What nodes ask of and tell each other. */
import type { HostResponse, Trigger } from '../../protocol/host.ts';
import type { DeliveryRecord } from '../store/history/deliveries.ts';
import type {
  InvocationCause,
  InvocationRecord,
  StoredStatus,
} from '../store/history/invocations.ts';
import type { ToldSignal } from './told-signals.ts';

/** Each is answered. */
export interface NodeCalls {
  /** The leading node has found this one: it leads from now on. What this one owns already. */
  readonly meet: {
    params: { readonly leader: string; readonly isWatched: boolean };
    result: { readonly owned: readonly OwnedByNode[] };
  };
  /** Reads the configuration anew; from then on nothing here rests on what it was before. */
  readonly refresh: { params: null; result: null };
  /** Whether somebody follows at the leading node what happens here, and is told all of it. */
  readonly watch: { params: { readonly isWatched: boolean }; result: null };
  /** It is there, and hears. */
  readonly ping: { params: null; result: { readonly owned: readonly string[] } };
  /** Runs an emitter from now on, which has no owner. */
  readonly take: { params: { readonly id: string }; result: null };
  /** Gives it back, unless runs of it do not end in time. */
  readonly release: {
    params: { readonly id: string; readonly withinMs: number };
    result: { readonly isReleased: boolean };
  };
  /** Takes in what came in at another node; resolves when it is on disk. */
  readonly accept: { params: PassedOn; result: null };
  /** Ends a run that goes on or waits. */
  readonly stop: {
    params: { readonly id: string; readonly n: number };
    result: { readonly isStopped: boolean };
  };
  /** One attempt at a delivery of an emitter that it owns. */
  readonly redeliver: { params: { readonly n: number }; result: DeliveryRecord };
  /** The leading node keeps accounts fresh; resolves when this one has what is new. */
  readonly freshen: { params: { readonly accounts: readonly string[] }; result: null };
}

/** Nobody waits for what becomes of them. */
export interface NodeNotices {
  /** What a run has answered that another node waits for, or how it has ended without; neither when it was cut off. */
  readonly answered: {
    readonly n: number;
    readonly answer: HostResponse | undefined;
    readonly status: StoredStatus | undefined;
  };
  /** Something lies in the inbox of an emitter that you own. */
  readonly left: null;
  /** Where emitters run, all of those that nodes own: `HOST:PORT` by id. */
  readonly places: { readonly places: Readonly<Record<string, string>> };
  /** What has happened here, for those who follow it at the leading node. */
  readonly told: { readonly signals: readonly ToldSignal[] };
  /** An app has answered 401 to a run with these accounts. */
  readonly unauthorized: { readonly accounts: readonly string[] };
}

/** What came in for an emitter of another node. */
export interface PassedOn {
  readonly id: string;
  readonly n: number;
  readonly cause: InvocationCause;
  readonly trigger: Trigger;
  /** Its caller waits for what the run answers. */
  readonly isAnswered: boolean;
  /** It is kept and not run. */
  readonly isRecorded: boolean;
}

export interface OwnedByNode {
  readonly id: string;
  readonly lastRun: InvocationRecord | undefined;
}
