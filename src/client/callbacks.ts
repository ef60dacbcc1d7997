/** A set of functions that are called with each new value. */
export interface Callbacks<T> {
  /** Returns how to remove it. */
  add(callback: (value: T) => void): () => void;
  callAll(value: T): void;
}

export function createCallbacks<T>(): Callbacks<T> {
  const all = new Set<(value: T) => void>();
  return {
    add(callback) {
      all.add(callback);
      return () => all.delete(callback);
    },
    callAll(value) {
      for (const callback of all) callback(value);
    },
  };
}
