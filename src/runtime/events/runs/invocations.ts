/**
 * The way of an event, steps 3 to 5 (docs/architecture.md): what is in the inbox of a source runs, and everything it did
 * becomes one commit; after that, and only then, others hear of it.
 */
import type { HookName, ThrownError, Trigger, Work } from '../../../protocol/host.ts';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { EventPlanner } from '../emit/planner.ts';
import type { RecoveredEmitter } from '../emitter-kind.ts';
import type { InboxEntry } from '../intake.ts';
import type { OwnedEmitter } from '../owner/owned-emitters.ts';
import type { ProcessExit } from '../../processes/host.ts';
import { describeError } from '../../base/log.ts';
import type { Committed } from '../signals.ts';
import type { CommittedInvocation } from '../../store/commit.ts';
import type { ScheduledEmit } from '../../store/history/scheduled-emits.ts';
import type { UnfinishedInvocation } from '../../store/ownership.ts';
import { readAgain } from '../../base/read-again.ts';
import type { UsesStore } from '../../store/store.ts';
import { Committer } from './committer.ts';
import type { QueueName } from './run-queue.ts';
import type { Runner } from './runner.ts';
import { stoppedExit } from '../../processes/process-exit.ts';
import { afterLoss } from './loss.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { Probation } from './probation.ts';
import { planRecovery } from './recovery.ts';
import { Run, type RunOptions } from './run.ts';
import { RunJob, type RunObserver } from './run-job.ts';
import { LiveConsole } from './live-console.ts';
import { WaitingPayloads } from './waiting-payloads.ts';
import type { Services } from '../services.ts';

export interface InvocationsOptions
  extends
    UsesStore<'accept' | 'commit' | 'commitDue' | 'failure' | 'invocations'>,
    Pick<Services, 'signals' | 'emitters' | 'now' | 'clock' | 'log'> {
  readonly planner: Pick<EventPlanner, 'plan' | 'due' | 'notices'>;
  /** How many HTTP requests of one emitter run side by side. */
  readonly httpConcurrency: number;
  /** Most of the payloads of runs that wait for their turn in memory, in bytes (`WaitingPayloads`). */
  readonly waitingBytes: number;
  /** Undefined when the emitter is gone, or switched off and this is not a hook. */
  readonly runnerOf: (emitterId: string, queue: QueueName) => Runner | undefined;
  /** Called with the runs that an event has triggered; they are in the inbox. */
  readonly triggered: (runs: CommittedInvocation['triggered']) => void;
  /** Runs of emitters that other runtimes own. */
  readonly elsewhere?: { isRunning(n: number): boolean; running(): readonly number[] };
  /** Interrupted runs run alone in it. */
  readonly probation: Pick<Probation, 'add' | 'mark' | 'begun' | 'ended' | 'forget' | 'interrupt'>;
  /** Called when a run failed because an app had answered it 401. */
  readonly unauthorized?: (emitterId: string) => void;
}

