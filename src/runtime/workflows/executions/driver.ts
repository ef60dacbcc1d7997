/**
 * Runs executions, step by step: a step that may start is called in the workflow's process, its end becomes one
 * commit, and when that is on disk the next step starts. What a leg sends goes out with its last commit.
 */
import { type ThrownError, withoutPayload } from '../../../protocol/host.ts';
import { type Clock, longestWaitMs } from '../../base/clock.ts';
import { messageOf } from '../../../protocol/errors.ts';
import { toExitError } from '../../processes/process-exit.ts';
import { append, type Outcome } from '../../processes/outcome.ts';
import type { Signals } from '../../events/signals.ts';
import type { ExecutionEnd } from '../../store/commit.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { NewStepRun, Pin, ResumeHit, StepRun } from '../../store/history/executions.ts';
import { readAgain } from '../../base/read-again.ts';
import type { Store } from '../../store/store.ts';
import type { ActionTask, BlockTask, StepResult, Task, Walk } from '../walk/walk.ts';
import { nothing } from '../walk/outcome.ts';
import { afterLoss } from './cut-off.ts';
import type { Execution } from './execution.ts';
import { notificationOf } from './error-notification.ts';
import { endOf, stopped, timedOut, timeLimit } from './execution-end.ts';
import { hitFor } from './journal.ts';
import { loadExecution } from './load-execution.ts';
import type { StepChange } from './plan-step-commit.ts';
import { readChoice, readRequests } from './read-results.ts';
import { pinnedRow } from './replay.ts';
import { keepsNothing } from './retention.ts';
import { StepCaller, type StepCallerOptions } from './step-caller.ts';
import { StepCommitter, type StepCommitterOptions } from './step-committer.ts';
import { contextOf } from './step-context.ts';
import { endOfFailedStep, endOfStep, type StepInFlight } from './step-end.ts';
import { type Decision, failureOf, resultOf, withExport } from './step-outcome.ts';
import { type EndedRun, rowOf } from './step-row.ts';
import { accountMask, keptRequests } from '../../components/recordings/kept-requests.ts';
import { pinFor, readyOf, withHeldBack, withoutWait } from './test-run.ts';
import { earliestOf, isResumedAlready, type Wake, wakesOf } from './waiting.ts';

export interface DriverOptions
  extends
    Omit<StepCallerOptions, 'contextOf' | 'restartTimeout'>,
    Omit<StepCommitterOptions, 'contextOf' | 'isKept' | 'notificationOf' | 'stored' | 'failed'> {
  readonly store: Pick<
    Store,
    'commitStep' | 'executions' | 'failure' | 'invocations' | 'workflows'
  >;
  readonly signals: Signals;
  readonly clock: Clock;
  /** Makes the code of a deployment ready; undefined when it is. */
  readonly codeOf: (deployment: WorkflowDeploymentRecord) => Promise<void> | undefined;
  /** The leg of an execution is over: it has ended, or waits. */
  readonly segmentEnded: (execution: Execution) => void;
  /** Nothing of what the execution wrote to the db is stored, and processes have it in memory. */
  readonly notStored: (execution: Pick<Execution, 'n' | 'deployment'>) => void;
  /** A step of a test has ended, and wrote to the db of the test. */
  readonly testWroteDb: (deploymentId: string, writes: Outcome['db']) => void;
  /** See `NotificationParts`. */
  readonly mails: boolean;
  readonly isWatched: () => boolean;
  /** A request that may end one of its pauses is being stored: afterwards it is known whether it does. */
  readonly isBeingHit: (execution: Execution) => boolean;
}

export class Driver {
  readonly #options: DriverOptions;
  readonly #caller: StepCaller;
  readonly #committer: StepCommitter;

