/** An invocation on its way from the inbox to its commit. */
import {
  type HookName,
  hopsOfTrigger,
  type ThrownError,
  type Trigger,
  withoutPayload,
  type Work,
} from '../../../protocol/host.ts';
import { type RequestLine, requestLineOf } from '../../../protocol/request-line.ts';
import type { OwnedEmitter } from '../owner/owned-emitters.ts';
import type { Committed } from '../signals.ts';
import type { InvocationCommit } from '../../store/commit.ts';
import type { InvocationCause, InvocationRecord } from '../../store/history/invocations.ts';
import type { WaitingCaller } from '../waiting-caller.ts';
import type { QueueName } from './run-queue.ts';

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
  /** 1 for the first, and unless given. */
  readonly attempt?: number;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly startedAt?: number | undefined;
  readonly caller?: WaitingCaller | undefined;
  /** Everything it did is on disk. */
  readonly committed?: ((committed: Committed) => void) | undefined;
}

const nobody: WaitingCaller = {};

export class Run {
  readonly n: number;
  readonly emitter: OwnedEmitter;
  readonly cause: InvocationCause;
  readonly hook: HookName | undefined;
  readonly caller: WaitingCaller;
  readonly committed: ((committed: Committed) => void) | undefined;
  readonly createdAt: number;
  attempt: number;
  /** Size of its payload, while it waits for its turn (`WaitingPayloads`). */
  waitingBytes = 0;
  /** Epoch ms: when its turn came. */
  startedAt: number | undefined;
  readonly #replayOf: number | undefined;
  #trigger: Trigger | undefined;
  #isParked: boolean;
  /** Request line of a trigger that was released. */
  #requestLine: RequestLine | null | undefined;
  // Only the part of its end that its record shows: a run that outlives a garbage collection would take a whole commit,
  // with its payloads, into the old generation.
  #status: InvocationCommit['status'] | undefined;
  #endedAt: number | undefined;
  #emitted = 0;
  #dropped = 0;
  #error: ThrownError | undefined;

  constructor(options: RunOptions) {
    this.n = options.n;
    this.emitter = options.emitter;
    this.cause = options.cause;
    this.#trigger = options.trigger;
    this.hook = options.hook;
    this.caller = options.caller ?? nobody;
    this.committed = options.committed;
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
    this.#trigger = this.#trigger && withoutPayload(this.#trigger);
    this.#isParked = true;
  }

  /** @param trigger as it was received */
  unpark(trigger: Trigger): void {
    this.#trigger = trigger;
    this.#isParked = false;
  }

  /** Until it is let go. */
  get trigger(): Trigger | undefined {
    return this.#trigger;
  }

  /** The work for the process; undefined when it is no longer known. */
  get work(): Work | undefined {
    if (this.hook !== undefined) return { call: 'hook', hook: this.hook };
    return this.#trigger && { call: 'run', trigger: this.#trigger };
  }

  /** Which of the emitter's queues it waits in. */
  get queue(): QueueName {
    if (this.hook !== undefined) return 'hook';
    return this.#trigger?.kind === 'http' ? 'http' : 'serial';
  }

  /** How many runs, each started by the event of the one before, led to this one (P18.14). */
  get hops(): number {
    return hopsOfTrigger(this.#trigger);
  }

  /** `x-pd-nostore`: neither the request nor what the run says is kept; its events and its end are. */
  get skipsStorage(): boolean {
    return this.#trigger?.kind === 'http' && this.#trigger.noStore === true;
  }

  /** Its commit is planned, and nothing asks for the trigger any more: a body is not held while the disk is waited for. */
  releaseTrigger(): void {
    this.#requestLine = requestLineOf(this.#trigger);
    this.#trigger = undefined;
  }

  /** Everything it did is on disk. */
  ended({ status, endedAt, events, drops, error }: InvocationCommit): void {
    this.#status = status;
    this.#endedAt = endedAt;
    this.#emitted = events.length;
    this.#dropped = drops.length;
    this.#error = error;
  }

  /** Its current record. The store has it as queued until its end. */
  record(): InvocationRecord {
    return {
      n: this.n,
      emitterId: this.emitter.id,
      cause: this.cause,
      hook: this.hook ?? null,
      request: this.#requestLine ?? requestLineOf(this.#trigger),
      status: this.#status ?? (this.startedAt === undefined ? 'queued' : 'running'),
      attempt: this.attempt,
      replayOf: this.#replayOf ?? null,
      createdAt: this.createdAt,
      startedAt: this.startedAt ?? null,
      endedAt: this.#endedAt ?? null,
      emitted: this.#emitted,
      dropped: this.#dropped,
      error: this.#error ?? null,
    };
  }
}
