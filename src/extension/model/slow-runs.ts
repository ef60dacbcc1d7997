import type { Invocation } from '../../protocol/catalogue.ts';
import type { Cancel, Clock } from '../clock.ts';

/** A run that ends sooner is never shown as running, in ms: it would only flicker. */
const slowMs = 500;

/** Holds back the start of runs until they have taken a while. */
export class SlowRuns {
  readonly #clock: Clock;
  readonly #report: (run: Invocation) => void;
  /** Runs that have begun, with the time when this was first known. */
  readonly #begun = new Map<string, { readonly run: Invocation; readonly at: number }>();
  #cancel: Cancel | undefined;

  /** @param report gets each run that has been running for half a second */
  constructor(clock: Clock, report: (run: Invocation) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** @returns whether this state of a run is to be shown now */
  take(run: Invocation): boolean {
    if (run.status === 'queued' || run.status === 'running') {
      this.#begun.set(run.id, { run, at: this.#begun.get(run.id)?.at ?? this.#clock.now() });
      this.#cancel ??= this.#clock.after(slowMs, () => this.#check());
      return false;
    }
    this.#begun.delete(run.id);
    return true;
  }

  dispose(): void {
    this.#cancel?.();
    this.#begun.clear();
  }

  #check(): void {
    this.#cancel = undefined;
    const now = this.#clock.now();
    for (const [id, { run, at }] of this.#begun) {
      if (now - at < slowMs) continue;
      this.#begun.delete(id);
      this.#report(run);
    }
    const [next] = this.#begun.values();
    if (next === undefined) return;
    this.#cancel = this.#clock.after(Math.max(1, next.at + slowMs - now), () => this.#check());
  }
}
