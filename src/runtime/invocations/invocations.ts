/**
 * Steps 2 to 5 of the way of an event (architecture.md): a trigger becomes an invocation in the inbox, the
 * invocation runs, and everything it did becomes one commit; after that, and only then, others hear
 * of it.
 */
import type { HookName, HostResponse, Trigger, Work } from '../../protocol/host.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { EndOfTurn } from '../end-of-turn.ts';
import type { EventPlanner } from '../emit/planner.ts';
import type { Log } from '../log.ts';
import { describeError } from '../log.ts';
import type { Committed, Signals } from '../signals.ts';
import type { InvocationCommit } from '../store/commit.ts';
import type { InvocationCause } from '../store/history/invocations.ts';
import type { NewLog } from '../store/history/logs.ts';
import type { Store } from '../store/store.ts';
import { endLine, errorLine } from './end-line.ts';
import type { Lane, LiveSource } from './live-source.ts';
import { afterLoss, afterRestart, type Verdict } from './loss.ts';
import { Recorder, type Ending } from './recorder.ts';
import { runNotices } from './run-notices.ts';

export interface InvocationsOptions {
  readonly store: Store;
  readonly signals: Signals;
  readonly planner: EventPlanner;
  readonly now: () => number;
  readonly log: Log;
  /** The live source; undefined when it is gone, or switched off and this is no hook. */
  readonly live: (sourceId: string, lane: Lane) => LiveSource | undefined;
}

/** What the caller of a run wants to hear. */
export interface Listener {
  /** `this.http.respond(…)`: once at most. */
  readonly respond?: (response: HostResponse) => void;
  /** Everything is on disk. */
  readonly ended?: (committed: Committed) => void;
  /** Nothing of its end could be stored: the store failed, or the source is gone. */
  readonly failed?: (error: unknown) => void;
}

export interface Accepted {
  readonly n: number;
  /** Resolves when the invocation is in the inbox on disk: now the caller may be told. */
  readonly durable: Promise<void>;
}

interface Running {
  readonly n: number;
  readonly sourceId: string;
  readonly cause: InvocationCause;
  readonly work: Work;
  readonly lane: Lane;
  readonly listener: Listener;
  attempt: number;
  startedAt: number;
}

export class Invocations {
  readonly #options: InvocationsOptions;
  /** Numbers of those whose turn has come: the store knows them as queued until they end. */
  readonly #inFlight = new Set<number>();
  /** What a component said in one turn is planned first and stored afterwards. */
  readonly #endOfTurn = new EndOfTurn();
  /** What an earlier runtime may have begun: the next attempt is counted when its turn comes. */
  readonly #cutOff = new Set<number>();
  #recovered = false;
  #stopping = false;

  constructor(options: InvocationsOptions) {
    this.#options = options;
  }

  /** The runtime ends: what waits or is cut off from now on stays in the inbox for the next start. */
  stop(): void {
    this.#stopping = true;
  }

