import type { ConsoleLine, DbWrite, Emit, HostResponse, Produced } from '../protocol/host.ts';
import type { Outbox } from './outbox.ts';

type Pieces = { -readonly [K in keyof Produced]: Produced[K][number][] };

/** Console text an invocation keeps, in characters (our decision; the platform's log limit is 6 MB). */
const consoleBudget = 1024 * 1024;

/** One piece of work in flight, and what it has produced that was not sent yet. */
export class Invocation {
  /** 0 for code outside any invocation. */
  readonly n: number;
  readonly #outbox: Outbox;
  readonly #outside: Invocation | null;
  readonly #warned = new Set<string>();
  #pieces: Partial<Pieces> = {};
  #consoleLeft = consoleBudget;
  #ended = false;

  /** `outside` takes what is said after the end; null for the outside itself, which has none. */
  constructor(n: number, outbox: Outbox, outside: Invocation | null) {
    this.n = n;
    this.#outbox = outbox;
    this.#outside = outside;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** False when console output is no longer kept: formatting it would be work for nothing. */
  get takesConsole(): boolean {
    return this.#consoleLeft > 0;
  }

  emit(emit: Emit): void {
    (this.#pieces.emits ??= []).push(emit);
    this.#outbox.changed(this, emit.event.length);
  }

  write(write: DbWrite): void {
    (this.#pieces.db ??= []).push(write);
    this.#outbox.changed(this, write.key.length + (write.json?.length ?? 0));
  }

  export(name: string, json: string): void {
    (this.#pieces.exports ??= []).push({ name, json });
    this.#outbox.changed(this, json.length);
  }

  log(line: ConsoleLine): void {
    if (this.#consoleLeft <= 0) return;
    this.#consoleLeft -= line.text.length;
    const lines = (this.#pieces.logs ??= []);
    lines.push(line);
    if (this.#consoleLeft <= 0) {
      lines.push({
        at: line.at,
        level: 'warn',
        text: 'Weir keeps 1 MB of console output; the rest was cut.',
      });
    }
    this.#outbox.changed(this, line.text.length);
  }

  /** Says something in the log once, however often it happens. */
  warnOnce(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    const line = { at: Date.now(), level: 'warn', text } as const;
    if (this.#ended) this.#outside?.log(line);
    else this.log(line);
  }

  respond(response: HostResponse): void {
    this.#outbox.post({ t: 'respond', n: this.n, response });
  }

  end(): void {
    this.#ended = true;
  }

  take(): Partial<Produced> {
    const pieces = this.#pieces;
    this.#pieces = {};
    return pieces;
  }
}
