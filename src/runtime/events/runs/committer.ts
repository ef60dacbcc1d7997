/** The end of runs: each becomes one commit, and the commit is announced. */
import { WeirError } from '../../../protocol/errors.ts';
import type { EventPlanner } from '../emit/planner.ts';
import type { OwnedEmitter } from '../owner/owned-emitters.ts';
import { commitAhead } from '../owner/commit-ahead.ts';
import type { Unsettled } from '../../base/ahead-of-store.ts';
import { EndOfTurn } from '../../base/end-of-turn.ts';
import { describeError } from '../../base/log.ts';
import type { CommittedInvocation, InvocationCommit } from '../../store/commit.ts';
import type { ScheduledEmit } from '../../store/history/scheduled-emits.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Outcome } from '../../processes/outcome.ts';
import { type EndStatus, planCommit } from './plan-commit.ts';
import type { Run } from './run.ts';
import type { Services } from '../services.ts';

export interface CommitterOptions
  extends UsesStore<'commit' | 'commitDue'>, Pick<Services, 'signals' | 'now' | 'log'> {
  readonly planner: Pick<EventPlanner, 'plan' | 'due' | 'notices'>;
  /** The run's end is with the store, which shows it from now on. */
  readonly handedOver: (run: Run) => void;
  /** Its end is on disk, or never will be. */
  readonly settled: (run: Run) => void;
  /** The store has refused its end: a process that is running has values in memory that the store does not have. */
  readonly refused: (run: Run) => void;
  /** Work in progress cannot be stored when the runtime ends, or has lost its folder; that was reported already. */
  readonly isStopping: () => boolean;
  /** Runs of listening emitters, which the commit has put into the inbox. */
  readonly triggered: (runs: CommittedInvocation['triggered']) => void;
}

export class Committer {
  readonly #options: CommitterOptions;
  /** Messages of a component in one turn are planned first and stored afterwards. */
  readonly #endOfTurn = new EndOfTurn();

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /** The run is over: plans its commit now, hands it to the store at the end of the turn. */
  end(run: Run, status: EndStatus, outcome: Outcome): void {
    const commit = planCommit(this.#options.planner, run, status, outcome, this.#options.now());
    run.releaseTrigger();
    // Processes that start from now on read these changes.
    const ahead = commitAhead(run.emitter, commit);
    this.#endOfTurn.add(() => this.#commit(run, commit, ahead));
  }

  /**
   * Emits scheduled by runs of the emitter are due: plans their events now, and passes them to the store at the end of
   * the turn, like the ends of runs. Resolves when they are on disk and announced.
   */
  emitDue(emitter: OwnedEmitter, emits: readonly ScheduledEmit[]): Promise<void> {
    const { store, planner, signals, triggered, now } = this.#options;
    const { id: emitterId, fence } = emitter;
    const events = planner.due(emitter, emits, now());
    return new Promise((resolve, reject) => {
      this.#endOfTurn.add(() => {
        const committed = store.commitDue({ emitterId, fence, events }).then((made) => {
          emitter.waitingEmits.remove(made);
          signals.emit('due', { emitterId, made });
          if (made.triggered.length > 0) triggered(made.triggered);
        });
        committed.then(resolve, reject);
      });
    });
  }

  /** Hands the store what has ended in this turn. */
  commitNow(): void {
    this.#endOfTurn.now();
  }

  #commit(run: Run, commit: InvocationCommit, ahead: Unsettled): void {
    const { store, signals, log, handedOver, settled, refused, triggered } = this.#options;
    handedOver(run);
    store.commit(commit).then(
      (made) => {
        ahead.stored();
        run.ended(commit);
        settled(run);
        const committed = { run, commit, made };
        signals.emit('committed', committed);
        run.committed?.(committed);
        run.caller.ended?.(commit.status);
        // Their runs wait for the commit, too: they must not see anything that a crash would undo.
        if (made.triggered.length > 0) triggered(made.triggered);
      },
      (error: unknown) => {
        ahead.refused();
        const isNews = !this.#isNoNews(error);
        if (isNews) log('error', `An invocation could not be stored: ${describeError(error)}`);
        settled(run);
        run.caller.failed?.(error);
        // Where nothing can be stored any more a process is left alone: it would make its folders anew.
        if (isNews) refused(run);
      },
    );
  }

  /** Its emitter was deleted while it ran, so nothing is missing; or the store has reported why it failed. */
  #isNoNews(error: unknown): boolean {
    if (WeirError.is(error, 'not_found')) return true;
    return WeirError.is(error, 'store_failed') && this.#options.isStopping();
  }
}
