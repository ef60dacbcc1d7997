/** A set of listeners for one kind of news. */
export interface Listeners<T> {
  /** Returns how to stop it. */
  add(listener: (news: T) => void): () => void;
  tell(news: T): void;
}

export function createListeners<T>(): Listeners<T> {
  const all = new Set<(news: T) => void>();
  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell(news) {
      for (const listener of all) listener(news);
    },
  };
}
