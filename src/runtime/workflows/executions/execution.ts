/** An execution that runs or waits for its turn: its state that is not on disk yet. */
import {
  type ConsoleLine,
  hopsOfTrigger,
  type Emit,
  type HostResponse,
  type ThrownError,
  type Trigger,
  withoutPayload,
} from '../../../protocol/host.ts';
import { type RequestLine, requestLineOf } from '../../../protocol/request-line.ts';
import type { WaitingCaller } from '../../events/waiting-caller.ts';
import type { OwnedEmitter } from '../../events/owner/owned-emitters.ts';
import type { ResumedStep } from '../../store/commit.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { NewSend } from '../../store/history/sends.ts';
import type { ResumeHit, StepOverride, StepRun, TestRun } from '../../store/history/executions.ts';
import type {
  InvocationCause,
  InvocationRecord,
  StoredStatus,
} from '../../store/history/invocations.ts';
import type { Walk } from '../walk/walk.ts';
import { keptResponse } from './kept-response.ts';
import type { WorkflowProcess } from './workflow-process.ts';

export interface ExecutionOptions {
  readonly n: number;
  readonly emitter: OwnedEmitter;
  readonly cause: InvocationCause;
  readonly trigger: Trigger | undefined;
  /** Set if the trigger is not given. */
  readonly request?: RequestLine | null;
  /** The payload of the trigger is on disk only. */
  readonly isParked: boolean;
  readonly createdAt: number;
  readonly startedAt?: number | undefined;
  readonly replayOf?: number | undefined;
  readonly attempt?: number;
  readonly caller?: WaitingCaller | undefined;
  /** It has rows already, or may have. */
  readonly hasBegun: boolean;
  readonly wasPaused?: boolean;
  /** For a test that just begins: the deployment that only it runs. */
  readonly testOf?: string | undefined;
}

export class Execution {
  readonly n: number;
  readonly emitter: OwnedEmitter;
  readonly cause: InvocationCause;
  readonly createdAt: number;
  readonly replayOf: number | undefined;
  readonly testOf: string | undefined;
  trigger: Trigger | undefined;
  isParked: boolean;
  attempt: number;
  startedAt: number | undefined;
  /** Taken from a pause, or left by another runtime. */
  readonly hasBegun: boolean;
  readonly wasPaused: boolean;
  readonly #caller: WaitingCaller;

  /** Of executions with the same key, one runs at a time (P25.62). */
  concurrencyKey: string | undefined;

  /** Set when its turn comes. */
  deployment: WorkflowDeploymentRecord | undefined;
  walk: Walk | undefined;
  seq = 0;
  leg = 1;
  /** Runs of steps that wait, by path. */
  waiting = new Map<string, StepRun>();
  readonly hits: ResumeHit[] = [];
  /** Its names in `$.context`, once they were asked for. */
  traceId: string | undefined;
  legId: { readonly leg: number; readonly id: string } | undefined;
  /** Steps that run now, by path. */
  readonly running = new Map<string, RunningStep>();
  /** Commits that are on their way to the disk. */
  pending = 0;
  /** Steps whose pause has ended; announced with the next commit. */
  resumed: ResumedStep[] | undefined;
  /** Emits that leave at the end of the leg. */
  emits: Emit[] = [];
  sends: NewSend[] = [];
  /** The first step that failed for good. */
  failure: { readonly namespace: string; readonly error: ThrownError } | undefined;
  /** Its step was cut off too often. */
  hasCrashed = false;
  /** Why it is being ended from outside. */
  stopping: 'cancelled' | 'timed_out' | undefined;
  cancelReason: string | undefined;
  /** Its end is being stored, or nobody asks for it any more: whatever comes of it now counts no longer. */
  isOver = false;
  /** Something that waited was given up. */
  dropped = false;
  /** It was cut off, or may have been: the store has it as a suspect until a step of it has ended. */
  isCutOff = false;
  /** Props of a step instead of those of the file. */
  override: StepOverride | undefined;
  /** It emits, delivers and schedules nothing (P25.90). */
  test: TestRun | undefined;
  /** The last `$.respond` since the last commit, as it is stored. */
  unkeptResponse: string | undefined;
  cancelTimer: (() => void) | undefined;
  cancelWake: (() => void) | undefined;
  /** Size of its payload, while it waits for its turn (`WaitingPayloads`). */
  waitingBytes = 0;
  #hasWarned = false;
  #status: StoredStatus;
  #endedAt: number | null = null;
  #error: ThrownError | null = null;
  readonly #request: RequestLine | null;
  #response: HostResponse | undefined;
  #isAnswered = false;
  #handedOver: Promise<void> | void = undefined;

