import type { ThrownError, Trigger } from '../../../protocol/host.ts';
import type { Keep } from './keep.ts';
import type { PageOf, PageRequest } from '../page.ts';
import type { TimeSpan } from './time-span.ts';

/** What made a source run; `event` is an emitter it listens to. */
export type InvocationCause = 'http' | 'timer' | 'event' | 'manual' | 'hook' | 'replay';

/** `crashed` was cut off as often as is allowed and waits for a person. */
export type StoredStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'crashed' | 'cancelled';

/** A run that is asked for, as it goes into the inbox. */
export interface NewInvocation {
  readonly sourceId: string;
  readonly cause: InvocationCause;
  readonly hook?: 'deploy' | 'activate' | 'deactivate';
  /** Absent for hooks. */
  readonly trigger?: Trigger;
  readonly replayOf?: number;
  /** Epoch ms. */
  readonly at: number;
}

/** One run of a source; times in epoch ms. */
export interface InvocationRecord {
  readonly n: number;
  readonly sourceId: string;
  readonly cause: InvocationCause;
  readonly hook: 'deploy' | 'activate' | 'deactivate' | null;
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

export interface InvocationTable {
  get(n: number): InvocationRecord | undefined;
  /** As received. */
  trigger(n: number): Trigger | undefined;
  list(sourceId: string, page: PageRequest): PageOf<InvocationRecord>;
  last(sourceId: string): InvocationRecord | undefined;
  /** How many failed or crashed in each part, oldest first. */
  countFailedOverTime(sourceId: string, span: TimeSpan): number[];
  /** In the inbox without an end: what a crash cut off, oldest first. Hooks included. */
  unfinished(): InvocationRecord[];
  /** Counts one more attempt of an invocation that was cut off. */
  retry(n: number): Promise<void>;
  /** Applies retention to one source; unfinished ones and those with a kept event stay. */
  prune(sourceId: string, keep: Keep): Promise<number>;
}
