/** Ends the process of an emitter when nothing has run in it for a while. */
import type { Clock } from '../base/clock.ts';
import type { Host } from './host.ts';
import type { IdleProcesses } from './idle-processes.ts';

export interface IdleEndOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly idleProcesses: Pick<IdleProcesses, 'rest'>;
  readonly emitterId: string;
  readonly idleMs: number;
  /** The process as it is now; undefined if there is none. */
  readonly host: () => Host | undefined;
  readonly end: (host: Host) => void;
}

export class IdleEnd {
  readonly #options: IdleEndOptions;
  #cancel: (() => void) | undefined;
  /** Identifies the current wait. */
  #wait: object | undefined;

  constructor(options: IdleEndOptions) {
    this.#options = options;
  }

  /** The process is idle from now on. @param hasRun something ran in it just now */
  start(hasRun: boolean): void {
    this.cancel();
    const { idleProcesses, emitterId, idleMs, host } = this.#options;
    // One that has ended takes no memory.
    if (host()?.alive !== true) return;
    this.#wait = {};
    this.#cancel = idleProcesses.rest(emitterId, idleMs, hasRun, (isEarly) => this.#due(isEarly));
  }

  /** The process is used again, or has ended. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#wait = undefined;
  }

  #due(isEarly: boolean): void {
    const { end } = this.#options;
    const host = this.#options.host();
    if (host === undefined || host.inFlight > 0) return;
    // A person looks at it.
    if (host.inspected) this.#waitWholeTime();
    else if (isEarly) void this.#endUnlessPending(host);
    else end(host);
  }

  /** Its code may have left a timer or a connection behind that it needs after its runs. */
  async #endUnlessPending(host: Host): Promise<void> {
    const wait = this.#wait;
    const isPending = await host.hasPending();
    // Meanwhile something ran in it.
    if (this.#wait !== wait || this.#options.host() !== host || host.inFlight > 0) return;
    if (isPending || host.inspected) this.#waitWholeTime();
    else this.#options.end(host);
  }

  #waitWholeTime(): void {
    this.#cancel = this.#options.clock.after(this.#options.idleMs, () => this.#due(false));
  }
}
