/** One thing at a time per key: two updates of one source must not interleave their hooks. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `task` when everything queued under the key before it has ended, however it ended. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, tail);
    void tail.then(() => {
      if (this.#last.get(key) === tail) this.#last.delete(key);
    });
    return result;
  }
}
