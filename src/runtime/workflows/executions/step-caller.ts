/** Calls steps and blocks in the process of their deployment, which is started when none runs. */
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { ConsoleLine, ThrownError, Trigger, Work } from '../../../protocol/host.ts';
import { messageOf } from '../../../protocol/errors.ts';
import type { WorkHold } from '../../events/work-hold.ts';
import type { ProcessExit } from '../../processes/host.ts';
import { stoppedExit } from '../../processes/process-exit.ts';
import { type Outcome, OutcomeRecorder } from '../../processes/outcome.ts';
import type { StepOverride, StepRun } from '../../store/history/executions.ts';
import type { ActionTask, BlockTask, Walk } from '../walk/walk.ts';
import type { Execution, RunningStep } from './execution.ts';
import { timeLimit } from './execution-end.ts';
import type { ExecutionKeys } from './keys.ts';
import type { StepInFlight } from './step-end.ts';
import type { WorkflowProcesses } from './workflow-processes.ts';
import {
  componentOf,
  type LiveProcess,
  type StepCode,
  type WorkflowProcess,
} from './workflow-process.ts';
import type { BaseServices } from '../../base/services.ts';

export interface StepCallerOptions extends Pick<BaseServices, 'clock'> {
  readonly keys: ExecutionKeys;
  readonly processesOf: (deploymentId: string) => WorkflowProcesses;
  /** @throws WeirError('not_found') when its code is gone */
  readonly stepCode: (
    deploymentId: string,
    task: ActionTask,
    override: StepOverride | undefined,
  ) => StepCode;
  readonly resumeUrl: (token: string, action: 'resume' | 'cancel') => string;
  /** `$.context` of a step. */
  readonly contextOf: (execution: Execution, path: string) => object;
  /** Hides the values of environment variables in what a step throws (W50). */
  readonly mask: (text: string) => string;
  /** A process is ready, and runs a step of it from now on. */
  readonly stepBegins: (execution: Execution) => void;
  /** Restarts the time limit (P25.23). */
  readonly restartTimeout: (execution: Execution) => void;
  readonly isStopping: () => boolean;
  /** Whether anything may begin. */
  readonly hold: Pick<WorkHold, 'isHeld'>;
  /** Fewer steps are running than before, or something was stored or could not be. */
  readonly becameIdle: () => void;
  /**
   * Refreshes the tokens of a step's accounts that would expire during the step; undefined if none is due.
   * @param ms the longest that the step may take
   */
  readonly refreshExpiring: (
    deployment: WorkflowDeploymentRecord,
    task: ActionTask,
    override: StepOverride | undefined,
    ms: number,
  ) => Promise<void> | undefined;
  /** A step failed because an app had answered it 401. */
  readonly unauthorized: (deployment: WorkflowDeploymentRecord) => void;
}

/** The outcome of a call. Nothing is reported if the execution has ended by then. */
export interface CallObserver {
  done(outcome: Outcome): void;
  /** Its process ended first; the outcome is what had arrived by then. */
  lost(loss: ProcessExit, outcome: Outcome): void;
}

/** A call as the process is asked for it. */
interface Call {
  readonly path: string;
  readonly running: Omit<RunningStep, 'work' | 'process'>;
  /** For a step: its code and props, and their names in calls. */
  readonly code?: (() => StepCode) | undefined;
  readonly component?: string;
  /** A preparation; undefined if none is needed. */
  readonly fresh?: () => Promise<void> | undefined;
  /** It was cut off, and nobody knows by what (P25.24). */
  readonly isAlone?: boolean;
  /** @param isKnown the process knows this execution already */
  readonly work: (isKnown: boolean) => Work;
}

export class StepCaller {
  readonly #options: StepCallerOptions;
  /** Calls whose process is ready while nothing may begin. */
  #held: (() => void)[] = [];

  constructor(options: StepCallerOptions) {
    this.#options = options;
  }

  /** Begins the calls that were held back. */
  goOn(): void {
    const held = this.#held;
    this.#held = [];
    for (const start of held) start();
  }

