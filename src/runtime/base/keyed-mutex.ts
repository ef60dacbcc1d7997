/** Runs tasks of the same key one after the other. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** A task with this key is running or waits. */
  isBusy(key: string): boolean {
    return this.#last.has(key);
  }

  /**
   * Runs `task` when everything queued under the key before it has ended, however it ended.
   * @param cancelled takes it out while it waits: it rejects at once, with the signal's reason
   */
  run<T>(key: string, task: () => Promise<T>, cancelled?: AbortSignal): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = cancelled === undefined ? before : unlessAborted(cancelled, before);
    const result = turn.then(task);
    // A cancelled task does not pass on its turn before that turn would have come.
    const tail = Promise.allSettled([before, result]).then(() => {
      if (this.#last.get(key) === tail) this.#last.delete(key);
    });
    this.#last.set(key, tail);
    return result;
  }
}

/** Settles as `work` does, or rejects with the signal's reason when it is aborted first. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    stopListening = () => signal.removeEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}
