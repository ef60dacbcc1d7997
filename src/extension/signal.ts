/** An event to subscribe to, for the parts that do not import `vscode`. */
export class Signal<T> {
  readonly #listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}

/** As in `vscode`. */
export interface Disposable {
  dispose(): void;
}
