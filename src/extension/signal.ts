/** A listener list for the parts that know no `vscode`; the same idea as its events. */
export interface Subscription {
  dispose(): void;
}

export class Signal<T> {
  readonly #listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}