export class Invocations {
  readonly #options: InvocationsOptions;
  readonly #committer: Committer;
  /** Runs whose turn has come: number and emitter. */
  readonly #inFlight = new Map<number, OwnedEmitter>();
  readonly #said: LiveConsole;
  readonly #observer: RunObserver = {
    started: (run) => this.#started(run),
    said: (run, lines, from) => {
      // A run that is not stored is not shown, either (P7.19).
      if (!run.skipsStorage) this.#said.add(run, lines, from);
    },
    done: (run, outcome) => {
      this.#said.end(run);
      if (outcome.unauthorized === true) this.#options.unauthorized?.(run.emitter.id);
      this.#committer.end(run, outcome.error === undefined ? 'succeeded' : 'failed', outcome);
    },
    lost: (run, loss, outcome) => {
      this.#said.end(run);
      this.#lost(run, loss, outcome);
    },
    failed: (run, error) => this.#notStarted(run, error),
    leftBehind: (run) => leaveBehind(run),
    cancelled: (run) => this.#inactive(run),
  };
  /** Runs that a person stops, with callbacks for when their end is stored. */
  readonly #stopped = new Map<number, (() => void)[]>();
  readonly #waiting: WaitingPayloads;
  #stopping = false;

  constructor(options: InvocationsOptions) {
    this.#options = options;
    this.#said = new LiveConsole(options.clock, ({ n, emitter }, lines, from) =>
      options.signals.emit('said', { n, emitterId: emitter.id, lines, from }),
    );
    this.#waiting = new WaitingPayloads(options.waitingBytes);
    this.#committer = new Committer({
      ...options,
      handedOver: ({ n }) => this.#handedOver(n),
      settled: ({ n }) => options.probation.ended(n),
      refused: ({ emitter }) => options.runnerOf(emitter.id, 'hook')?.reconfigure(),
      isStopping: () => this.#stopping,
    });
  }

  /** The runtime ends: what waits or is cut off from now on stays in the inbox for the next start. */
  stop(): void {
    this.#stopping = true;
  }

  /** Reports the interrupted runs to the next owner: the rest of the inbox has not begun. */
  async close(): Promise<void> {
    this.stop();
    const { invocations } = this.#options.store;
    const cutOff = [...this.#inFlight];
    try {
      await Promise.all(
        [...new Set(cutOff.map(([, owner]) => owner))].map((owner) => {
          const own = cutOff.filter(([, emitter]) => emitter === owner);
          return invocations.markCutOff(
            owner,
            own.map(([n]) => n),
          );
        }),
      );
    } catch (error) {
      // The store has reported why it failed; the next start treats this as a crash.
      if (!WeirError.is(error, 'store_failed')) throw error;
    }
  }

  /** Runs what is in the inbox when its turn comes. */
  begin(entry: InboxEntry): void {
    this.#submit(this.#newRun(entry));
  }

  /** Keeps what is in the inbox without running it: a sample to look at and to replay. */
  endUnstarted(entry: InboxEntry): void {
    const run = this.#newRun(entry);
    const text = 'Recorded without a run, as the caller asked.';
    const logs = [{ at: run.createdAt, level: 'info' as const, text }];
    this.#committer.end(run, 'cancelled', { ...nothingProduced, logs });
    // Beside the request in one group: without its end it would run after a crash.
    this.#committer.commitNow();
  }

  /** True from its turn to its end. */
  isRunning(n: number): boolean {
    return this.#inFlight.has(n) || this.#options.elsewhere?.isRunning(n) === true;
  }

  /** How many are running in this runtime, hooks included. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Numbers of the runs whose turn has come and that have not ended, of all emitters. */
  running(): number[] {
    return [...this.#inFlight.keys(), ...(this.#options.elsewhere?.running() ?? [])];
  }

  /**
   * Ends an invocation that waits or runs: it is cancelled, with its output so far (P12.21). Resolves when that is with
   * the store, or with false if it had ended before.
   */
  async stopOne(emitterId: string, n: number): Promise<boolean> {
    const found = this.#options.runnerOf(emitterId, 'hook')?.stopJob(n) === true;
    // A run whose process is ending already for another reason is not run again, either.
    if (!found && !this.#inFlight.has(n)) return false;
    await new Promise<void>((resolve) => {
      this.#stopped.set(n, [...(this.#stopped.get(n) ?? []), resolve]);
    });
    return true;
  }

  /** Runs a hook now and resolves with its end, however it ended. Aborting the signal stops it. */
  async hook(emitterId: string, hook: HookName, signal: AbortSignal): Promise<Committed> {
    // In the inbox it would be found at the next start, as a hook that was cut off.
    if (this.#stopping) throw runtimeEnds('The runtime is stopping: no hook is run any more.');
    await this.#options.probation.interrupt();
    const emitter = this.#options.emitters.require(emitterId);
    const createdAt = this.#options.now();
    const { id, fence } = emitter;
    const { n } = this.#options.store.accept({
      emitterId: id,
      fence,
      cause: 'hook',
      hook,
      at: createdAt,
    });
    const stop = (): void => void this.stopOne(emitterId, n);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise((ended, failed) => {
        const run = { n, emitter, cause: 'hook', hook, createdAt } as const;
        this.#submit(this.#newRun({ ...run, committed: ended, caller: { failed } }));
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Turns scheduled emits of the emitter's runs into events. Resolves when they are on disk and announced. */
  emitDue(emitter: OwnedEmitter, emits: readonly ScheduledEmit[]): Promise<void> {
    return this.#committer.emitDue(emitter, emits);
  }

  /** Hands the store what has ended in this turn. Before an emitter is deleted: its runs end first. */
  commitNow(): void {
    this.#committer.commitNow();
  }

  /**
   * Takes up what the last owner of these emitters left in the inbox, oldest first. In the turn of this
   * call everything has its place in the queues, before anything that comes in later.
   */
  recover(taken: readonly RecoveredEmitter[]): void {
    const again: Run[] = [];
    for (const { emitter, ...left } of taken) {
      const plan = planRecovery(left, this.#options.httpConcurrency);
      for (const { record, trigger, error } of plan.givenUp) {
        const startedAt = record.startedAt ?? record.createdAt;
        const run = this.#newRun({ ...runOf(emitter, record, trigger), startedAt });
        this.#endUnrun(run, 'crashed', error);
      }
      const { probation } = this.#options;
      for (const { record, trigger, attempt, suspect, suspicion } of plan.again) {
        const { n } = record;
        const outlived = suspect?.outlived ?? 0;
        if (suspicion?.isAlone === true) {
          probation.mark(emitter, { n, attempt, outlived, isAlone: false });
        }
        if (suspect !== undefined) probation.add(emitter, { n, attempt, outlived });
        again.push(this.#newRun(runOf(emitter, { ...record, attempt }, trigger)));
      }
    }
    for (const run of again.sort((a, b) => a.n - b.n)) this.#submit(run);
  }

  #newRun(options: RunOptions): Run {
    const run = new Run(options);
    const { emitter } = options;
    if (run.n >= (emitter.lastRun?.n ?? 0)) emitter.lastRun = run;
    this.#options.signals.emit('invocation', run);
    return run;
  }

  /** The emitter runs at another node from now on. */
  transferredOut(emitterId: string): void {
    this.#options.probation.forget(emitterId);
  }

  #submit(run: Run): void {
    if (run.work === undefined) return;
    if (this.#stopping) {
      leaveBehind(run);
      return;
    }
    const runner = this.#options.runnerOf(run.emitter.id, run.queue);
    if (runner === undefined) {
      this.#inactive(run);
      return;
    }
    this.#waiting.enter(run);
    const work = run.isParked ? () => this.#readWork(run) : run.work;
    runner.submit(new RunJob(run, work, this.#observer));
  }

  #inactive(run: Run): void {
    this.#waiting.leave(run);
    const error = { name: 'Inactive', message: 'The source is switched off or gone.' };
    this.#committer.end(run, 'cancelled', { ...nothingProduced, error });
  }

  #started(run: Run): void {
    this.#waiting.leave(run);
    run.startedAt = this.#options.now();
    this.#inFlight.set(run.n, run.emitter);
    this.#options.probation.begun(run.n);
    this.#options.signals.emit('invocation', run);
  }

  #notStarted(run: Run, error: unknown): void {
    this.#waiting.leave(run);
    if (this.#stopping) {
      leaveBehind(run);
      return;
    }
    const thrown = { name: 'LoadError', message: messageOf(error) };
    this.#endUnrun(run, 'failed', thrown);
  }

  #handedOver(n: number): void {
    this.#inFlight.delete(n);
    for (const resolve of this.#stopped.get(n) ?? []) resolve();
    this.#stopped.delete(n);
  }

  /** @throws when it is not there any more */
  async #readWork(run: Run): Promise<Work> {
    await this.#unpark(run);
    const { work } = run;
    if (run.isParked || work === undefined) throw new Error('Its trigger is gone from the store.');
    return work;
  }

  async #unpark(run: Run): Promise<void> {
    const { store, clock } = this.#options;
    const waits = { store, clock, isOver: () => this.#stopping };
    const trigger = await readAgain(waits, () => store.invocations.trigger(run.n));
    if (trigger !== undefined) run.unpark(trigger);
  }

  /** Nothing of it has run. The notice of its failure has the payload that triggered it. */
  #endUnrun(run: Run, status: 'failed' | 'crashed', error: ThrownError): void {
    const end = (): void => this.#committer.end(run, status, { ...nothingProduced, error });
    if (run.isParked) this.#unpark(run).then(end, end);
    else end();
  }

  #lost(run: Run, loss: ProcessExit, outcome: Outcome): void {
    this.#waiting.leave(run);
    if (this.#stopping) {
      leaveBehind(run);
      return;
    }
    const next = afterLoss(this.#stopped.has(run.n) ? stoppedExit(true) : loss, run.attempt);
    if (next.next === 'end') {
      this.#committer.end(run, next.status, { ...outcome, error: next.error });
      return;
    }
    this.#inFlight.delete(run.n);
    run.startedAt = undefined;
    if (next.spendsAttempt) this.#countAttempt(run);
    this.#options.signals.emit('invocation', run);
    this.#submit(run);
  }

  #countAttempt(run: Run): void {
    run.attempt += 1;
    this.#options.store.invocations.retry(run.emitter, [run.n]).catch((error: unknown) => {
      this.#options.log('error', `An attempt could not be counted: ${describeError(error)}`);
    });
  }
}

/** It stays in the inbox as it is. Waiting callers learn that it will not be answered. */
function leaveBehind(run: Run): void {
  run.caller.failed?.(
    runtimeEnds('The runtime is stopping; what has not ended runs again at its next start.'),
  );
}

const runtimeEnds = (message: string): WeirError => new WeirError('runtime_unavailable', message);

const nothingProduced: Outcome = { emits: [], db: [], logs: [], exports: [] };

function runOf(
  emitter: OwnedEmitter,
  { n, cause, hook, createdAt, attempt, replayOf }: UnfinishedInvocation['record'],
  trigger: Trigger | undefined,
): RunOptions {
  return {
    n,
    emitter,
    cause,
    trigger,
    hook: hook ?? undefined,
    createdAt,
    attempt,
    replayOf: replayOf ?? undefined,
    isParked: trigger !== undefined,
  };
}