  /** Tells the next start what was cut off: all else in the inbox has not begun, and no attempt counts. */
  async close(): Promise<void> {
    this.stop();
    if (!this.#recovered) return;
    const numbers = JSON.stringify([...this.#inFlight, ...this.#cutOff]);
    try {
      await this.#options.store.settings.set(cutOffSetting, numbers);
    } catch (error) {
      // The store said why when it failed; the next start takes it for a crash.
      if (!WeirError.is(error, 'store_failed')) throw error;
    }
  }

  /** Puts a trigger into the inbox and runs it when its turn comes. */
  accept(
    sourceId: string,
    trigger: Trigger,
    cause: InvocationCause,
    listener: Listener = {},
    replayOf?: number,
  ): Accepted {
    const at = this.#options.now();
    const accepted = this.#options.store.accept({
      sourceId,
      cause,
      trigger,
      at,
      ...(replayOf === undefined ? {} : { replayOf }),
    });
    this.#dispatch(accepted.n, sourceId, cause, { call: 'run', trigger }, listener);
    return accepted;
  }

  /** Keeps a trigger without running it: a sample to look at and to replay. Resolves when it is on disk. */
  record(sourceId: string, trigger: Trigger, cause: InvocationCause): Promise<void> {
    const at = this.#options.now();
    const { n, durable } = this.#options.store.accept({ sourceId, cause, trigger, at });
    const text = 'Recorded without a run, as the caller asked.';
    this.#end(this.#running(n, sourceId, cause, { call: 'run', trigger }, {}), 'cancelled', {
      ...nothingProduced,
      logs: [{ at, level: 'info', text }],
    });
    // Beside the request in one group: without its end it would run after a crash.
    this.commitNow();
    return durable;
  }

  /** True from its turn to its end. */
  isRunning(n: number): boolean {
    return this.#inFlight.has(n);
  }

  /** Runs a hook now and resolves with its end, however it ended. */
  hook(sourceId: string, hook: HookName): Promise<Committed> {
    const at = this.#options.now();
    const { n } = this.#options.store.accept({ sourceId, cause: 'hook', hook, at });
    return new Promise((resolve, reject) => {
      const listener = { ended: resolve, failed: reject };
      this.#dispatch(n, sourceId, 'hook', { call: 'hook', hook }, listener);
    });
  }

  /** Hands the store what has ended in this turn. Before a source is deleted: its runs end first. */
  commitNow(): void {
    this.#endOfTurn.now();
  }

  /**
   * Runs what the runtime before left in the inbox, oldest first. Call once, at start-up. An attempt
   * counts if it may have begun: after a crash nobody knows, after a clean stop it is written down.
   */
  async recover(): Promise<void> {
    const { store } = this.#options;
    const text = store.settings.get(cutOffSetting) ?? '';
    const cutOff = text === '' ? undefined : new Set(JSON.parse(text) as readonly number[]);
    await store.settings.set(cutOffSetting, '');
    this.#recovered = true;
    for (const record of store.invocations.unfinished()) {
      const isHook = record.cause === 'hook';
      const hasBegun = cutOff?.has(record.n) !== false;
      const verdict: Verdict =
        hasBegun || isHook ? afterRestart(record.attempt, isHook) : { next: 'retry' };
      const trigger = store.invocations.trigger(record.n);
      if (verdict.next === 'retry' && trigger !== undefined) {
        if (hasBegun) this.#cutOff.add(record.n);
        const work: Work = { call: 'run', trigger };
        this.#dispatch(record.n, record.sourceId, record.cause, work, {}, record.attempt);
      } else {
        const running = this.#running(
          record.n,
          record.sourceId,
          record.cause,
          { call: 'hook', hook: 'deploy' },
          {},
        );
        running.startedAt = record.startedAt ?? record.createdAt;
        const error =
          verdict.next === 'end'
            ? verdict.error
            : { name: 'Lost', message: 'Its trigger is gone.' };
        this.#end(running, 'crashed', { ...nothingProduced, error });
      }
    }
  }

  #dispatch(
    n: number,
    sourceId: string,
    cause: InvocationCause,
    work: Work,
    listener: Listener,
    attempt = 1,
  ): void {
    const running = this.#running(n, sourceId, cause, work, listener, attempt);
    this.#options.signals.emit('invocation', n);
    this.#submit(running);
  }

  #running(
    n: number,
    sourceId: string,
    cause: InvocationCause,
    work: Work,
    listener: Listener,
    attempt = 1,
  ): Running {
    return {
      n,
      sourceId,
      cause,
      work,
      lane: laneOf(work),
      listener,
      attempt,
      startedAt: this.#options.now(),
    };
  }

  #submit(running: Running): void {
    if (this.#stopping) return;
    const live = this.#options.live(running.sourceId, running.lane);
    if (live === undefined) {
      const error = { name: 'Inactive', message: 'The source is switched off or gone.' };
      this.#end(running, 'cancelled', { ...nothingProduced, error });
      return;
    }
    live.submit({
      n: running.n,
      lane: running.lane,
      work: running.work,
      started: () => {
        running.startedAt = this.#options.now();
        this.#inFlight.add(running.n);
        if (this.#cutOff.delete(running.n)) this.#countAttempt(running);
        this.#options.signals.emit('invocation', running.n);
      },
      listener: new Recorder({
        respond: running.listener.respond,
        done: (ending) =>
          this.#end(running, ending.error === undefined ? 'succeeded' : 'failed', ending),
        lost: (loss, ending) => this.#settle(running, afterLoss(loss, running.attempt), ending),
      }),
      failed: (error) => {
        if (this.#stopping) return;
        const thrown = { name: 'LoadError', message: messageOf(error) };
        this.#end(running, 'failed', { ...nothingProduced, error: thrown });
      },
    });
  }

  #settle(running: Running, verdict: Verdict, ending: Ending): void {
    if (this.#stopping) return;
    if (verdict.next === 'end') {
      this.#end(running, verdict.status, { ...ending, error: verdict.error });
      return;
    }
    this.#inFlight.delete(running.n);
    this.#countAttempt(running);
    this.#submit(running);
  }

  #countAttempt(running: Running): void {
    running.attempt += 1;
    this.#options.store.invocations
      .retry(running.n)
      .catch((error: unknown) => this.#storeFailed(error));
  }

  #end(running: Running, status: InvocationCommit['status'], ending: Ending): void {
    try {
      const commit = this.#plan(running, status, ending);
      this.#endOfTurn.add(() => this.#commit(commit, running.listener));
    } catch (error) {
      // Its source was deleted while it ran.
      this.#notStored(running, running.listener, error);
    }
  }

  #plan(running: Running, status: InvocationCommit['status'], ending: Ending): InvocationCommit {
    const { planner, now } = this.#options;
    const endedAt = now();
    const plan = planner.plan(running.sourceId, ending.emits, endedAt);
    const forgets = asksNotToBeStored(running.work);
    const said = forgets ? [] : ending.logs;
    const logs: NewLog[] = said.map((line) => ({ ...line, kind: 'console' }));
    for (const drop of plan.drops) {
      logs.push({ at: endedAt, kind: 'drop', level: 'warn', text: drop.reason });
    }
    if (ending.error !== undefined) logs.push(errorLine(ending.error, endedAt));
    logs.push(endLine(running, status, endedAt, plan.events.length, plan.drops.length));
    const { error } = ending;
    const end = { run: running, status, error, logs, endedAt, forgetsTrigger: forgets };
    const notices = runNotices(planner, end);
    return {
      n: running.n,
      sourceId: running.sourceId,
      status,
      startedAt: running.startedAt,
      endedAt,
      ...(ending.error === undefined ? {} : { error: ending.error }),
      events: plan.events,
      drops: plan.drops,
      ...(notices !== undefined && { notices }),
      db: ending.db,
      ...(plan.dedupe === undefined ? {} : { dedupe: plan.dedupe }),
      logs,
      ...(forgets && { forgetTrigger: true }),
    };
  }

  #commit(commit: InvocationCommit, listener: Listener): void {
    const { store, signals } = this.#options;
    this.#inFlight.delete(commit.n);
    store.commit(commit).then(
      (made) => {
        const committed = { commit, made };
        signals.emit('committed', committed);
        listener.ended?.(committed);
        this.#runListeners(committed);
      },
      (error: unknown) => this.#notStored(commit, listener, error),
    );
  }

  #notStored(
    { n, sourceId }: Pick<InvocationCommit, 'n' | 'sourceId'>,
    listener: Listener,
    error: unknown,
  ): void {
    this.#inFlight.delete(n);
    this.#options.planner.forget(sourceId);
    if (!WeirError.is(error, 'not_found')) this.#storeFailed(error);
    listener.failed?.(error);
  }

  /** Sources that are subscribed run with the bare payload (P8.16). */
  #runListeners({ commit, made }: Committed): void {
    if (made.triggered.length === 0) return;
    let next = 0;
    for (const event of [...commit.events, ...(commit.notices ?? [])]) {
      for (const sourceId of event.sources) {
        const triggered = made.triggered[next];
        // One that was deleted since the plan was made has no invocation.
        if (triggered?.sourceId !== sourceId) continue;
        next += 1;
        const trigger: Trigger = { kind: 'event', json: event.payload };
        this.#dispatch(triggered.n, sourceId, 'event', { call: 'run', trigger }, {});
      }
    }
  }

  #storeFailed(error: unknown): void {
    // The store said why when it failed.
    if (this.#stopping && WeirError.is(error, 'store_failed')) return;
    this.#options.log('error', `An invocation could not be stored: ${describeError(error)}`);
  }
}

/** Numbers that a clean stop cut off; empty once they are read, so that a crash leaves none. */
const cutOffSetting = 'cutOff';

const nothingProduced: Ending = { emits: [], db: [], logs: [], exports: [] };

/** `x-pd-nostore`: neither the request nor what the run says is kept; its events and its end are. */
function asksNotToBeStored(work: Work): boolean {
  return work.call === 'run' && work.trigger.kind === 'http' && work.trigger.noStore === true;
}

function laneOf(work: Work): Lane {
  if (work.call === 'hook') return 'hook';
  return work.call === 'run' && work.trigger.kind === 'http' ? 'http' : 'serial';
}
