/**
 * Runs executions, step by step: a step that may start is called in the workflow's process, its end becomes one
 * commit, and when that is on disk the next step starts. What a leg sends goes out with its last commit.
 */
import {
  type ConsoleLine,
  type StepRequests,
  type ThrownError,
  type Trigger,
  withoutPayload,
  type Work,
} from '../../../protocol/host.ts';
import { describeError, type Log } from '../../log.ts';
import { type Clock, longestWaitMs } from '../../clock.ts';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { EventPlanner } from '../../emit/planner.ts';
import type { Loss } from '../../hosts/host.ts';
import { lossError, stoppedLoss } from '../../hosts/loss.ts';
import { append, type Outcome, OutcomeRecorder } from '../../hosts/outcome.ts';
import type { Signals } from '../../signals.ts';
import type { CommittedInvocation, ExecutionEnd, StepCommit } from '../../store/commit.ts';
import type {
  NewStepRun,
  ResumeHit,
  StepOverride,
  StepPause,
  StepRun,
} from '../../store/history/executions.ts';
import type { NewLog } from '../../store/history/logs.ts';
import type { SendRecord } from '../../store/history/sends.ts';
import type { Store } from '../../store/store.ts';
import type { ActionTask, BlockTask, StepResult, Walk } from '../walk/walk.ts';
import { nothing } from '../walk/outcome.ts';
import { withoutItems } from '../walk/path.ts';
import { afterLoss } from './cut-off.ts';
import type { Execution, RunningStep } from './execution.ts';
import { hitFor, hitRunOf, restore } from './journal.ts';
import { type ExecutionKeys, wholeExecution } from './keys.ts';
import { endLine, endOf, stopped, timedOut } from './execution-end.ts';
import { readChoice, readRequests } from './read-results.ts';
import {
  attemptExports,
  type Decision,
  failureOf,
  handedOn,
  resultOf,
  withExport,
} from './step-outcome.ts';
import { contextOf } from './step-context.ts';
import {
  componentOf,
  type LiveProcess,
  type StepCode,
  type WorkflowProcess,
} from './workflow-process.ts';

export interface DriverOptions {
  readonly store: Pick<Store, 'commitStep' | 'executions' | 'invocations' | 'workflows'>;
  readonly signals: Signals;
  readonly planner: Pick<EventPlanner, 'plan' | 'notices'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly keys: ExecutionKeys;
  readonly processOf: (deploymentId: string) => WorkflowProcess;
  /** @throws WeirError('not_found') when its code is gone */
  readonly stepCode: (
    deploymentId: string,
    task: ActionTask,
    override: StepOverride | undefined,
  ) => StepCode;
  readonly resumeUrl: (token: string, action: 'resume' | 'cancel') => string;
  /** The leg of an execution is over: it has ended, or waits. */
  readonly legEnded: (execution: Execution) => void;
  /** The first step that was cut off begins again: that is to be counted (P25.22). */
  readonly beginsAgain: (execution: Execution) => void;
  /** Something was stored, or could not be. */
  readonly settled: () => void;
  readonly isStopping: () => boolean;
  /** Hides the values of environment variables in what is logged (W50). */
  readonly mask: (text: string) => string;
  /** What its events started, and lies in the inbox already. */
  readonly triggered: (runs: CommittedInvocation['triggered']) => void;
  /** What goes out, and is on disk. */
  readonly sends: (records: readonly SendRecord[]) => void;
}

/** How a run of a step is known while it goes on. */
interface StepInFlight {
  readonly task: ActionTask;
  readonly run: number;
  readonly attempt: number;
  readonly startedAt: number;
  readonly rerunContext?: string | undefined;
  readonly callback?: Trigger | undefined;
  /** How often its process ended under it, and nobody knows why. */
  readonly cutOffs?: number;
}

/** How often a step is tried again whose failure may pass: over about ten hours (spec of the platform). */
const autoRetries = 8;
const firstRetryMs = 60_000;

