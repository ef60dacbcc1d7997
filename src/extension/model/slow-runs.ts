import type { Invocation } from '../../protocol/catalogue.ts';

/** A run that is over sooner is not shown as running, in ms: a flash tells nobody anything. */
const slowMs = 500;

/** Holds back runs that have begun until they have taken a while. */
export class SlowRuns {
  readonly #tell: (run: Invocation) => void;
  readonly #begun = new Map<string, { readonly run: Invocation; readonly at: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (run: Invocation) => void) {
    this.#tell = tell;
  }

  /** @returns whether the change of a run has to be shown now */
  take(run: Invocation): boolean {
    if (run.status === 'queued' || run.status === 'running') {
      this.#begun.set(run.id, { run, at: this.#begun.get(run.id)?.at ?? Date.now() });
      this.#timer ??= setTimeout(() => this.#check(), slowMs);
      return false;
    }
    this.#begun.delete(run.id);
    return true;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#begun.clear();
  }

  #check(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const [id, { run, at }] of this.#begun) {
      if (now - at < slowMs) continue;
      this.#begun.delete(id);
      this.#tell(run);
    }
    const [next] = this.#begun.values();
    if (next !== undefined) {
      this.#timer = setTimeout(() => this.#check(), Math.max(1, next.at + slowMs - now));
    }
  }
}