  constructor(options: ExecutionOptions) {
    this.n = options.n;
    this.emitter = options.emitter;
    this.cause = options.cause;
    this.trigger = options.trigger;
    this.isParked = options.isParked;
    this.createdAt = options.createdAt;
    this.startedAt = options.startedAt;
    this.replayOf = options.replayOf;
    this.testOf = options.testOf;
    this.attempt = options.attempt ?? 1;
    this.hasBegun = options.hasBegun;
    this.#caller = options.caller ?? {};
    this.#status = options.wasPaused === true ? 'paused' : 'queued';
    this.#request = options.request ?? requestLineOf(options.trigger);
    this.wasPaused = options.wasPaused === true;
    if (this.wasPaused) this.resumed = [];
  }

  get hops(): number {
    return hopsOfTrigger(this.trigger);
  }

  /** Rows that wait, and will not continue. */
  get leavesWaiting(): boolean {
    return this.dropped || this.waiting.size > 0 || (this.wasPaused && this.walk === undefined);
  }

  /** Its payload is on disk, and read when its turn comes. */
  park(): void {
    this.isParked = true;
    this.trigger = this.trigger && withoutPayload(this.trigger);
  }

  stopTimers(): void {
    this.cancelTimer?.();
    this.cancelWake?.();
    this.cancelTimer = undefined;
    this.cancelWake = undefined;
  }

  get skipsStorage(): boolean {
    return this.trigger?.kind === 'http' && this.trigger.noStore === true;
  }

  /** A worker is its own. */
  hadTurn = false;

  begun(): void {
    this.hadTurn = true;
    this.#status = 'running';
  }

  paused(): void {
    this.#status = 'paused';
  }

  ended(status: StoredStatus, at: number, error: ThrownError | undefined): void {
    this.#status = status;
    this.#endedAt = at;
    this.#error = error ?? null;
  }

  /** The first counts (P25.50). @param path of the step @returns false when nobody waits for it */
  respond(response: HostResponse, path: string): boolean {
    if (this.#response !== undefined) return true;
    this.#response = response;
    this.unkeptResponse = keptResponse(response, path);
    if (response.immediate === true) this.answer();
    return this.#hasCaller;
  }

  get #hasCaller(): boolean {
    return this.#caller.respond !== undefined && this.#caller.isGone?.() !== true;
  }

  /** Said once of an execution (P25.52). */
  warnOfRespond(at: number): ConsoleLine | undefined {
    if (this.#hasWarned) return undefined;
    this.#hasWarned = true;
    const text = `No caller received the response of $.respond: ${whyNoCaller(this)}. The execution keeps it.`;
    return { at, level: 'warn', text };
  }

  /** Sends the answer (P25.50). */
  answer(): void {
    if (this.#response === undefined || this.#isAnswered) return;
    this.#isAnswered = true;
    this.#handedOver = this.#caller.respond?.(this.#response);
  }

  /** Resolves when a sent answer is on its connection. */
  async answered(): Promise<void> {
    await this.#handedOver;
  }

  /** Somebody waits for its response. */
  get isAwaited(): boolean {
    return this.#caller.respond !== undefined && !this.#isAnswered;
  }

  /** No step has answered until now: ends the caller's wait with the reason. */
  unanswered(why: 'ended' | 'paused' | 'stopping'): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#caller.unanswered?.(why);
  }

  get hasResponse(): boolean {
    return this.#response !== undefined;
  }

  tellPause(): void {
    this.#caller.paused?.();
  }

  tellEnd(status: StoredStatus): void {
    this.#caller.ended?.(status);
  }

  fail(error: unknown): void {
    this.#caller.failed?.(error);
  }

  record(): InvocationRecord {
    return {
      n: this.n,
      emitterId: this.emitter.id,
      cause: this.cause,
      hook: null,
      request: this.#request,
      status: this.#status,
      attempt: this.attempt,
      replayOf: this.replayOf ?? null,
      createdAt: this.createdAt,
      startedAt: this.startedAt ?? null,
      endedAt: this.#endedAt,
      emitted: 0,
      dropped: 0,
      error: this.#error,
    };
  }
}

/** A step while it runs. */
export interface RunningStep {
  /** Number of the piece of work; 0 while it waits for a process. */
  readonly work: number;
  readonly process: WorkflowProcess;
  readonly run: number;
  readonly attempt: number;
  readonly startedAt: number;
}

function whyNoCaller({ trigger, cause, leg, hasBegun }: Execution): string {
  if (trigger?.kind !== 'http') return 'the execution was not started by an HTTP request';
  if (cause !== 'http') return 'it is a replay';
  if (leg > 1) return 'it was paused meanwhile';
  return hasBegun ? 'the runtime was restarted meanwhile' : 'the caller has gone, or was answered';
}