export class Driver {
  readonly #options: DriverOptions;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** Its turn has come. */
  async begin(execution: Execution): Promise<void> {
    const { store, clock } = this.#options;
    execution.startedAt ??= clock.now();
    execution.begun();
    this.#options.signals.emit('invocation', execution);
    try {
      await this.#load(execution);
      if (execution.walk === undefined) return;
      this.#limitTime(execution);
      this.#proceed(execution);
    } catch (error) {
      if (this.#options.isStopping()) return;
      if (store.workflows.get(execution.emitter.id) === undefined) {
        this.#options.legEnded(execution);
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
    if (execution.running.size === 0) {
      if (execution.pending === 0) this.#endStopped(execution);
      return;
    }
    const { deployment } = execution;
    if (!isUrgent || deployment === undefined) return;
    const { host } = this.#options.processOf(deployment.id);
    for (const { work } of execution.running.values()) host?.stop(work);
  }

  /** A request that ends a pause came while the execution is in memory. */
  hitArrived(execution: Execution): void {
    this.#proceed(execution);
  }

  /** One that has not begun, or is only a row. */
  endUnrun(
    execution: Execution,
    status: ExecutionEnd['status'],
    reason: string | null,
    error?: ThrownError,
  ): void {
    const workflow = this.#options.store.workflows.get(execution.emitter.id);
    const deploymentId = execution.deployment?.id ?? workflow?.deploymentId ?? '';
    this.#end(execution, { status, reason, error, deploymentId });
  }

  async #load(execution: Execution): Promise<void> {
    const { store } = this.#options;
    const { n } = execution;
    if (execution.isParked) {
      const trigger = await store.invocations.trigger(n);
      if (trigger === undefined) throw new Error('Its trigger is gone from the store.');
      execution.trigger = trigger;
      execution.isParked = false;
    }
    const state = execution.hasBegun ? await store.executions.state(n) : undefined;
    const workflow = store.workflows.get(execution.emitter.id);
    if (workflow === undefined) throw new WeirError('not_found', 'The workflow was deleted.');
    const deployment = store.workflows.deployment(state?.deploymentId ?? workflow.deploymentId);
    if (deployment === undefined) {
      throw new Error(`The deployment ${state?.deploymentId} that it began with is gone.`);
    }
    execution.deployment = deployment;
    execution.override = state?.override ?? undefined;
    const rows = execution.hasBegun ? await store.executions.steps(n) : [];
    const hits = execution.hasBegun ? await store.executions.hits(n) : [];
    for (const hit of hits) {
      if (hitFor(execution.hits, hit.path, hit.run) === undefined) execution.hits.push(hit);
    }
    const restored = restore(deployment.definition.steps, rows, state?.legs ?? 0);
    const { walk, waiting, unsent, seq, leg } = restored;
    Object.assign(execution, { walk, seq, leg, waiting: new Map(waiting) });
    for (const text of unsent) {
      const { emits, sends } = JSON.parse(text) as Pick<Execution, 'emits' | 'sends'>;
      append(execution.emits, emits);
      append(execution.sends, sends);
    }
  }

  /** A limit over the steps of a leg together (P25.23). It stands still while a debugger is attached. */
  #limitTime(execution: Execution): void {
    const { deployment } = execution;
    if (deployment === undefined) return;
    const seconds = deployment.definition.settings.timeoutSeconds ?? defaultSeconds(execution);
    execution.cancelTimer?.();
    const watch = (): void => {
      execution.cancelTimer = this.#options.clock.after(seconds * 1000, () => {
        const host = this.#options.processOf(deployment.id).host;
        if (host?.inspected === true) watch();
        else this.cancel(execution, 'timed_out');
      });
    };
    watch();
  }

  /** Starts what may start; nothing does while a commit is on its way. */
  #proceed(execution: Execution): void {
    const { walk, running, waiting } = execution;
    if (this.#options.isStopping() || walk === undefined || execution.isOver) return;
    if (execution.pending > 0) return;
    if (execution.stopping === undefined) this.#resumeWaiting(execution, walk);
    if (execution.stopping !== undefined) {
      if (running.size === 0) this.#endStopped(execution);
      return;
    }
    for (const task of walk.ready()) {
      walk.take(task);
      if (task.kind === 'block') this.#startBlock(execution, task);
      else this.#startStep(execution, this.#firstRun(task));
    }
    if (running.size > 0) this.#watchWaiting(execution);
    else if (walk.state !== 'going') this.#end(execution, endOf(execution, walk));
    else if (waiting.size > 0) this.#pause(execution);
  }

  /** What waits in one branch while another runs: nothing else looks at the time then. */
  #watchWaiting(execution: Execution): void {
    const { clock } = this.#options;
    execution.cancelWake?.();
    const at = earliestOf(execution);
    if (at === null) return;
    const ms = Math.min(Math.max(1, at - clock.now()), longestWaitMs);
    execution.cancelWake = clock.after(ms, () => this.#proceed(execution));
  }

  /** An exit in one branch ends those that wait in others, too (P25.40). */
  #dropWaiting(execution: Execution, walk: Walk): void {
    if (!walk.isExiting) return;
    for (const path of execution.waiting.keys()) walk.ended(path, nothing);
    execution.dropped ||= execution.waiting.size > 0;
    execution.waiting.clear();
  }

  /** Steps whose wait is over: by their time, or by a request. */
  #resumeWaiting(execution: Execution, walk: Walk): void {
    if (hitFor(execution.hits, wholeExecution.path, wholeExecution.run) !== undefined) {
      execution.stopping = 'cancelled';
      return;
    }
    const now = this.#options.clock.now();
    for (const [path, row] of execution.waiting) {
      const { pause } = row;
      if (pause === null) continue;
      if (hitFor(execution.hits, path, row.run)?.action === 'cancel') {
        execution.stopping = 'cancelled';
        return;
      }
      const hit = hitFor(execution.hits, path, hitRunOf(row));
      const isDue = pause.dueAt !== null && pause.dueAt <= now;
      if (hit === undefined && !isDue) continue;
      const task = walk.task(path);
      if (pause.kind === 'rerun' || pause.kind === 'retry') {
        execution.waiting.delete(path);
        if (task?.kind === 'action') this.#runAgain(execution, task, row, pause, hit);
      } else if (pause.kind === 'suspend' && hit === undefined) {
        // The newest word of the platform is that a wait that nobody ends cancels the execution (P25.43).
        execution.stopping = 'cancelled';
        execution.cancelReason = `${path} was not resumed in time.`;
        return;
      } else {
        execution.waiting.delete(path);
        this.#resumeAfter(execution, walk, row, hit);
      }
    }
  }

  /** After `delay` and `suspend` the next step runs; the request that resumed it is `$resume_data` (P25.44). */
  #resumeAfter(execution: Execution, walk: Walk, row: StepRun, hit: ResumeHit | undefined): void {
    const finish = (json: string | undefined): void => {
      const { exports, returnValue } = {
        exports: row.exports ?? '{}',
        returnValue: row.returnValue,
      };
      const handed =
        json === undefined ? { exports } : withExport({ exports }, '$resume_data', json);
      (execution.resumed ??= []).push({ seq: row.seq, exports: handed.exports });
      walk.ended(row.path, resultOf({ ...row, exports: handed.exports, returnValue }));
    };
    if (hit?.trigger === undefined) {
      finish(undefined);
      return;
    }
    const { trigger } = hit;
    this.#call(execution, row.path, row, undefined, '', () => ({ call: 'event', trigger }), {
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
    task: ActionTask,
    row: StepRun,
    pause: StepPause,
    hit: ResumeHit | undefined,
  ): void {
    execution.resumed ??= [];
    const isRerun = pause.kind === 'rerun';
    this.#startStep(execution, {
      task,
      run: isRerun ? row.run + 1 : row.run,
      attempt: isRerun ? 1 : row.attempt + 1,
      startedAt: this.#options.clock.now(),
      // A run that is tried again is given what it was given before.
      rerunContext: isRerun ? pause.context : pause.rerun?.context,
      callback: isRerun ? hit?.trigger : this.#callbackOf(execution, row),
    });
  }

  /** The request that led to this run of a step, if one did. */
  #callbackOf({ hits }: Execution, { path, run }: StepRun): Trigger | undefined {
    return run === 1 ? undefined : hitFor(hits, path, run - 1)?.trigger;
  }

  #firstRun(task: ActionTask): StepInFlight {
    return { task, run: 1, attempt: 1, startedAt: this.#options.clock.now() };
  }

  #startStep(execution: Execution, step: StepInFlight): void {
    const { deployment, walk } = execution;
    if (deployment === undefined || walk === undefined) return;
    const { task, run } = step;
    const { path } = task;
    const { keys, resumeUrl, stepCode } = this.#options;
    const token = keys.resumeToken({ execution: execution.n, path, run });
    const code = (): StepCode => stepCode(deployment.id, task, execution.override);
    const component = componentOf(task, execution.override);
    const call = (isKnown: boolean): Work => ({
      call: 'step',
      step: {
        component,
        path,
        execution: execution.n,
        ...this.#scope(execution, walk, path, isKnown),
        urls: {
          resume_url: resumeUrl(token, 'resume'),
          cancel_url: resumeUrl(token, 'cancel'),
        },
        run,
        ...(step.rerunContext !== undefined && { rerunContext: step.rerunContext }),
        ...(step.callback !== undefined && { callback: step.callback }),
      },
    });
    this.#call(execution, path, step, code, component, call, {
      done: (outcome) => this.#stepEnded(execution, step, outcome),
      lost: (loss, outcome) => {
        if (execution.stopping !== undefined) {
          this.#stepCut(execution, step, outcome, lossError(loss));
          return;
        }
        const after = afterLoss(loss, step.cutOffs ?? 0);
        if (after.isAgain) {
          this.#startStep(execution, { ...step, cutOffs: after.cutOffs });
          return;
        }
        execution.hasCrashed ||= after.hasCrashed;
        this.#stepEnded(execution, step, { ...outcome, error: after.error }, true);
      },
    });
  }

  #startBlock(execution: Execution, task: BlockTask, cutOffs = 0): void {
    const { walk } = execution;
    if (walk === undefined) return;
    const { path, step, namespace } = task;
    const { control, branches, otherwise, on } = step;
    const startedAt = this.#options.clock.now();
    const call = (isKnown: boolean): Work => ({
      call: 'block',
      block: {
        path,
        execution: execution.n,
        ...this.#scope(execution, walk, path, isKnown),
        block: {
          namespace,
          control,
          ...(on !== undefined && { on }),
          branches: branches.map(({ name, when }) => ({ name, when })),
          ...(otherwise !== undefined && { otherwise: { disabled: otherwise.disabled } }),
        },
      },
    });
    const row = (outcome: Outcome, decision: Decision, error: ThrownError | null): NewStepRun => ({
      ...this.#row(execution, path, namespace, 1, 1, startedAt, outcome, error),
      exports: null,
      decision: JSON.stringify(decision),
    });
    const fail = (outcome: Outcome, error: ThrownError): void => {
      const failed = { failed: { continue: false } };
      execution.failure ??= failureOf(task, error);
      this.#commit(execution, { ...row(outcome, failed, error), status: 'failed' }, failed);
    };
    const running = { run: 1, attempt: 1, startedAt };
    this.#call(execution, path, running, undefined, '', call, {
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
          this.#startBlock(execution, task, after.cutOffs);
          return;
        }
        execution.hasCrashed ||= after.hasCrashed;
        fail(outcome, after.error);
      },
    });
  }

  #scope(execution: Execution, walk: Walk, path: string, isKnown: boolean) {
    const { trigger } = execution;
    return {
      ...(!isKnown && trigger !== undefined && { trigger }),
      steps: Object.fromEntries(walk.scope(path)),
      context: JSON.stringify(this.#context(execution, path)),
    };
  }

  #context(execution: Execution, path: string): object {
    const { keys, store } = this.#options;
    const workflow = store.workflows.get(execution.emitter.id);
    const deploymentId = execution.deployment?.id ?? workflow?.deploymentId ?? '';
    return contextOf({ execution, keys, workflow, deploymentId, path });
  }

  /** Of these only that they ran is kept (P25.5). */
  #keepsNothing({ isNotStored, deployment, emitter }: Execution): boolean {
    if (isNotStored) return true;
    const { workflows } = this.#options.store;
    const id = deployment === undefined ? workflows.get(emitter.id)?.deploymentId : undefined;
    const used = deployment ?? (id === undefined ? undefined : workflows.deployment(id));
    return used?.definition.settings.dataRetention === false;
  }

  /** Calls the workflow's process, which is started when none runs. */
  #call(
    execution: Execution,
    path: string,
    running: Omit<RunningStep, 'work'>,
    code: (() => StepCode) | undefined,
    component: string,
    work: (isKnown: boolean) => Work,
    told: {
      readonly done: (outcome: Outcome) => void;
      readonly lost: (loss: Loss, outcome: Outcome) => void;
    },
  ): void {
    const { deployment } = execution;
    if (deployment === undefined) return;
    const { run, attempt, startedAt } = running;
    const runs = (n: number): void => {
      execution.running.set(path, { run, attempt, startedAt, work: n });
    };
    /** False when nobody waits for it any more. */
    const ended = (): boolean => {
      execution.running.delete(path);
      return !execution.isOver;
    };
    const warnings: ConsoleLine[] = [];
    const withWarnings = (outcome: Outcome): Outcome =>
      warnings.length === 0 ? outcome : { ...outcome, logs: [...outcome.logs, ...warnings] };
    const start = (live: LiveProcess): void => {
      if (execution.isOver) return;
      if (execution.stopping !== undefined) {
        ended();
        told.lost(stoppedLoss(true), nothingDone);
        return;
      }
      const recorder = new OutcomeRecorder({
        respond: (response) => {
          if (execution.respond(response)) return;
          const warning = execution.warnOfRespond(this.#options.clock.now());
          if (warning !== undefined) warnings.push(warning);
        },
        done: (outcome) => {
          if (ended()) told.done(this.#masked(withWarnings(outcome)));
        },
        lost: (loss, outcome) => {
          if (!ended() || this.#options.isStopping()) return;
          // The process says why it ends in its code's own words.
          const { mask } = this.#options;
          const { message, stack } = loss;
          const shown = {
            ...loss,
            message: mask(message),
            ...(stack !== undefined && { stack: mask(stack) }),
          };
          told.lost(shown, this.#masked(withWarnings(outcome)));
        },
      });
      if (execution.isCutOff) {
        execution.isCutOff = false;
        execution.attempt += 1;
        this.#options.beginsAgain(execution);
      }
      runs(this.#process(deployment.id).call(live, execution.n, code, component, work, recorder));
    };
    const failed = (error: unknown): void => {
      if (!ended() || this.#options.isStopping()) return;
      const thrown = { name: 'LoadError', message: messageOf(error) };
      told.done({ ...nothingDone, error: thrown });
    };
    // 0: it waits for a process.
    runs(0);
    try {
      const opened = this.#process(deployment.id).open();
      if (opened instanceof Promise) {
        opened
          .then((live) => {
            // The start of a process is no time of the workflow's.
            if (!execution.isOver) this.#limitTime(execution);
            start(live);
          })
          .catch(failed);
      } else start(opened);
    } catch (error) {
      // Not within the turn that starts it, which would go on with what this has ended.
      queueMicrotask(() => failed(error));
    }
  }

  /** What it threw may hold the value of a variable, and is told and kept in many places (W50). */
  #masked(outcome: Outcome): Outcome {
    const { error } = outcome;
    if (error === undefined) return outcome;
    const { mask } = this.#options;
    const { message, stack } = error;
    const shown = { message: mask(message), ...(stack !== undefined && { stack: mask(stack) }) };
    return { ...outcome, error: { ...error, ...shown } };
  }

  #process(deploymentId: string): WorkflowProcess {
    return this.#options.processOf(deploymentId);
  }

  #stepEnded(execution: Execution, step: StepInFlight, outcome: Outcome, wasLost = false): void {
    const { task } = step;
    const { path, namespace } = task;
    let { error } = outcome;
    let requests: StepRequests = {};
    const asked = readRequests(outcome.result);
    if (asked === undefined) error ??= notUnderstood;
    else requests = asked;
    const bare = this.#row(
      execution,
      path,
      namespace,
      step.run,
      step.attempt,
      step.startedAt,
      outcome,
      error ?? null,
    );
    if (error !== undefined) {
      this.#stepFailed(execution, step, { row: bare, outcome, requests, error, wasLost });
      return;
    }
    const { pause, exit } = requests;
    const dbWrites = outcome.db;
    const row = withSends(execution, bare, outcome, requests);
    if (pause !== undefined) {
      const dueAt = pause.ms === null ? null : this.#options.clock.now() + pause.ms;
      const stored: StepPause = {
        kind: pause.kind,
        dueAt,
        ...(pause.context !== undefined && { context: pause.context }),
      };
      const waits: NewStepRun = { ...row, status: 'paused', pause: stored };
      execution.waiting.set(path, waits);
      this.#commit(execution, waits, undefined, dbWrites);
      return;
    }
    const decided = exit === undefined ? row : { ...row, decision: JSON.stringify({ exit }) };
    this.#commit(execution, decided, resultOf(decided), dbWrites);
  }

  /** It runs again later, or the execution fails, or goes on without it. */
  #stepFailed(
    execution: Execution,
    step: StepInFlight,
    { row, outcome, requests, error, wasLost }: FailedRun,
  ): void {
    const { task, attempt } = step;
    const { retry, onError } = task.step;
    const autoRetry = execution.deployment?.definition.settings.autoRetry === true && !wasLost;
    const most = retry?.max ?? (autoRetry ? autoRetries : 0);
    if (attempt <= most) {
      const first = retry?.backoffMs ?? firstRetryMs;
      const dueAt = this.#options.clock.now() + first * 2 ** (attempt - 1);
      const again: NewStepRun = {
        ...row,
        status: 'retrying',
        pause: {
          kind: 'retry',
          dueAt,
          ...(step.rerunContext !== undefined && { rerun: { context: step.rerunContext } }),
        },
        exports: attemptExports(row.exports, attempt, error),
      };
      execution.waiting.set(task.path, again);
      this.#commit(execution, again, undefined, outcome.db);
      return;
    }
    const goesOn = onError === 'continue';
    if (goesOn) execution.hasCrashed = false;
    else execution.failure ??= failureOf(task, error);
    const decision = { failed: { continue: goesOn } };
    const failed: NewStepRun = {
      ...withSends(execution, row, outcome, requests),
      status: 'failed',
      decision: JSON.stringify(decision),
    };
    this.#commit(execution, failed, resultOf(failed), outcome.db);
  }

  /** It was ended from outside: what it had done until then stays. */
  #stepCut(execution: Execution, step: StepInFlight, outcome: Outcome, error: ThrownError): void {
    const { path, namespace } = step.task;
    const { run, attempt, startedAt } = step;
    const isLate = execution.stopping === 'timed_out';
    const why = isLate ? timedOut : error;
    const row = this.#row(execution, path, namespace, run, attempt, startedAt, outcome, why);
    this.#commit(execution, { ...row, status: isLate ? 'failed' : 'cancelled' }, undefined);
  }

  #row(
    execution: Execution,
    path: string,
    namespace: string,
    run: number,
    attempt: number,
    startedAt: number,
    outcome: Outcome,
    error: ThrownError | null,
  ): NewStepRun {
    execution.seq += 1;
    const logs: NewLog[] = [];
    const { mask } = this.#options;
    const isKept = !this.#keepsNothing(execution);
    if (isKept) {
      for (const line of outcome.logs) {
        logs.push({ ...line, text: mask(line.text), kind: 'console' });
      }
    }
    const endedAt = this.#options.clock.now();
    if (isKept && error !== null) {
      const text = mask(error.stack ?? `${error.name}: ${error.message}`);
      logs.push({ at: endedAt, kind: 'error', level: 'error', text });
    }
    const { exports, returnValue } = handedOn(outcome);
    return {
      seq: execution.seq,
      path,
      namespace,
      run,
      attempt,
      status: 'succeeded',
      startedAt,
      endedAt,
      leg: execution.leg,
      exports,
      returnValue: returnValue ?? null,
      decision: null,
      error,
      pause: null,
      sends: null,
      logs,
    };
  }

  /** @param result what the walk is told; undefined of a run that waits, or was cut off */
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
    const isLast = execution.running.size === 0 && walk.ready().length === 0;
    if (isLast && execution.stopping !== undefined) {
      this.#end(execution, stopped(execution), step, db);
    } else if (isLast && walk.state !== 'going') {
      this.#end(execution, endOf(execution, walk), step, db);
    } else if (isLast && execution.waiting.size > 0 && !this.#isResumedAlready(execution)) {
      this.#pause(execution, step, db);
    } else {
      this.#write(execution, { step, db: prefixed(db, step.path), sendsOut: false });
    }
  }

  /** The time limit is of a stretch between pauses and borders of blocks (P25.23). */
  #walkOn(execution: Execution, walk: Walk, path: string, result: StepResult): void {
    walk.ended(path, result);
    const own = segmentOf(path);
    if (walk.ready().some((task) => segmentOf(task.path) !== own)) this.#limitTime(execution);
  }

  /** A request came before the pause was stored (P25.41). */
  #isResumedAlready({ waiting, hits }: Execution): boolean {
    const now = this.#options.clock.now();
    return [...waiting.values()].some(
      (row) =>
        hitFor(hits, row.path, hitRunOf(row)) !== undefined ||
        (row.pause !== null && row.pause.dueAt !== null && row.pause.dueAt <= now),
    );
  }

  #pause(execution: Execution, step?: NewStepRun, db: Outcome['db'] = []): void {
    this.#write(execution, {
      step,
      pause: { wakeAt: earliestOf(execution) },
      db: step === undefined ? [] : prefixed(db, step.path),
      sendsOut: true,
    });
  }

  #endStopped(execution: Execution): void {
    this.#end(execution, stopped(execution));
  }

  #end(
    execution: Execution,
    end: Omit<ExecutionEnd, 'at'> & { readonly deploymentId?: string },
    step?: NewStepRun,
    db: Outcome['db'] = [],
  ): void {
    const { deploymentId, ...rest } = end;
    this.#write(execution, {
      step,
      end: { ...rest, at: this.#options.clock.now() },
      ...(deploymentId !== undefined && { deploymentId }),
      db: step === undefined ? [] : prefixed(db, step.path),
      sendsOut: true,
    });
  }

  #write(
    execution: Execution,
    change: Pick<StepCommit, 'step' | 'pause' | 'end' | 'db' | 'sendsOut'> & {
      readonly deploymentId?: string;
    },
  ): void {
    if (execution.isOver) return;
    const { store, signals, planner, clock } = this.#options;
    const { n, emitter } = execution;
    const { step, end, pause } = change;
    execution.isOver = end !== undefined;
    const now = clock.now();
    const isOver = end !== undefined || pause !== undefined;
    const plan = isOver ? planner.plan(emitter, execution.emits, now, execution.hops) : undefined;
    const isKept = !this.#keepsNothing(execution);
    const logs: NewLog[] = [];
    if (end !== undefined) {
      const line = endLine(execution, end);
      logs.push({ ...line, text: this.#options.mask(line.text) });
    }
    const startedAt = execution.startedAt ?? execution.createdAt;
    const notices =
      end === undefined
        ? undefined
        : planner.notices(
            emitter,
            () => ({
              n,
              emitterId: emitter.id,
              cause: execution.cause,
              attempt: execution.attempt,
              hops: execution.hops,
              startedAt,
              endedAt: now,
              status: end.status,
              trigger: isKept ? execution.trigger : undefined,
              context: this.#context(execution, ''),
              ...(execution.failure?.namespace !== undefined && {
                cellId: execution.failure.namespace,
              }),
              logs: [...(step?.logs ?? []), ...logs],
              error: end.status === 'cancelled' ? undefined : end.error,
            }),
            now,
          );
    const sends = isOver ? execution.sends : [];
    if (isOver) {
      execution.emits = [];
      execution.sends = [];
    }
    const commit: StepCommit = {
      n,
      emitterId: emitter.id,
      fence: emitter.fence,
      deploymentId: change.deploymentId ?? execution.deployment?.id ?? '',
      startedAt,
      // At the end of a leg nothing is kept back any more.
      ...(step !== undefined && { step: isOver ? { ...step, sends: null } : step }),
      leg: execution.leg,
      ...(execution.resumed !== undefined && { resumed: execution.resumed }),
      ...(pause !== undefined && { pause }),
      ...(end !== undefined && { end }),
      sends,
      sendsOut: change.sendsOut,
      events: plan?.events ?? [],
      hops: execution.hops + 1,
      drops: [...(plan?.drops ?? []), ...(notices?.drops ?? [])],
      notices: notices?.events,
      db: change.db,
      logs,
      forget: end !== undefined && !isKept,
      ...(step !== undefined && execution.attempt > 1 && { progressed: true }),
      ...(end !== undefined && execution.leavesWaiting && { leavesWaiting: true }),
    };
    if (step !== undefined) {
      execution.attempt = 1;
      execution.isCutOff = false;
    }
    execution.resumed = undefined;
    emitter.db.apply(change.db);
    execution.pending += 1;
    if (isOver) {
      execution.stopTimers();
    }
    store.commitStep(commit).then(
      (made) => {
        execution.pending -= 1;
        if (end !== undefined) execution.ended(end.status, end.at, end.error);
        else if (pause !== undefined) execution.paused();
        signals.emit('committed', {
          run: execution,
          commit: {
            n,
            emitterId: emitter.id,
            events: commit.events,
            drops: commit.drops,
            notices: commit.notices,
            logs: [...(step?.logs ?? []), ...logs],
            error: end?.error,
            status: execution.record().status,
          },
          made,
        });
        if (made.triggered.length > 0) this.#options.triggered(made.triggered);
        if (made.sends !== undefined) this.#options.sends(made.sends);
        if (isOver) this.#legEnded(execution, end);
        else this.#proceed(execution);
        this.#options.settled();
      },
      (error: unknown) => {
        execution.pending -= 1;
        execution.stopTimers();
        execution.isOver = true;
        const isNoNews =
          WeirError.is(error, 'not_found') ||
          (WeirError.is(error, 'store_failed') && this.#options.isStopping());
        if (!isNoNews)
          this.#options.log('error', `A step could not be stored: ${describeError(error)}`);
        execution.fail(error);
        this.#options.legEnded(execution);
        this.#options.settled();
      },
    );
  }

  #legEnded(execution: Execution, end: ExecutionEnd | undefined): void {
    if (execution.hasResponse) execution.answer();
    else execution.unanswered(end === undefined ? 'paused' : 'ended');
    const { deployment } = execution;
    if (deployment !== undefined) this.#options.processOf(deployment.id).forget(execution.n);
    // What it was triggered by is on disk.
    execution.trigger = execution.trigger && withoutPayload(execution.trigger);
    this.#options.legEnded(execution);
    if (end !== undefined) execution.tellEnd(end.status);
  }
}

const nothingDone: Outcome = { emits: [], db: [], logs: [], exports: [] };

const notUnderstood: ThrownError = {
  name: 'ProtocolError',
  message: 'Its process said what it came to in a way that is not understood.',
};

/** A run of a step that threw. */
interface FailedRun {
  readonly row: NewStepRun;
  readonly outcome: Outcome;
  readonly requests: StepRequests;
  readonly error: ThrownError;
  /** It ended its process. */
  readonly wasLost: boolean;
}

/** What it sends goes out at the end of the leg, and is kept with it until then. */
function withSends(
  execution: Execution,
  row: NewStepRun,
  { emits }: Outcome,
  { sends: asked = [] }: StepRequests,
): NewStepRun {
  if (emits.length + asked.length === 0) return row;
  const sends = asked.map((send) => ({ path: row.path, send }));
  append(execution.emits, emits);
  append(execution.sends, sends);
  return { ...row, sends: JSON.stringify({ emits, sends }) };
}

/** Keys of a step's db are its own: two steps may have a prop of one name. */
function prefixed(writes: Outcome['db'], path: string): Outcome['db'] {
  return writes.length === 0
    ? writes
    : writes.map((write) => ({ ...write, prop: `${withoutItems(path)}.${write.prop}` }));
}

/** Epoch ms of what is due first among what waits; null when nothing waits for a time. */
function earliestOf({ waiting }: Execution): number | null {
  let earliest: number | null = null;
  for (const { pause } of waiting.values()) {
    const at = pause?.dueAt ?? null;
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
}

/** What stands before a step's name in its path: the same for steps that follow each other. */
function segmentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.') + 1);
}

/** The platform's, by what started it. */
function defaultSeconds({ trigger }: Execution): number {
  return trigger?.kind === 'timer' ? 60 : 30;
}
