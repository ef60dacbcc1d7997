/** Gathers what one invocation produces until its end; then the whole of it becomes one commit. */
import type {
  ConsoleLine,
  DbWrite,
  Emit,
  HostResponse,
  Produced,
  ThrownError,
} from '../../protocol/host.ts';
import type { Loss, WorkObserver } from '../hosts/host.ts';

/** What a call of user code came to. */
export interface Outcome {
  readonly error?: ThrownError;
  readonly emits: readonly Emit[];
  /** Each key once. */
  readonly db: readonly DbWrite[];
  readonly logs: readonly ConsoleLine[];
  /** `$.export`s of an action. */
  readonly exports: Produced['exports'];
  /** JSON text of what the call returned. */
  readonly result?: string;
}

const nothing: readonly never[] = [];

/** The pieces of the last message are used as they are when nothing came before: the usual case. */
export class OutcomeRecorder implements WorkObserver {
  readonly #onRespond: ((response: HostResponse) => void) | undefined;
  readonly #onDone: (outcome: Outcome) => void;
  readonly #onLost: (loss: Loss, outcome: Outcome) => void;
  #emits: Emit[] | undefined;
  #db: DbWrite[] | undefined;
  #logs: ConsoleLine[] | undefined;
  #exports: Produced['exports'][number][] | undefined;

  constructor(on: {
    readonly respond?: ((response: HostResponse) => void) | undefined;
    readonly done: (outcome: Outcome) => void;
    readonly lost: (loss: Loss, outcome: Outcome) => void;
  }) {
    this.#onRespond = on.respond;
    this.#onDone = on.done;
    this.#onLost = on.lost;
  }

  progress(produced: Partial<Produced>): void {
    if (produced.emits !== undefined) append((this.#emits ??= []), produced.emits);
    if (produced.db !== undefined) append((this.#db ??= []), produced.db);
    if (produced.logs !== undefined) append((this.#logs ??= []), produced.logs);
    if (produced.exports !== undefined) append((this.#exports ??= []), produced.exports);
  }

  respond(response: HostResponse): void {
    this.#onRespond?.(response);
  }

  done(end: { readonly error?: ThrownError; readonly result?: string } & Partial<Produced>): void {
    this.#onDone({
      ...this.#with(end),
      ...(end.error === undefined ? {} : { error: end.error }),
      ...(end.result === undefined ? {} : { result: end.result }),
    });
  }

  lost(loss: Loss): void {
    this.#onLost(loss, this.#with({}));
  }

  #with(last: Partial<Produced>): Outcome {
    return {
      emits: join(this.#emits, last.emits),
      db: this.#db === undefined ? (last.db ?? nothing) : lastOfEach(join(this.#db, last.db)),
      logs: join(this.#logs, last.logs),
      exports: join(this.#exports, last.exports),
    };
  }
}

/** Each key once, as it was written last: at its end a run says again what it has already sent (P9.11). */
function lastOfEach(writes: readonly DbWrite[]): readonly DbWrite[] {
  return [
    ...new Map(writes.map((write) => [JSON.stringify([write.prop, write.key]), write])).values(),
  ];
}

/** One by one: what a run produces in one turn can be more than a call takes arguments. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}

function join<T>(before: readonly T[] | undefined, last: readonly T[] | undefined): readonly T[] {
  if (before === undefined) return last ?? nothing;
  return last === undefined ? before : [...before, ...last];
}
