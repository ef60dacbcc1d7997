import {
  itemSize,
  type ConsoleLine,
  type DbWrite,
  type Emit,
  type HostResponse,
  type Produced,
} from '../../../protocol/host.ts';
import type { Outbox, Producer } from '../channel/outbox.ts';
import { toJson } from '../json.ts';
import type { Budget } from '../outgoing/kept-body.ts';
import type { RequestRecord } from '../outgoing/request-record.ts';

type Mutable<P> = {
  -readonly [K in keyof P]: P[K] extends readonly (infer Item)[] ? Item[] : never;
};

/** Console text an invocation keeps, in characters (our decision; the platform's log limit is 6 MB). */
const consoleBudget = 1024 * 1024;

/** Bytes of the bodies of its requests that an invocation keeps. */
const requestBytes = 1024 * 1024;

/** A piece of work in flight, and its output that was not sent yet. */
export class Invocation implements Producer {
  /** 0 for the background. */
  readonly n: number;
  readonly #outbox: Outbox;
  readonly #background: Invocation | null;
  readonly #warned = new Set<string>();
  /** The keys it has set, by prop and key. */
  #written: Map<string, DbWrite & { readonly current: () => string | undefined }> | undefined;
  /** Its HTTP requests, in order: reported at its end. */
  readonly requests: RequestRecord[] = [];
  readonly requestBudget: Budget = { left: requestBytes };
  #produced: Partial<Mutable<Produced>> = {};
  #consoleLeft = consoleBudget;
  readonly #outputMb: number;
  /** In characters. */
  #outputLeft: number;
  /** In a dry run: the first sentence about what its code was refused. The run has failed, whatever it made of that. */
  heldBack: string | undefined;
  #ended = false;
  #held: Promise<unknown>[] | undefined;

  /**
   * @param background logs what is said after the end; null for the background itself, which has none
   * @param outputMb see `HostLimits`
   */
  constructor(
    n: number,
    outbox: Outbox,
    background: Invocation | null,
    outputMb = Number.POSITIVE_INFINITY,
  ) {
    this.n = n;
    this.#outbox = outbox;
    this.#background = background;
    this.#outputMb = outputMb;
    this.#outputLeft = outputMb * 1e6;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** False when console output is no longer kept, so that nothing needs to be formatted. */
  get takesConsole(): boolean {
    return this.#consoleLeft > 0;
  }

  /** @throws RangeError when the run has produced as much as it may; so do `writeDb` and `export` */
  emit(emit: Emit): void {
    this.#spend(emit.event.length + (emit.summary?.length ?? 0));
    (this.#produced.emits ??= []).push(emit);
    this.#outbox.changed(this, emit.event.length);
  }

  /** @param current reads the current value of the key, whichever invocation of this process set it last */
  writeDb(write: DbWrite, current: () => string | undefined): void {
    this.#spend(write.key.length + (write.json?.length ?? 0));
    (this.#produced.db ??= []).push(write);
    (this.#written ??= new Map()).set(toJson([write.prop, write.key]), {
      ...write,
      current,
    });
    this.#outbox.changed(this, write.key.length + (write.json?.length ?? 0));
  }

  export(name: string, json: string): void {
    this.#spend(name.length + json.length);
    (this.#produced.exports ??= []).push({ name, json });
    this.#outbox.changed(this, json.length);
  }

  log(line: ConsoleLine): void {
    if (this.#consoleLeft <= 0) return;
    this.#consoleLeft -= line.text.length;
    const lines = (this.#produced.logs ??= []);
    lines.push(line);
    if (this.#consoleLeft <= 0) {
      lines.push({
        at: line.at,
        level: 'warn',
        text: 'Weir keeps 1 MB of console output; the rest was cut.',
      });
    }
    this.#outbox.watched(this, line.text.length);
  }

  /** @param text in characters */
  #spend(text: number): void {
    const left = this.#outputLeft - text - itemSize;
    if (left < 0) {
      throw new RangeError(
        `This run has produced ${this.#outputMb} MB of events, db and exports, and may not produce more: let it do less at a time, or raise the setting run.outputMb.`,
      );
    }
    this.#outputLeft = left;
  }

  /** Logs a warning the first time it is called with this text. */
  warnOnce(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    const line = { at: Date.now(), level: 'warn', text } as const;
    if (this.#ended) this.#background?.log(line);
    else this.log(line);
  }

  respond(response: HostResponse): void {
    this.#outbox.post({ t: 'respond', n: this.n, response });
  }

  refreshTimeout(): void {
    this.#outbox.post({ t: 'refreshTimeout', n: this.n });
  }

  /** The run does not end before this has, though the component may not wait for it. */
  hold(work: Promise<unknown>): void {
    (this.#held ??= []).push(work);
    // `released` reports the error.
    work.catch(() => undefined);
  }

  /** Undefined when nothing is held. @returns a promise that rejects with what went wrong of it */
  get released(): Promise<unknown> | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held && Promise.all(held);
  }

  end(): void {
    this.#ended = true;
  }

  /**
   * The last of it. Invocations side by side share a db: each key that this one has set goes out as it
   * stands now, so that the invocation that ends last leaves in the store what the next one reads (P9.11).
   */
  takeFinal(): Partial<Produced> {
    if (this.#written !== undefined) {
      this.#produced.db = [...this.#written.values()].map(({ prop, key, current }) => {
        const json = current();
        return { prop, key, ...(json === undefined ? {} : { json }) };
      });
    }
    if (this.requests.length > 0) {
      this.#produced.requests = this.requests.map((made) => ({ json: toJson(made.toJSON()) }));
    }
    return this.takeProduced();
  }

  takeProduced(): Partial<Produced> {
    const produced = this.#produced;
    this.#produced = {};
    return produced;
  }
}
