/** Gathers what a call of user code produces until its end. */
import type {
  ConsoleLine,
  DbWrite,
  Emit,
  HostResponse,
  Produced,
  ThrownError,
} from '../../protocol/host.ts';
import type { ProcessExit, WorkObserver } from './host.ts';

/** The outcome of a call of user code. */
export interface Outcome {
  readonly error?: Omit<ThrownError, 'unauthorized'> | undefined;
  /** It threw because an app had answered 401: its token may be dead before its time. */
  readonly unauthorized?: true;
  readonly emits: readonly Emit[];
  /** Each key once. */
  readonly db: readonly DbWrite[];
  readonly logs: readonly ConsoleLine[];
  /** `$.export`s of an action. */
  readonly exports: Produced['exports'];
  /** HTTP requests of a step. */
  readonly requests?: Produced['requests'] | undefined;
  /** JSON text of what the call returned. */
  readonly result?: string | undefined;
}

/** Gets at most one response, and one end. */
export interface OutcomeObserver {
  respond(response: HostResponse): Promise<void> | void;
  refreshTimeout?(): void;
  /**
   * Console lines arrived while the call runs; its outcome has them, too.
   * @param from how many arrived before
   */
  said?(lines: readonly ConsoleLine[], from: number): void;
  /** The call ended by itself. */
  done(outcome: Outcome): void;
  /** Its process ended first; the outcome is what had arrived by then. */
  lost(loss: ProcessExit, outcome: Outcome): void;
}

const nothing: readonly never[] = [];

type End = Parameters<WorkObserver['done']>[0];
const nothingMore: End = {};

/** The pieces of the last message are used as they are when nothing came before: the usual case. */
export class OutcomeRecorder implements WorkObserver {
  readonly #observer: OutcomeObserver;
  #emits: Emit[] | undefined;
  #db: DbWrite[] | undefined;
  #logs: ConsoleLine[] | undefined;
  #exports: Produced['exports'][number][] | undefined;

  constructor(observer: OutcomeObserver) {
    this.#observer = observer;
  }

  progress(produced: Partial<Produced>): void {
    if (produced.emits !== undefined) append((this.#emits ??= []), produced.emits);
    if (produced.db !== undefined) append((this.#db ??= []), produced.db);
    if (produced.logs !== undefined) {
      const logs = (this.#logs ??= []);
      this.#observer.said?.(produced.logs, logs.length);
      append(logs, produced.logs);
    }
    if (produced.exports !== undefined) append((this.#exports ??= []), produced.exports);
  }

  respond(response: HostResponse): Promise<void> | void {
    return this.#observer.respond(response);
  }

  refreshTimeout(): void {
    this.#observer.refreshTimeout?.();
  }

  done(end: End): void {
    this.#observer.done(this.#outcome(end));
  }

  lost(loss: ProcessExit): void {
    this.#observer.lost(loss, this.#outcome(nothingMore));
  }

  #outcome(last: End): Outcome {
    const { unauthorized, ...error } = last.error ?? {};
    return {
      error: last.error && (error as ThrownError),
      ...(unauthorized === true && { unauthorized }),
      result: last.result,
      emits: join(this.#emits, last.emits),
      db: this.#db === undefined ? (last.db ?? nothing) : lastOfEach(join(this.#db, last.db)),
      logs: join(this.#logs, last.logs),
      exports: join(this.#exports, last.exports),
      ...(last.requests !== undefined && { requests: last.requests }),
    };
  }
}

/** Each key once, as it was written last: at its end a run says again what it has already sent (P9.11). */
function lastOfEach(writes: readonly DbWrite[]): readonly DbWrite[] {
  return [
    ...new Map(writes.map((write) => [JSON.stringify([write.prop, write.key]), write])).values(),
  ];
}

/** Pushed one by one: the output of a run in one turn can be longer than a call's argument list. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}

function join<T>(before: readonly T[] | undefined, last: readonly T[] | undefined): readonly T[] {
  if (before === undefined) return last ?? nothing;
  return last === undefined ? before : [...before, ...last];
}
