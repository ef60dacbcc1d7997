/**
 * The executions of all workflows: what is in the inbox of one waits for its turn, runs leg by leg, and between two legs
 * it is a row and nothing else.
 */
import type { Trigger } from '../../../protocol/host.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { mostHops } from '../../../protocol/hops.ts';
import type { Clock } from '../../base/clock.ts';
import type { RecoveredEmitter } from '../../events/emitter-kind.ts';
import type { InboxEntry } from '../../events/intake.ts';
import type { OwnedEmitter } from '../../events/owner/owned-emitters.ts';
import type { HitOutcome, LiveExecution, ResumeHit } from '../../store/history/executions.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import { afterDeath, type AfterDeath } from '../../events/runs/death.ts';
import { maxAttempts } from '../../events/runs/loss.ts';
import type { Probation } from '../../events/runs/probation.ts';
import type { WorkHold } from '../../events/work-hold.ts';
import { Driver, type DriverOptions } from './driver.ts';
import { Execution } from './execution.ts';
import { hitFor } from './journal.ts';
import { type PausedRun, wholeExecution } from './keys.ts';
import { Turns } from './turns.ts';
import { awaits } from './waiting.ts';
import { WakeUp } from './wake-up.ts';
import type { Services } from '../../events/services.ts';

export interface ExecutionsOptions
  extends
    Omit<DriverOptions, 'segmentEnded' | 'stepBegins' | 'becameIdle' | 'isStopping' | 'isBeingHit'>,
    Pick<Services, 'emitters'> {
  readonly clock: Clock;
  /** Whether executions and their steps may begin. */
  readonly hold: Pick<WorkHold, 'isHeld' | 'onRelease'>;
  /** Most that payloads of what waits may take in memory, in bytes. */
  readonly waitingBytes: number;
  /** Interrupted executions run alone in it. */
  readonly probation: Probation;
  /** The test of this deployment has ended. */
  readonly tested: (deploymentId: string) => void;
}

