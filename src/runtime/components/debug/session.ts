import type { Debugged, DebugTarget } from '../../processes/debugged.ts';
import type { Host } from '../../processes/host.ts';

/** A process of the session. */
export interface Entry {
  readonly debugged: Debugged;
  /** Set once it has evaluated its module. */
  host: Host | undefined;
  /** Ends it while it still waits for a debugger. */
  abandon: (() => void) | undefined;
}

/** A source or file that is debugged, and its processes: more than one during an update. */
export class DebugSession {
  readonly target: DebugTarget;
  readonly owners = new Set<AbortSignal>();
  paused = false;
  ended = false;
  /** How many running changes must not be held up by a process. */
  #hurried = 0;
  readonly #entries = new Set<Entry>();

  constructor(target: DebugTarget) {
    this.target = target;
  }

  /** Newest last. */
  get processes(): readonly Debugged[] {
    return [...this.#entries]
      .filter(({ host }) => host?.alive !== false)
      .map(({ debugged }) => debugged);
  }

  add(debugged: Debugged): Entry {
    const entry: Entry = { debugged, host: undefined, abandon: undefined };
    this.#entries.add(entry);
    return entry;
  }

  remove(entry: Entry): void {
    this.#entries.delete(entry);
  }

  /** Whether a process that is started now may wait for a debugger. */
  get mayWait(): boolean {
    return !this.ended && this.#hurried === 0;
  }

  /** Meanwhile no process waits for a debugger that is not attached, and none begins to; it can still be attached to. */
  async hurry<T>(work: () => Promise<T>): Promise<T> {
    this.#hurried += 1;
    try {
      for (const { abandon } of this.#entries) abandon?.();
      return await work();
    } finally {
      this.#hurried -= 1;
    }
  }

  /**
   * Closes the inspectors. A process that is still evaluating its module closes its own when it is
   * done, as `ended` tells whoever started it.
   */
  end(): void {
    this.ended = true;
    this.paused = false;
    for (const { abandon, host } of this.#entries) {
      if (abandon !== undefined) abandon();
      else void host?.inspect(false);
    }
  }
}