  constructor(options: DriverOptions) {
    this.#options = options;
    const { store } = options;
    this.#caller = new StepCaller({
      ...options,
      contextOf: (execution, path) => contextOf(execution, path, options),
      restartTimeout: (execution) => this.#limitTime(execution),
    });
    this.#committer = new StepCommitter({
      ...options,
      contextOf: (execution) => contextOf(execution, '', options),
      isKept: (execution) => !keepsNothing(execution, store),
      notificationOf: (execution, end) => notificationOf(execution, end, options),
      stored: (execution, { end, pause }) => {
        if (end !== undefined || pause !== undefined) this.#legEnded(execution, end);
        else this.#proceed(execution);
        options.becameIdle();
      },
      failed: (execution) => {
        options.notStored(execution);
        options.segmentEnded(execution);
        options.becameIdle();
      },
    });
  }

  /** Its turn has come. */
  async begin(execution: Execution): Promise<void> {
    const { store, clock, codeOf, isStopping } = this.#options;
    execution.startedAt ??= clock.now();
    execution.begun();
    this.#options.signals.emit('invocation', execution);
    try {
      await readAgain({ store, clock, isOver: isStopping }, () =>
        loadExecution(execution, store, codeOf),
      );
      if (execution.walk === undefined) {
        const reason = 'It was a test, and the runtime ended while it ran.';
        this.finishUnstarted(execution, 'cancelled', reason);
        return;
      }
      this.#limitTime(execution);
      this.#proceed(execution);
    } catch (error) {
      if (isStopping()) return;
      if (store.workflows.get(execution.emitter.id) === undefined) {
        this.#options.segmentEnded(execution);
        return;
      }
      const thrown = { name: 'LoadError', message: messageOf(error) };
      this.#end(execution, { status: 'failed', reason: null, error: thrown });
    }
  }

  /**
   * Ends it at the end of the steps that run. What is asked again, or out of time, does not wait for them: they
   * end with their process (P25.49).
   */
  cancel(execution: Execution, why: 'cancelled' | 'timed_out'): void {
    const isUrgent = execution.stopping !== undefined || why === 'timed_out';
    execution.stopping ??= why;
    this.#stop(execution, isUrgent);
  }

  /** Ends it if no step runs. @param isUrgent whether steps that run are ended with their processes */
  #stop(execution: Execution, isUrgent: boolean): void {
    for (const [path, { work, process }] of execution.running) {
      // The step waits for a process or for a token, and does not begin any more.
      if (work === 0) execution.running.delete(path);
      else if (isUrgent) process.host?.stop(work);
    }
    const isBusy = execution.running.size + execution.pending > 0;
    if (!isBusy) this.#end(execution, stopped(execution));
  }

  /** Nothing is held any more. */
  letGo(): void {
    this.#caller.goOn();
  }

  /** There may be something to do: a request that ends a pause came while the execution is in memory, or nothing is held any more. */
  goOn(execution: Execution): void {
    this.#proceed(execution);
  }

  /** An execution that has not begun, or is only a row. */
  finishUnstarted(
    execution: Execution,
    status: ExecutionEnd['status'],
    reason: string | null,
    error?: ThrownError,
  ): void {
    const workflow = this.#options.store.workflows.get(execution.emitter.id);
    const deploymentId = execution.deployment?.id ?? workflow?.deploymentId ?? '';
    this.#end(execution, { status, reason, error }, { deploymentId });
  }

  /** A limit over the steps of a leg together (P25.23). It is suspended while a debugger is attached, and while all steps wait to begin. */
  #limitTime(execution: Execution): void {
    const { deployment } = execution;
    if (deployment === undefined) return;
    const seconds = timeLimit(execution);
    execution.cancelTimer?.();
    const watch = (): void => {
      execution.cancelTimer = this.#options.clock.after(seconds * 1000, () => {
        const { hosts } = this.#options.processesOf(deployment.id);
        const running = [...execution.running.values()];
        // For a process, whose turn to start may come late, or for a token.
        const allWait = running.length > 0 && running.every(({ work }) => work === 0);
        if (allWait || hosts.some(({ inspected }) => inspected)) watch();
        else this.cancel(execution, 'timed_out');
      });
    };
    watch();
  }

  /** Starts what may start; nothing does while a commit is on its way. */
  #proceed(execution: Execution): void {
    const { walk, running, waiting } = execution;
    const { isStopping, hold, isBeingHit } = this.#options;
    if (isStopping() || hold.isHeld || walk === undefined || execution.isOver) return;
    if (execution.pending > 0 || isBeingHit(execution)) return;
    if (execution.stopping === undefined) this.#wake(execution, walk);
    if (execution.stopping !== undefined) {
      this.#stop(execution, false);
      return;
    }
    for (const task of readyOf(execution, walk)) {
      walk.take(task);
      const pin = pinFor(execution, task);
      if (pin !== undefined) this.#pinned(execution, task, pin);
      else if (task.kind === 'block') this.#startBlock(execution, walk, task);
      else this.#startStep(execution, walk, this.#firstRun(task));
    }
    if (running.size > 0) this.#watchWaiting(execution);
    else if (walk.state !== 'going') this.#end(execution, endOf(execution, walk));
    else if (waiting.size > 0) this.#pause(execution);
  }

  /** A step of a test that does not run (P25.92). */
  #pinned(execution: Execution, task: Task, pin: Pin): void {
    execution.seq += 1;
    const { seq, leg } = execution;
    const row = { ...pinnedRow(task, pin, this.#options.clock.now()), seq, leg, logs: [] };
    this.#commit(execution, row, resultOf(row));
  }

  /** Watches waits in one branch while another branch runs, because nothing else checks the time then. */
  #watchWaiting(execution: Execution): void {
    const { clock } = this.#options;
    execution.cancelWake?.();
    const at = earliestOf(execution);
    if (at === null) return;
    const ms = Math.min(Math.max(1, at - clock.now()), longestWaitMs);
    execution.cancelWake = clock.after(ms, () => this.#proceed(execution));
  }

  /** An exit in one branch also ends runs that wait in other branches (P25.40). */
  #dropWaiting(execution: Execution, walk: Walk): void {
    if (!walk.isExiting) return;
    for (const path of execution.waiting.keys()) walk.ended(path, nothing);
    execution.dropped ||= execution.waiting.size > 0;
    execution.waiting.clear();
  }

  /** Goes on with steps whose wait is over. */
  #wake(execution: Execution, walk: Walk): void {
    const wakes = wakesOf(execution, this.#options.clock.now());
    if ('cancel' in wakes) {
      execution.stopping = 'cancelled';
      execution.cancelReason = wakes.cancel;
      return;
    }
    for (const wake of wakes) {
      const { path } = wake.row;
      execution.waiting.delete(path);
      const task = walk.task(path);
      if (!wake.isAgain) this.#resumeAfter(execution, walk, wake.row, wake.hit);
      else if (task?.kind === 'action') this.#runAgain(execution, walk, task, wake);
    }
  }

  /** After `delay` and `suspend` the next step runs; the request that resumed it is `$resume_data` (P25.44). */
  #resumeAfter(execution: Execution, walk: Walk, row: StepRun, hit: ResumeHit | undefined): void {
    const finish = (json: string | undefined): void => {
      const handed = { exports: row.exports ?? '{}' };
      const { exports } = json === undefined ? handed : withExport(handed, '$resume_data', json);
      (execution.resumed ??= []).push({ seq: row.seq, exports });
      walk.ended(row.path, resultOf({ ...row, exports }));
    };
    if (hit?.trigger === undefined) {
      finish(undefined);
      return;
    }
    this.#caller.resumeData(execution, row, hit.trigger, {
      done: (outcome) => {
        finish(outcome.result ?? 'null');
        this.#proceed(execution);
      },
      lost: () => {
        execution.waiting.set(row.path, row);
        this.#proceed(execution);
      },
    });
  }

  #runAgain(
    execution: Execution,
    walk: Walk,
    task: ActionTask,
    { row: { path, run, attempt }, pause, hit }: Wake,
  ): void {
    execution.resumed ??= [];
    const startedAt = this.#options.clock.now();
    if (pause.kind === 'rerun') {
      const { context: rerunContext } = pause;
      const callback = hit?.trigger;
      const next = { task, run: run + 1, attempt: 1, startedAt, rerunContext, callback };
      this.#startStep(execution, walk, next);
      return;
    }
    // A run that is tried again is given what it was given before.
    const rerunContext = pause.rerun?.context;
    const callback = run === 1 ? undefined : hitFor(execution.hits, path, run - 1)?.trigger;
    const next = { task, run, attempt: attempt + 1, startedAt, rerunContext, callback };
    this.#startStep(execution, walk, next);
  }

  #firstRun(task: ActionTask): StepInFlight {
    return { task, run: 1, attempt: 1, startedAt: this.#options.clock.now() };
  }

  #startStep(execution: Execution, walk: Walk, step: StepInFlight): void {
    this.#caller.step(execution, walk, step, {
      done: (outcome) => this.#stepEnded(execution, step, outcome),
      lost: (loss, outcome) => {
        if (execution.stopping !== undefined) {
          this.#stepCut(execution, step, outcome, toExitError(loss));
          return;
        }
        const after = afterLoss(loss, step.cutOffs ?? 0);
        if (after.isAgain) {
          this.#startStep(execution, walk, { ...step, cutOffs: after.cutOffs });
          return;
        }
        execution.hasCrashed ||= after.hasCrashed;
        this.#stepEnded(execution, step, { ...outcome, error: after.error }, true);
      },
    });
  }

  #startBlock(execution: Execution, walk: Walk, task: BlockTask, cutOffs = 0): void {
    const { path, step, namespace } = task;
    const startedAt = this.#options.clock.now();
    const ended = { path, namespace, run: 1, attempt: 1, startedAt };
    const row = (outcome: Outcome, decision: Decision, error: ThrownError | null): NewStepRun => ({
      ...this.#row(execution, ended, outcome, error),
      exports: null,
      decision: JSON.stringify(decision),
    });
    const fail = (outcome: Outcome, error: ThrownError): void => {
      const failed = { failed: { continue: false } };
      execution.failure ??= failureOf(task, error);
      this.#commit(execution, { ...row(outcome, failed, error), status: 'failed' }, failed);
    };
    this.#caller.block(
      execution,
      walk,
      task,
      { startedAt, cutOffs },
      {
        done: (outcome) => {
          const choice = outcome.error === undefined ? readChoice(outcome.result, step) : undefined;
          if (choice !== undefined) this.#commit(execution, row(outcome, choice, null), choice);
          else fail(outcome, outcome.error ?? notUnderstood);
        },
        lost: (loss, outcome) => {
          if (execution.stopping !== undefined) {
            this.#proceed(execution);
            return;
          }
          const after = afterLoss(loss, cutOffs);
          if (after.isAgain) {
            this.#startBlock(execution, walk, task, after.cutOffs);
            return;
          }
          execution.hasCrashed ||= after.hasCrashed;
          fail(outcome, after.error);
        },
      },
    );
  }

  /** @param wasLost it ended its process */
  #stepEnded(execution: Execution, step: StepInFlight, came: Outcome, wasLost = false): void {
    const { test, deployment } = execution;
    const asked = readRequests(came.result);
    const { requests, outcome } =
      test === undefined
        ? { requests: asked ?? {}, outcome: came }
        : withoutWait(asked ?? {}, withHeldBack(came), this.#options.clock.now());
    const error = outcome.error ?? (asked === undefined ? notUnderstood : undefined);
    const row = {
      ...this.#row(execution, endedRun(step), outcome, error ?? null, requests.props),
      requests: this.#requests(execution, step, outcome),
    };
    const mayPass = !wasLost && error?.name !== 'OutOfMemory';
    const isAuto = mayPass && deployment?.definition.settings.autoRetry === true;
    const retries = test !== undefined ? 'never' : isAuto ? 'auto' : 'own';
    const end =
      error === undefined
        ? endOfStep(row, outcome, requests)
        : endOfFailedStep(row, step, outcome, requests, error, retries);
    if (end.failed?.goesOn === true) execution.hasCrashed = false;
    else if (end.failed !== undefined) execution.failure ??= failureOf(step.task, end.failed.error);
    if (end.outgoing !== undefined) {
      append(execution.emits, end.outgoing.emits);
      append(execution.sends, end.outgoing.sends);
    }
    if (end.result === undefined) execution.waiting.set(row.path, end.row);
    if (test !== undefined && deployment !== undefined) {
      this.#options.testWroteDb(deployment.id, outcome.db);
    }
    this.#commit(execution, end.row, end.result, outcome.db);
  }

  /** It was ended from outside: what it had done until then stays. */
  #stepCut(execution: Execution, step: StepInFlight, outcome: Outcome, error: ThrownError): void {
    const isLate = execution.stopping === 'timed_out';
    const row = this.#row(execution, endedRun(step), outcome, isLate ? timedOut(execution) : error);
    this.#commit(execution, { ...row, status: isLate ? 'failed' : 'cancelled' }, undefined);
  }

  /** The HTTP requests of the step, as they are stored. */
  #requests(execution: Execution, { task }: StepInFlight, outcome: Outcome): string | undefined {
    const { store, stepCode, mask } = this.#options;
    const { deployment, override } = execution;
    if (outcome.requests === undefined || deployment === undefined) return undefined;
    if (keepsNothing(execution, store)) return undefined;
    const { accounts } = stepCode(deployment.id, task, override).configuration;
    return keptRequests(outcome.requests, [accountMask(accounts), { text: mask }]) ?? undefined;
  }

  #row(
    execution: Execution,
    ended: EndedRun,
    outcome: Outcome,
    error: ThrownError | null,
    props?: string,
  ): NewStepRun {
    const { clock, mask, store } = this.#options;
    execution.seq += 1;
    const { seq, leg } = execution;
    const keepsLogs = !keepsNothing(execution, store);
    const place = { seq, leg, endedAt: clock.now(), keepsLogs, mask };
    const row = rowOf(ended, outcome, error, place);
    return props === undefined || !keepsLogs ? row : { ...row, props };
  }

  /** @param result the result for the walk; undefined for a run that waits, or was interrupted */
  #commit(
    execution: Execution,
    step: NewStepRun,
    result: StepResult | undefined,
    db: Outcome['db'] = [],
  ): void {
    const { walk } = execution;
    if (walk === undefined || execution.isOver) return;
    if (result !== undefined) this.#walkOn(execution, walk, step.path, result);
    this.#dropWaiting(execution, walk);
    const isLast = execution.running.size === 0 && readyOf(execution, walk).length === 0;
    if (isLast && execution.stopping !== undefined) {
      this.#end(execution, stopped(execution), { step, db });
    } else if (isLast && (walk.state !== 'going' || execution.test?.only !== undefined)) {
      this.#end(execution, endOf(execution, walk), { step, db });
    } else if (isLast && execution.waiting.size > 0 && this.#mayPause(execution)) {
      this.#pause(execution, { step, db });
    } else {
      this.#committer.commit(execution, { step, db });
    }
  }

  /** The time limit is of a stretch between pauses and borders of blocks (P25.23). */
  #walkOn(execution: Execution, walk: Walk, path: string, result: StepResult): void {
    walk.ended(path, result);
    const own = segmentOf(path);
    if (walk.ready().some((task) => segmentOf(task.path) !== own)) this.#limitTime(execution);
  }

  /** No request that ends the pause arrived before it was stored (P25.41), or is being stored. */
  #mayPause(execution: Execution): boolean {
    return !isResumedAlready(execution) && !this.#options.isBeingHit(execution);
  }

  #pause(execution: Execution, change: StepChange = {}): void {
    const pause = { wakeAt: earliestOf(execution) };
    this.#committer.commit(execution, { ...change, pause });
  }

  #end(execution: Execution, end: Omit<ExecutionEnd, 'at'>, change: StepChange = {}): void {
    const at = this.#options.clock.now();
    this.#committer.commit(execution, { ...change, end: { ...end, at } });
  }

  #legEnded(execution: Execution, end: ExecutionEnd | undefined): void {
    if (execution.hasResponse) execution.answer();
    else execution.unanswered(end === undefined ? 'paused' : 'ended');
    const { deployment, walk } = execution;
    if (deployment !== undefined && walk !== undefined) {
      this.#options.processesOf(deployment.id).forget(execution.n);
    }
    // The trigger is on disk.
    execution.trigger = execution.trigger && withoutPayload(execution.trigger);
    this.#options.segmentEnded(execution);
    if (end === undefined) execution.tellPause();
    else execution.tellEnd(end.status);
  }
}

const notUnderstood: ThrownError = {
  name: 'ProtocolError',
  message: 'The process returned a malformed result.',
};

function endedRun({ task, run, attempt, startedAt }: StepInFlight): EndedRun {
  const { path, namespace } = task;
  return { path, namespace, run, attempt, startedAt };
}

/** The prefix of a step's name in its path: the same for successive steps. */
function segmentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.') + 1);
}