export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #driver: Driver;
  readonly #turns: Turns;
  /** In memory: running, or waiting for their turn. */
  readonly #live = new Map<number, Execution>();
  #stopping = false;
  readonly #wakeUp: WakeUp;
  /** By workflow: how many of the due executions had been running when a runtime ended, as far as can be known. */
  readonly #dueCutOff = new Map<string, number>();
  /** Executions that had not begun, oldest first, by workflow that is being released to another owner. */
  readonly #leaving = new Map<string, readonly Execution[]>();
  /**
   * Hits that are being stored, by execution: until the store has decided, none of these executions continues or pauses
   * (P25.42).
   */
  readonly #hitting = new Map<number, number>();
  #quiet: (() => void) | undefined;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    this.#turns = new Turns({
      ...options,
      isStopping: () => this.#stopping,
      isWanted: (execution) => !execution.isOver && this.#live.get(execution.n) === execution,
      begin: (execution) => void this.#driver.begin(execution),
      failed: (execution, error) => this.#driver.finishUnstarted(execution, 'failed', null, error),
    });
    this.#driver = new Driver({
      ...options,
      segmentEnded: (execution) => this.#legEnded(execution),
      stepBegins: ({ n }) => options.probation.begun(n),
      becameIdle: () => {
        if (this.#stopping && this.#isQuiet) this.#quiet?.();
      },
      isStopping: () => this.#stopping,
      isBeingHit: ({ n }) => this.#hitting.has(n),
    });
    options.hold.onRelease(() => this.#released());
    const { store, clock, log } = options;
    this.#wakeUp = new WakeUp({
      store,
      clock,
      log,
      live: () => this.#live.size,
      take: (record, mayBeCutOff) => this.#takeDue(record, mayBeCutOff),
    });
  }

  /** Executions that wait for a time resume from now on; due ones resume at once, in order (P25.21). */
  start(): void {
    this.#wakeUp.look();
  }

  /** The runtime ends: no step starts any more; what runs may end. */
  stop(): void {
    this.#stopping = true;
    this.#wakeUp.stop();
    for (const execution of this.#live.values()) execution.unanswered('stopping');
  }

  /** Begins what had to wait, in its order: nothing is held any more. */
  #released(): void {
    const live = [...this.#live.values()];
    this.#driver.letGo();
    for (const execution of live) this.#driver.goOn(execution);
    for (const id of new Set(live.map(({ emitter }) => emitter.id))) this.#turns.startNext(id);
  }

  /** Unfinished executions continue with the next owner, and are no longer timed here. */
  close(): void {
    for (const execution of this.#live.values()) execution.stopTimers();
  }

  /** Resolves when no step is running any more: call `stop` before. */
  async drained(): Promise<void> {
    if (this.#isQuiet) return;
    await new Promise<void>((resolve) => {
      this.#quiet = resolve;
    });
  }

  get #isQuiet(): boolean {
    for (const { running, pending } of this.#live.values()) {
      if (pending > 0) return false;
      // A step that waits for its process begins with the next owner.
      if ([...running.values()].some(({ work }) => work !== 0)) return false;
    }
    return true;
  }

  /** How many have begun and neither ended nor paused. */
  get inFlight(): number {
    let count = 0;
    for (const { hadTurn } of this.#live.values()) if (hadTurn) count += 1;
    return count;
  }

  /** Something may begin that might not before. */
  startNext(): void {
    this.#turns.startAll();
  }

  /** Running executions, and executions that wait for their turn; not the paused ones. */
  get depth(): { readonly waiting: number; readonly running: number } {
    let running = 0;
    for (const execution of this.#live.values()) {
      if (execution.record().status === 'running') running += 1;
    }
    return { waiting: this.#live.size - running, running };
  }

  /** Runs what is in the inbox when its turn comes. */
  begin({ journal, ...entry }: InboxEntry): void {
    this.#submit(
      this.#add({
        ...entry,
        isParked: false,
        hasBegun: journal !== undefined,
        ...(journal?.test !== undefined && { testOf: journal.deploymentId }),
      }),
    );
  }

  /** Keeps what is in the inbox without running it: `x-pd-notrigger`, or what was refused (P25.5). */
  endUnstarted({ journal: _, ...entry }: InboxEntry, reason = 'test event'): void {
    const execution = this.#add({ ...entry, isParked: false, hasBegun: false });
    this.#driver.finishUnstarted(execution, 'dropped', reason);
  }

  /** A workflow is about to be given to another owner: what waits for its turn, or is due, begins here no more. */
  beginTransfer(workflowId: string): void {
    if (this.#leaving.has(workflowId)) return;
    const waiting: Execution[] = [];
    for (const execution of this.#live.values()) {
      if (execution.emitter.id !== workflowId || execution.isAwaited) continue;
      if (!this.#turns.leave(execution)) continue;
      this.#turns.done(execution);
      this.#live.delete(execution.n);
      waiting.push(execution);
    }
    this.#leaving.set(workflowId, waiting);
  }

  /** No execution of it is running, or waits for its turn. */
  isIdle(workflowId: string): boolean {
    for (const { emitter } of this.#live.values()) if (emitter.id === workflowId) return false;
    return true;
  }

  /** It stays here after all. */
  cancelTransfer(workflowId: string): void {
    const waiting = this.#leaving.get(workflowId) ?? [];
    this.#leaving.delete(workflowId);
    for (const execution of waiting) {
      this.#live.set(execution.n, execution);
      const kind = execution.wasPaused ? 'due' : execution.isCutOff ? 'cutOff' : 'fresh';
      void this.#turns.enqueue(execution, kind);
    }
    this.#wakeUp.look();
  }

  transferredOut(workflowId: string): void {
    this.#leaving.delete(workflowId);
    this.#turns.removed(workflowId, []);
    this.#options.probation.forget(workflowId);
  }

  /** Deployments that what runs has begun with. */
  deploymentsInUse(): string[] {
    return [...this.#live.values()].flatMap(({ deployment }) =>
      deployment === undefined ? [] : [deployment.id],
    );
  }

  /** Claims the executions that the last owner left: interrupted ones continue where their journal ends. */
  recover(taken: readonly RecoveredEmitter[]): void {
    for (const one of taken) this.#recover(one);
  }

  /** Pauses that became due while nobody owned the workflow end at once. */
  lookForDue(): void {
    this.#wakeUp.look();
  }

  #recover({ emitter, ...taken }: RecoveredEmitter): void {
    if (!taken.released) {
      this.#wakeUp.afterCrash(emitter.id);
      this.#dueCutOff.delete(emitter.id);
    }
    const workers = this.#turns.workers(emitter.id);
    taken.unfinished.forEach(({ record, trigger, suspicion }, place) => {
      const after: AfterDeath = taken.released
        ? { next: 'again', attempt: record.attempt, outlived: 0 }
        : afterDeath(record.attempt, suspicion);
      const execution = this.#add({
        n: record.n,
        emitter,
        cause: record.cause,
        trigger,
        isParked: true,
        createdAt: record.createdAt,
        startedAt: record.startedAt ?? undefined,
        replayOf: record.replayOf ?? undefined,
        attempt: after.next === 'again' ? after.attempt : record.attempt,
        hasBegun: true,
      });
      // After a crash nobody knows which had begun; they begin in order.
      const isSuspect = !taken.released && (place < workers || suspicion !== undefined);
      if (trigger === undefined) {
        const error = { name: 'Lost', message: 'Its trigger is gone.' };
        this.#driver.finishUnstarted(execution, 'crashed', null, error);
      } else if (after.next === 'end') {
        void this.#endCrashed(execution);
      } else {
        const { probation } = this.#options;
        const suspect = { n: record.n, attempt: after.attempt, outlived: after.outlived };
        if (suspicion?.isAlone === true) probation.mark(emitter, { ...suspect, isAlone: false });
        if (isSuspect) probation.add(emitter, suspect);
        execution.isCutOff = isSuspect;
        void this.#turns.enqueue(execution, isSuspect ? 'cutOff' : 'fresh', false);
      }
    });
    this.#turns.startNext(emitter.id);
  }

  /** Its current state, if it runs or waits for its turn. */
  live({ n }: Pick<InvocationRecord, 'n'>): LiveExecution | undefined {
    const execution = this.#live.get(n);
    if (execution === undefined) return undefined;
    const { leg, running } = execution;
    return {
      record: execution.record(),
      leg,
      running: [...running].map(([path, { run, attempt, startedAt }]) => ({
        path,
        run,
        attempt,
        startedAt,
      })),
    };
  }

  /** Its current record. */
  recordOf(stored: InvocationRecord): InvocationRecord {
    return this.#live.get(stored.n)?.record() ?? stored;
  }

  /** Limits, or whether it is switched on, have changed. */
  changed(workflowId: string): void {
    this.#turns.changed(workflowId);
  }

  /** It was deleted: what waits is gone with it. */
  removed(workflowId: string): void {
    const executions = [...this.#live.values()].filter(({ emitter }) => emitter.id === workflowId);
    this.#turns.removed(workflowId, executions);
    this.#options.probation.forget(workflowId);
    this.#leaving.delete(workflowId);
    for (const execution of executions) {
      execution.isOver = true;
      execution.stopTimers();
      execution.fail(new WeirError('not_found', 'The workflow was deleted.'));
      this.#live.delete(execution.n);
    }
  }

  /**
   * Ends all executions of a workflow that run or wait for their turn, including running steps: it is about to be
   * deleted.
   */
  endAll(workflowId: string): void {
    for (const execution of this.#live.values()) {
      if (execution.emitter.id !== workflowId || execution.isOver) continue;
      if (this.#turns.leave(execution)) {
        this.#driver.finishUnstarted(execution, 'cancelled', 'The workflow was deleted.');
        continue;
      }
      this.#driver.cancel(execution, 'cancelled');
      // Asked again, it does not wait for the end of its steps.
      if (execution.running.size > 0) this.#driver.cancel(execution, 'cancelled');
    }
  }

  /**
   * Resolves with false when it has ended before. One that runs ends when its step does, at the latest when it is
   * asked again: with its process (P25.49). That it was asked is on disk by then.
   */
  async cancel(record: InvocationRecord): Promise<boolean> {
    const live = this.#live.get(record.n);
    if (live !== undefined) {
      if (live.isOver) return false;
      if (this.#turns.leave(live)) {
        this.#driver.finishUnstarted(live, 'cancelled', 'It was cancelled.');
        return true;
      }
      const asked = { ...wholeExecution, action: 'cancel', trigger: undefined } as const;
      // Asked again, it does not wait for its steps.
      const isAgain = live.stopping !== undefined || this.#hitting.has(live.n);
      await this.#storeHit(live.emitter, { execution: live.n, ...asked });
      if (this.#live.get(live.n) !== live || live.isOver) return live.stopping === 'cancelled';
      // That it was asked the first time has set it going already.
      if (isAgain || live.stopping === undefined) this.#driver.cancel(live, 'cancelled');
      return true;
    }
    if (record.status !== 'paused') return false;
    const execution = this.#paused(record);
    if (execution === undefined) return false;
    this.#driver.finishUnstarted(execution, 'cancelled', 'It was cancelled.');
    return true;
  }

  /**
   * A request to a resume URL, or a person. Resolves when it is on disk.
   * @returns `late` for one whose pause was ended before (P25.42)
   */
  async hit(
    { execution: n, path, run }: PausedRun,
    action: ResumeHit['action'],
    trigger: Trigger | undefined,
  ): Promise<HitOutcome> {
    const { store, emitters } = this.#options;
    const record = await store.invocations.get(n);
    const emitter = record && emitters.get(record.emitterId);
    if (record === undefined || emitter === undefined) return 'unknown';
    if (record.endedAt !== null) return 'late';
    const rows = await store.executions.steps(n);
    const live = this.#live.get(n);
    if (!awaits(live, rows, path, run)) return 'late';
    const hit: ResumeHit = { execution: n, path, run, action, trigger };
    const isFirst = await this.#storeHit(emitter, hit);
    if (isFirst) this.#wakeUp.look();
    return isFirst ? 'taken' : 'late';
  }

  /**
   * Memory has a hit once the store has said that it is the first: another one, which is refused, must not take its place
   * (P25.42). Until then its execution neither goes on nor pauses, so that a time that comes is before or after.
   */
  async #storeHit(owner: OwnedEmitter, hit: ResumeHit): Promise<boolean> {
    const { store, clock } = this.#options;
    const { execution: n } = hit;
    this.#hitting.set(n, (this.#hitting.get(n) ?? 0) + 1);
    let isFirst = false;
    try {
      isFirst = await store.executions.addHit(owner, hit, clock.now());
      return isFirst;
    } finally {
      const others = (this.#hitting.get(n) ?? 1) - 1;
      if (others > 0) this.#hitting.set(n, others);
      else this.#hitting.delete(n);
      const live = this.#live.get(n);
      if (live !== undefined) {
        if (isFirst && hitFor(live.hits, hit.path, hit.run) === undefined) live.hits.push(hit);
        this.#driver.goOn(live);
      }
    }
  }

  #add(options: ConstructorParameters<typeof Execution>[0]): Execution {
    const execution = new Execution(options);
    this.#live.set(execution.n, execution);
    const { emitter } = options;
    if (execution.n >= (emitter.lastRun?.n ?? 0)) emitter.lastRun = execution;
    this.#options.signals.emit('invocation', execution);
    return execution;
  }

  #submit(execution: Execution): void {
    const { id } = execution.emitter;
    const fullAt = this.#turns.fullAt(id);
    if (this.#stopping) {
      this.#live.delete(execution.n);
      execution.unanswered('stopping');
    } else if (execution.testOf !== undefined) {
      // A person waits for it, and it keeps nobody else waiting.
      const waits = this.#options.probation.interrupt() ?? Promise.resolve();
      void waits.then(() => this.#driver.begin(execution));
    } else if (
      this.#options.store.workflows.get(id)?.active !== true &&
      execution.cause !== 'manual'
    ) {
      this.#driver.finishUnstarted(execution, 'dropped', 'inactive');
    } else if (execution.hops > mostHops) {
      this.#driver.finishUnstarted(execution, 'dropped', 'hop limit');
    } else if (fullAt !== undefined) {
      const message = `${fullAt} executions wait already (settings.queue_size in workflow.yaml).`;
      this.#driver.finishUnstarted(execution, 'dropped', 'queue full', {
        name: 'QueueFull',
        message,
      });
    } else {
      this.#turns.submit(execution);
    }
  }

  /** `$errors` contains the trigger. */
  async #endCrashed(execution: Execution): Promise<void> {
    const message = `The runtime ended ${maxAttempts} times while nothing but one step of it ran. Replay it when the cause is found.`;
    const error = { name: 'RuntimeEnded', message };
    const { store } = this.#options;
    const state = await store.executions.state(execution.n).catch(() => undefined);
    execution.trigger = await store.invocations.trigger(execution.n).catch(() => undefined);
    execution.deployment =
      state === undefined ? undefined : store.workflows.deployment(state.deploymentId);
    this.#driver.finishUnstarted(execution, 'crashed', null, error);
  }

  #legEnded(execution: Execution): void {
    const { id } = execution.emitter;
    const wasLive = this.#live.delete(execution.n);
    this.#options.probation.ended(execution.n);
    if (!wasLive) return;
    this.#turns.done(execution);
    if (execution.testOf !== undefined) this.#options.tested(execution.testOf);
    if (execution.record().status === 'paused') this.#wakeUp.look();
    else this.#wakeUp.roomMade();
    this.#turns.startNext(id);
  }

  /** The row of a pause becomes an execution in memory again. */
  #paused(record: InvocationRecord): Execution | undefined {
    const emitter = this.#options.emitters.get(record.emitterId);
    if (emitter === undefined || this.#live.has(record.n)) return undefined;
    if (this.#leaving.has(record.emitterId)) return undefined;
    return this.#add({
      n: record.n,
      emitter,
      cause: record.cause,
      trigger: undefined,
      request: record.request,
      isParked: true,
      createdAt: record.createdAt,
      startedAt: record.startedAt ?? undefined,
      replayOf: record.replayOf ?? undefined,
      attempt: record.attempt,
      hasBegun: true,
      wasPaused: true,
    });
  }

  #takeDue(record: InvocationRecord, mayBeCutOff: boolean): void {
    const execution = this.#paused(record);
    if (execution === undefined) return;
    const { emitterId } = record;
    const workers = this.#turns.workers(emitterId);
    // No more than could run at a time had gone on when the runtime ended: the first of them.
    const before = this.#dueCutOff.get(emitterId) ?? 0;
    const isCutOff = mayBeCutOff && before < workers;
    if (isCutOff) this.#dueCutOff.set(emitterId, before + 1);
    if (isCutOff) {
      this.#options.probation.add(execution.emitter, {
        n: record.n,
        attempt: record.attempt,
        outlived: 0,
      });
    }
    execution.isCutOff = isCutOff;
    void this.#turns.enqueue(execution, isCutOff ? 'cutOff' : 'due');
  }
}