  step(execution: Execution, walk: Walk, step: StepInFlight, observer: CallObserver): void {
    const { deployment } = execution;
    if (deployment === undefined) return;
    const { task, run, attempt, startedAt, rerunContext, callback, cutOffs = 0 } = step;
    const { path } = task;
    const { keys, resumeUrl, stepCode, refreshExpiring } = this.#options;
    const isIsolated = deployment.definition.settings.isolateSteps;
    const token = keys.resumeToken({ execution: execution.n, path, run });
    const component = componentOf(task, execution.override);
    const call: Call = {
      path,
      running: { run, attempt, startedAt },
      isAlone: cutOffs > 0,
      code: () => stepCode(deployment.id, task, execution.override),
      component,
      fresh: () =>
        refreshExpiring(deployment, task, execution.override, timeLimit(execution) * 1000),
      work: (isKnown) => ({
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
          ...(isIsolated && { leg: execution.leg }),
          ...(rerunContext !== undefined && { rerunContext }),
          ...(callback !== undefined && { callback }),
        },
      }),
    };
    this.#call(execution, call, observer);
  }

  /**
   * A block's decision: which of its branches run, or the items of a list.
   * @param cutOffs how often it was interrupted for an unknown reason
   */
  block(
    execution: Execution,
    walk: Walk,
    { path, step, namespace }: BlockTask,
    { startedAt, cutOffs }: { readonly startedAt: number; readonly cutOffs: number },
    observer: CallObserver,
  ): void {
    const { control, branches, otherwise, on } = step;
    const call: Call = {
      path,
      running: { run: 1, attempt: 1, startedAt },
      isAlone: cutOffs > 0,
      work: (isKnown) => ({
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
      }),
    };
    this.#call(execution, call, observer);
  }

  /** Makes the event of a request that resumed a step, as JSON text. */
  resumeData(execution: Execution, row: StepRun, trigger: Trigger, observer: CallObserver): void {
    const { path, run, attempt, startedAt } = row;
    const running = { run, attempt, startedAt };
    this.#call(execution, { path, running, work: () => ({ call: 'event', trigger }) }, observer);
  }

  #scope(execution: Execution, walk: Walk, path: string, isKnown: boolean) {
    const { trigger } = execution;
    return {
      ...(!isKnown && trigger !== undefined && { trigger }),
      steps: Object.fromEntries(walk.scope(path)),
      context: JSON.stringify(this.#options.contextOf(execution, path)),
    };
  }

  #call(execution: Execution, call: Call, observer: CallObserver): void {
    const { deployment } = execution;
    if (deployment === undefined) return;
    const { path, running } = call;
    const { processesOf, restartTimeout, isStopping } = this.#options;
    const failed = (error: unknown): void => {
      if (!hasEnded(execution, path) || isStopping()) return;
      const thrown = { name: 'LoadError', message: messageOf(error) };
      observer.done({ ...nothingDone, error: thrown });
    };
    const processes = processesOf(deployment.id);
    const process =
      call.isAlone === true
        ? processes.alone(execution.n, path)
        : processes.of(call.code === undefined ? '' : path);
    // 0: it waits for a process, or for a new token.
    execution.running.set(path, { ...running, work: 0, process });
    const open = (hasWaited: boolean): void => {
      const live = process.open();
      if (live instanceof Promise || hasWaited) {
        Promise.resolve(live)
          .then((started) => {
            // Neither the start of a process nor a new token is time of the workflow's.
            if (!execution.isOver) restartTimeout(execution);
            this.#start(execution, call, process, started, observer);
          })
          .catch(failed);
      } else this.#start(execution, call, process, live, observer);
    };
    try {
      const fresh = call.fresh?.();
      if (fresh === undefined) open(false);
      else {
        fresh
          .then(() => {
            if (!execution.isOver) open(true);
          })
          .catch(failed);
      }
    } catch (error) {
      // Not within the turn that starts it, whose caller would continue with an execution that this has ended.
      queueMicrotask(() => failed(error));
    }
  }

  #start(
    execution: Execution,
    call: Call,
    process: WorkflowProcess,
    live: LiveProcess,
    observer: CallObserver,
  ): void {
    const { path, running, code, component, work } = call;
    if (execution.isOver) return;
    if (this.#options.isStopping()) {
      // It begins with the next owner.
      execution.running.delete(path);
      this.#options.becameIdle();
      return;
    }
    if (this.#options.hold.isHeld) {
      this.#held.push(() => this.#start(execution, call, process, live, observer));
      return;
    }
    if (execution.stopping !== undefined) {
      execution.running.delete(path);
      observer.lost(stoppedExit(true), nothingDone);
      return;
    }
    this.#options.stepBegins(execution);
    const recorder = this.#recorder(execution, path, observer);
    const n = process.call(live, execution.n, code, component ?? '', work, recorder);
    execution.running.set(path, { ...running, work: n, process });
  }

  #recorder(execution: Execution, path: string, observer: CallObserver): OutcomeRecorder {
    const { clock, mask, isStopping, restartTimeout, unauthorized } = this.#options;
    const warnings: ConsoleLine[] = [];
    const shown = (outcome: Outcome): Outcome => {
      const { error, logs } = outcome;
      return {
        ...outcome,
        ...(warnings.length > 0 && { logs: [...logs, ...warnings] }),
        ...(error !== undefined && { error: masked(error, mask) }),
      };
    };
    return new OutcomeRecorder({
      respond: (response) => {
        if (execution.respond(response, path)) return execution.answered();
        if (execution.test !== undefined) return undefined;
        const warning = execution.warnOfRespond(clock.now());
        if (warning !== undefined) warnings.push(warning);
        return undefined;
      },
      refreshTimeout: () => restartTimeout(execution),
      done: (outcome) => {
        const { deployment } = execution;
        if (outcome.unauthorized === true && deployment) unauthorized(deployment);
        if (hasEnded(execution, path)) observer.done(shown(outcome));
      },
      lost: (loss, outcome) => {
        if (!hasEnded(execution, path) || isStopping()) return;
        // The process says why it ends in its code's own words.
        observer.lost(masked(loss, mask), shown(outcome));
      },
    });
  }
}

const nothingDone: Outcome = { emits: [], db: [], logs: [], exports: [] };

/** A call has ended. @returns false when nobody waits for it any more */
function hasEnded(execution: Execution, path: string): boolean {
  execution.running.delete(path);
  return !execution.isOver;
}

/** A thrown error may hold the value of a variable, and is shown and stored in many places (W50). */
function masked<T extends Pick<ThrownError, 'message' | 'stack'>>(
  error: T,
  mask: (text: string) => string,
): T {
  const { message, stack } = error;
  return { ...error, message: mask(message), ...(stack !== undefined && { stack: mask(stack) }) };
}
