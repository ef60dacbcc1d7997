/** Keeps one piece of work of each kind: a newer one aborts the one before it. */
export class Latest {
  readonly #running = new Map<string, AbortController>();

  async run(kind: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.abort(kind);
    const controller = new AbortController();
    this.#running.set(kind, controller);
    try {
      await work(controller.signal);
    } finally {
      if (this.#running.get(kind) === controller) this.#running.delete(kind);
    }
  }

  abort(kind: string): void {
    this.#running.get(kind)?.abort();
  }

  abortAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }
}
