/** One invocation on its way from the inbox to its commit. */
import {
  type HookName,
  type HostResponse,
  type Trigger,
  withoutPayload,
  type Work,
} from '../../protocol/host.ts';
import type { OwnedEmitter } from '../emitters/owned-emitters.ts';
import type { Committed } from '../signals.ts';
import type { InvocationCommit } from '../store/commit.ts';
import type { InvocationCause, InvocationRecord } from '../store/history/invocations.ts';
import type { QueueName } from './run-queue.ts';

/** What whoever asked for a run wants to hear. */
export interface Caller {
  /** `this.http.respond(…)`: once at most. */
  readonly respond?: (response: HostResponse) => void;
  /** Everything is on disk. */
  readonly ended?: (committed: Committed) => void;
  /** Nothing of its end could be stored: the store failed, or the emitter is gone. */
  readonly failed?: (error: unknown) => void;
}

export interface RunOptions {
  readonly n: number;
  readonly emitter: OwnedEmitter;
  readonly cause: InvocationCause;
  /** Undefined of what is no longer kept: such a run can only be given up. */
  readonly trigger?: Trigger | undefined;
  /** The trigger came without its payload, as that of what a runtime has left. */
  readonly isParked?: boolean;
  readonly hook?: HookName | undefined;
  readonly replayOf?: number | undefined;
  /** 1 for the first, and unless said. */
  readonly attempt?: number;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly startedAt?: number | undefined;
  readonly caller?: Caller;
}

const nobody: Caller = {};

export class Run {
  readonly n: number;
  readonly emitter: OwnedEmitter;
  readonly cause: InvocationCause;
  /** Without its payload while the run is parked. */
  trigger: Trigger | undefined;
  readonly hook: HookName | undefined;
  readonly caller: Caller;
  readonly createdAt: number;
  attempt: number;
  /** Epoch ms: when its turn came. */
  startedAt: number | undefined;
  readonly #replayOf: number | undefined;
  #isParked: boolean;
  #end: InvocationCommit | undefined;

  constructor(options: RunOptions) {
    this.n = options.n;
    this.emitter = options.emitter;
    this.cause = options.cause;
    this.trigger = options.trigger;
    this.hook = options.hook;
    this.caller = options.caller ?? nobody;
    this.createdAt = options.createdAt;
    this.attempt = options.attempt ?? 1;
    this.startedAt = options.startedAt;
    this.#replayOf = options.replayOf;
    this.#isParked = options.isParked ?? false;
  }

  /** Its payload is on disk only: `unpark` it before it runs. */
  get isParked(): boolean {
    return this.#isParked;
  }

  /** Lets its payload go from memory. */
  park(): void {
    this.trigger = this.trigger && withoutPayload(this.trigger);
    this.#isParked = true;
  }

  /** @param trigger as it was received */
  unpark(trigger: Trigger): void {
    this.trigger = trigger;
    this.#isParked = false;
  }

  /** What the process is asked to do; undefined when it is no longer known. */
  get work(): Work | undefined {
    if (this.hook !== undefined) return { call: 'hook', hook: this.hook };
    return this.trigger && { call: 'run', trigger: this.trigger };
  }

  /** Which of the emitter's queues it waits in. */
  get queue(): QueueName {
    if (this.hook !== undefined) return 'hook';
    return this.trigger?.kind === 'http' ? 'http' : 'serial';
  }

  /** `x-pd-nostore`: neither the request nor what the run says is kept; its events and its end are. */
  get isNotStored(): boolean {
    return this.trigger?.kind === 'http' && this.trigger.noStore === true;
  }

  ended(end: InvocationCommit): void {
    this.#end = end;
  }

  /** As it stands now. The store knows it as queued until its end. */
  record(): InvocationRecord {
    const end = this.#end;
    return {
      n: this.n,
      emitterId: this.emitter.id,
      cause: this.cause,
      hook: this.hook ?? null,
      status: end?.status ?? (this.startedAt === undefined ? 'queued' : 'running'),
      attempt: this.attempt,
      replayOf: this.#replayOf ?? null,
      createdAt: this.createdAt,
      startedAt: this.startedAt ?? null,
      endedAt: end?.endedAt ?? null,
      emitted: end?.events.length ?? 0,
      dropped: end?.drops.length ?? 0,
      error: end?.error ?? null,
    };
  }
}
