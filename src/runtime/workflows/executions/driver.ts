/**
 * Runs executions, step by step: a step that may start is called in the workflow's process, its end becomes one
 * commit, and when that is on disk the next step starts. What a leg sends goes out with its last commit.
 */
import {
  type BlockChoice,
  type StepRequests,
  type ThrownError,
  type Trigger,
  withoutPayload,
  type Work,
} from '../../../protocol/host.ts';
import { describeError, type Log } from '../../log.ts';
import type { Clock } from '../../clock.ts';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { EventPlanner } from '../../emit/planner.ts';
import type { Host, Loss } from '../../hosts/host.ts';
import { lossError } from '../../hosts/loss.ts';
import { append, type Outcome, OutcomeRecorder } from '../../hosts/outcome.ts';
import type { Signals } from '../../signals.ts';
import type { CommittedInvocation, ExecutionEnd, StepCommit } from '../../store/commit.ts';
import type { NewStepRun, ResumeHit, StepPause, StepRun } from '../../store/history/executions.ts';
import type { NewLog } from '../../store/history/logs.ts';
import type { SendRecord } from '../../store/history/sends.ts';
import type { Store } from '../../store/store.ts';
import type { ActionTask, BlockTask, StepResult, Walk } from '../walk/walk.ts';
import type { Execution } from './execution.ts';
import { hitFor, restore } from './journal.ts';
import type { ExecutionKeys } from './keys.ts';
import {
  type Decision,
  failureOf,
  handedOn,
  readRequests,
  resultOf,
  withExport,
} from './step-outcome.ts';
import { contextOf } from './step-context.ts';
import type { StepCode, WorkflowProcess } from './workflow-process.ts';

export interface DriverOptions {
  readonly store: Pick<Store, 'commitStep' | 'executions' | 'invocations' | 'workflows'>;
  readonly signals: Signals;
  readonly planner: Pick<EventPlanner, 'plan' | 'notices'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly keys: ExecutionKeys;
  readonly processOf: (deploymentId: string) => WorkflowProcess;
  /** @throws WeirError('not_found') when its code is gone */
  readonly stepCode: (deploymentId: string, task: ActionTask) => StepCode;
  readonly resumeUrl: (token: string, action: 'resume' | 'cancel') => string;
  /** The leg of an execution is over: it has ended, or waits. */
  readonly legEnded: (execution: Execution) => void;
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

  /** Ends it now, if it can, or as soon as its process is gone. */
  cancel(execution: Execution, why: 'cancelled' | 'timed_out'): void {
    execution.stopping ??= why;
    if (execution.running.size === 0) {
      if (execution.pending === 0) this.#endStopped(execution);
      return;
    }
    const { deployment } = execution;
    const host = deployment && this.#options.processOf(deployment.id).host;
    for (const n of execution.running.values()) host?.stop(n);
  }

  /** A request that ends a pause came while the execution is in memory. */
  hitArrived(execution: Execution): void {
    // While something runs or is written, its end looks for it.
    if (execution.running.size === 0 && execution.pending === 0) this.#proceed(execution);
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

  /** A limit over the steps of a leg together (W14). It stands still while a debugger is attached. */
  #limitTime(execution: Execution): void {
    const { deployment } = execution;
    if (deployment === undefined) return;
    const seconds = deployment.definition.settings.timeoutSeconds ?? defaultSeconds(execution);
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
    const { walk } = execution;
    if (this.#options.isStopping() || walk === undefined || execution.pending > 0) return;
    if (execution.stopping !== undefined && execution.running.size === 0) {
      this.#endStopped(execution);
      return;
    }
    this.#resumeWaiting(execution, walk);
    for (const task of walk.ready()) {
      walk.take(task);
      if (task.kind === 'block') this.#startBlock(execution, task);
      else this.#startStep(execution, this.#firstRun(task));
    }
    if (execution.running.size > 0) return;
    if (walk.state !== 'going') this.#end(execution, endOf(execution, walk));
    else if (execution.waiting.size > 0) this.#pause(execution);
  }

  /** Steps whose wait is over: by their time, or by a request. */
  #resumeWaiting(execution: Execution, walk: Walk): void {
    const now = this.#options.clock.now();
    for (const [path, row] of execution.waiting) {
      const { pause } = row;
      const hit = hitFor(execution.hits, path, row.run);
      const isDue = pause?.dueAt !== null && pause !== null && pause.dueAt <= now;
      if (pause === null || (hit === undefined && !isDue)) continue;
      const task = walk.task(path);
      execution.waiting.delete(path);
      if (hit?.action === 'cancel') {
        execution.stopping ??= 'cancelled';
        continue;
      }
      if (pause.kind === 'rerun' || pause.kind === 'retry') {
        if (task?.kind === 'action') this.#runAgain(execution, task, row, pause, hit);
        continue;
      }
      if (pause.kind === 'suspend' && hit === undefined) {
        // The newest word of the platform is that a wait that nobody ends cancels the execution (W19).
        execution.stopping ??= 'cancelled';
        execution.failure = {
          name: 'Suspended',
          message: `${path} was not resumed in time.`,
        };
        continue;
      }
      this.#resumeAfter(execution, walk, row, hit);
    }
    if (execution.stopping !== undefined && execution.running.size === 0) {
      this.#endStopped(execution);
    }
  }

