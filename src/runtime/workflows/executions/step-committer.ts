/** Stores the progress of executions: one commit after the other, and each commit is announced. */
import { WeirError } from '../../../protocol/errors.ts';
import type { EventPlanner } from '../../events/emit/planner.ts';
import { commitAhead } from '../../events/owner/commit-ahead.ts';
import { describeError } from '../../base/log.ts';
import type {
  CommittedInvocation,
  ErrorNotification,
  ExecutionEnd,
  StepCommit,
} from '../../store/commit.ts';
import type { SendRecord } from '../../store/history/sends.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Execution } from './execution.ts';
import { planStepCommit, type StepChange } from './plan-step-commit.ts';
import type { Services } from '../../events/services.ts';

export interface StepCommitterOptions
  extends UsesStore<'commitStep'>, Pick<Services, 'signals' | 'clock' | 'log'> {
  readonly planner: Pick<EventPlanner, 'plan' | 'notices'>;
  /** Hides the values of environment variables in what is logged (W50). */
  readonly mask: (text: string) => string;
  readonly isStopping: () => boolean;
  /** The runs that its events started, which are in the inbox already. */
  readonly triggered: (runs: CommittedInvocation['triggered']) => void;
  /** The sends, which are on disk. */
  readonly sends: (records: readonly SendRecord[]) => void;
  /** False where only that it ran is kept (P25.5). */
  readonly isKept: (execution: Execution) => boolean;
  readonly contextOf: (execution: Execution) => object;
  /** The notification of an execution that ended in this way (P25.75). */
  readonly notificationOf: (
    execution: Execution,
    end: ExecutionEnd,
  ) => ErrorNotification | undefined;
  /** It is on disk. */
  readonly stored: (execution: Execution, change: StepChange) => void;
  /** It could not be stored; the execution does not continue. */
  readonly failed: (execution: Execution) => void;
}

export class StepCommitter {
  readonly #options: StepCommitterOptions;

  constructor(options: StepCommitterOptions) {
    this.#options = options;
  }

  /** Plans the commit now, and hands it to the store. Nothing is written of an execution that has ended. */
  commit(execution: Execution, change: StepChange): void {
    if (execution.isOver) return;
    const { planner, clock, mask, isKept, contextOf, notificationOf, store, stored } =
      this.#options;
    const { end, pause, step } = change;
    execution.isOver = end !== undefined;
    const commit = planStepCommit(execution, change, {
      planner,
      now: clock.now(),
      isKept: isKept(execution),
      mask,
      context: () => contextOf(execution),
      notificationOf: (ended) => notificationOf(execution, ended),
    });
    if (commit.sendsOut) {
      execution.emits = [];
      execution.sends = [];
      execution.stopTimers();
    }
    if (step !== undefined) {
      execution.attempt = 1;
      execution.isCutOff = false;
    }
    execution.resumed = undefined;
    execution.unkeptResponse = undefined;
    const ahead = commitAhead(execution.emitter, commit);
    execution.pending += 1;
    store.commitStep(commit).then(
      (made) => {
        ahead.stored();
        execution.pending -= 1;
        if (end !== undefined) execution.ended(end.status, end.at, end.error);
        else if (pause !== undefined) execution.paused();
        this.#tell(execution, commit, made);
        stored(execution, change);
      },
      (error: unknown) => {
        ahead.refused();
        this.#notStored(execution, error);
      },
    );
  }

  #tell(execution: Execution, commit: StepCommit, made: CommittedInvocation): void {
    const { signals, triggered, sends } = this.#options;
    const { n, emitterId, events, drops, scheduled, notices, step, logs, end } = commit;
    signals.emit('committed', {
      run: execution,
      commit: {
        n,
        emitterId,
        events,
        drops,
        scheduled,
        notices,
        logs: [...(step?.logs ?? []), ...logs],
        error: end?.error,
        status: execution.record().status,
      },
      made,
    });
    if (made.triggered.length > 0) triggered(made.triggered);
    if (made.sends !== undefined) sends(made.sends);
  }

  /** Its workflow was deleted, so nothing is missing; or the store has reported why it failed. */
  #notStored(execution: Execution, error: unknown): void {
    const { log, isStopping, failed } = this.#options;
    execution.pending -= 1;
    execution.stopTimers();
    execution.isOver = true;
    const isNoNews =
      WeirError.is(error, 'not_found') || (WeirError.is(error, 'store_failed') && isStopping());
    if (!isNoNews) log('error', `A step could not be stored: ${describeError(error)}`);
    execution.fail(error);
    failed(execution);
  }
}