  /** After `delay` and `suspend` the next step runs; the request that resumed it is `$resume_data` (W20). */
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
    this.#call(execution, row.path, undefined, '', () => ({ call: 'event', trigger }), {
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
      rerunContext: pause.context,
      callback: hit?.trigger,
    });
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
    const component = task.step.namespace + task.step.line;
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
    this.#call(execution, path, () => stepCode(deployment.id, task), component, call, {
      done: (outcome) => this.#stepEnded(execution, step, outcome),
      lost: (loss, outcome) => {
        const error = lossError(loss);
        if (execution.stopping !== undefined) this.#stepCut(execution, step, outcome, error);
        else if (loss.atFault) this.#stepEnded(execution, step, { ...outcome, error }, true);
        // Another step, or a person, ended the process: it runs again, and that does not count.
        else if (!this.#options.isStopping()) this.#startStep(execution, step);
      },
    });
  }

  #startBlock(execution: Execution, task: BlockTask): void {
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
    this.#call(execution, path, undefined, '', call, {
      done: (outcome) => {
        const choice =
          outcome.error === undefined && outcome.result !== undefined
            ? (JSON.parse(outcome.result) as BlockChoice)
            : undefined;
        if (choice === undefined) {
          const error = outcome.error ?? { name: 'Error', message: 'It was not decided.' };
          const failed = { failed: { continue: false } };
          execution.failure ??= failureOf(path, error);
          this.#commit(execution, row(outcome, failed, error), failed);
        } else {
          this.#commit(execution, row(outcome, choice, null), choice);
        }
      },
      lost: (loss, outcome) => {
        const error = lossError(loss);
        if (execution.stopping !== undefined) {
          this.#proceed(execution);
        } else if (loss.atFault) {
          const failed = { failed: { continue: false } };
          execution.failure ??= failureOf(path, error);
          this.#commit(execution, row(outcome, failed, error), failed);
        } else if (!this.#options.isStopping()) {
          this.#startBlock(execution, task);
        }
      },
    });
  }

  #scope(execution: Execution, walk: Walk, path: string, isKnown: boolean) {
    const { trigger, deployment } = execution;
    return {
      ...(!isKnown && trigger !== undefined && { trigger }),
      steps: Object.fromEntries(walk.scope(path)),
      context: JSON.stringify(
        contextOf({
          execution,
          keys: this.#options.keys,
          workflow: this.#options.store.workflows.get(execution.emitter.id),
          deploymentId: deployment?.id ?? '',
          path,
        }),
      ),
    };
  }

  /** Calls the workflow's process, which is started when none runs. */
  #call(
    execution: Execution,
    path: string,
    step: (() => StepCode) | undefined,
    component: string,
    work: (isKnown: boolean) => Work,
    told: {
      readonly done: (outcome: Outcome) => void;
      readonly lost: (loss: Loss, outcome: Outcome) => void;
    },
  ): void {
    const { deployment } = execution;
    if (deployment === undefined) return;
    const process = this.#options.processOf(deployment.id);
    const start = (live: Awaited<ReturnType<WorkflowProcess['open']>>): void => {
      const recorder = new OutcomeRecorder({
        respond: (response) => {
          if (execution.trigger?.kind !== 'http') return;
          execution.respond(response);
        },
        done: (outcome) => {
          execution.running.delete(path);
          told.done(outcome);
        },
        lost: (loss, outcome) => {
          execution.running.delete(path);
          told.lost(loss, outcome);
        },
      });
      execution.running.set(path, process.call(live, execution.n, step, component, work, recorder));
    };
    const failed = (error: unknown): void => {
      execution.running.delete(path);
      if (this.#options.isStopping()) return;
      const thrown = { name: 'LoadError', message: messageOf(error) };
      told.done({ emits: [], db: [], logs: [], exports: [], error: thrown });
    };
    // 0: it waits for a process.
    execution.running.set(path, 0);
    try {
      const opened = process.open();
      if (opened instanceof Promise) opened.then(start).catch(failed);
      else start(opened);
    } catch (error) {
      failed(error);
    }
  }

  #stepEnded(execution: Execution, step: StepInFlight, outcome: Outcome, wasLost = false): void {
    const { task } = step;
    const { path, namespace } = task;
    let { error } = outcome;
    let requests: StepRequests = {};
    try {
      requests = readRequests(outcome.result);
    } catch {
      error ??= {
        name: 'Error',
        message: 'Its process said what it asked for in a way that is not understood.',
      };
    }
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
        pause: { kind: 'retry', dueAt },
        exports: withExport({ exports: row.exports ?? '{}' }, '$attempt', String(attempt)).exports,
      };
      execution.waiting.set(task.path, again);
      this.#commit(execution, again, undefined, outcome.db);
      return;
    }
    const goesOn = onError === 'continue';
    if (!goesOn) execution.failure ??= failureOf(task.path, error);
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
    const row = this.#row(execution, path, namespace, run, attempt, startedAt, outcome, error);
    this.#commit(execution, { ...row, status: 'cancelled' }, undefined);
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
    if (!execution.isNotStored)
      for (const line of outcome.logs) {
        logs.push({ ...line, text: this.#options.mask(line.text), kind: 'console' });
      }
    const endedAt = this.#options.clock.now();
    if (error !== null) {
      const text = this.#options.mask(error.stack ?? `${error.name}: ${error.message}`);
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
    if (walk === undefined) return;
    if (result !== undefined) walk.ended(step.path, result);
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

  /** A request came before the pause was stored (W17). */
  #isResumedAlready(execution: Execution): boolean {
    const now = this.#options.clock.now();
    return [...execution.waiting.values()].some(
      ({ path, run, pause }) =>
        hitFor(execution.hits, path, run) !== undefined ||
        (pause !== null && pause.dueAt !== null && pause.dueAt <= now),
    );
  }

  #pause(execution: Execution, step?: NewStepRun, db: Outcome['db'] = []): void {
    const times = [...execution.waiting.values()].flatMap(({ pause }) =>
      pause === null || pause.dueAt === null ? [] : [pause.dueAt],
    );
    const wakeAt = times.length === 0 ? null : Math.min(...times);
    this.#write(execution, {
      step,
      pause: { wakeAt },
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
    const { store, signals, planner, clock } = this.#options;
    const { n, emitter } = execution;
    const { step, end, pause } = change;
    const now = clock.now();
    const isOver = end !== undefined || pause !== undefined;
    const plan = isOver ? planner.plan(emitter, execution.emits, now, execution.hops) : undefined;
    const logs: NewLog[] = end === undefined ? [] : [endLine(execution, end)];
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
              trigger: execution.isNotStored ? undefined : execution.trigger,
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
      forgetTrigger: end !== undefined && execution.isNotStored,
    };
    execution.resumed = undefined;
    emitter.db.apply(change.db);
    execution.pending += 1;
    if (isOver) {
      execution.cancelTimer?.();
      execution.cancelTimer = undefined;
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
      },
      (error: unknown) => {
        execution.pending -= 1;
        execution.cancelTimer?.();
        const isNoNews =
          WeirError.is(error, 'not_found') ||
          (WeirError.is(error, 'store_failed') && this.#options.isStopping());
        if (!isNoNews)
          this.#options.log('error', `A step could not be stored: ${describeError(error)}`);
        execution.fail(error);
        this.#options.legEnded(execution);
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
    : writes.map((write) => ({ ...write, prop: `${namespaceOf(path)}.${write.prop}` }));
}

/** Without the items of a loop, which share it. */
export function namespaceOf(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '');
}

function endOf(execution: Execution, walk: Walk): Omit<ExecutionEnd, 'at'> {
  if (walk.state === 'failed') {
    return { status: 'failed', reason: null, error: execution.failure };
  }
  return { status: 'succeeded', reason: walk.reason };
}

function stopped({ stopping, failure }: Execution): Omit<ExecutionEnd, 'at'> {
  if (stopping === 'timed_out') {
    const message =
      'It took longer than its time limit (settings.lambda_timeout in workflow.yaml).';
    return { status: 'timed_out', reason: null, error: { name: 'Timeout', message } };
  }
  return { status: 'cancelled', reason: failure?.message ?? 'It was cancelled.' };
}

/** The platform's, by what started it. */
function defaultSeconds({ trigger }: Execution): number {
  return trigger?.kind === 'timer' ? 60 : 30;
}

function endLine(execution: Execution, { status, reason, at }: ExecutionEnd): NewLog {
  const ms = Math.max(0, at - (execution.startedAt ?? execution.createdAt));
  const time = ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
  const text = `execution ${status} in ${time}${reason === null ? '' : ` · ${reason}`}`;
  const isFine = status === 'succeeded' || status === 'cancelled';
  return { at, kind: 'end', level: isFine ? 'info' : 'error', text };
}

/** Whose process it is, for those who debug it. */
export type StepHost = Host;
