import type { EventStream } from './sse-stream.ts';

/** What an event stream can carry: the events of a source, or its log lines. */
export interface Feed {
  /**
   * Begins to queue messages on the stream; returns how to stop.
   * @param seen `Last-Event-ID`. Throws `bad_input` when it is none of this feed.
   */
  start(stream: EventStream, sourceId: string, seen: string | undefined): () => void;
}

/** Streams by the source they follow. */
export class Followers<F> {
  readonly #bySource = new Map<string, Set<F>>();

  of(sourceId: string): Iterable<F> | undefined {
    return this.#bySource.get(sourceId);
  }

  add(sourceId: string, follower: F): void {
    const all = this.#bySource.get(sourceId) ?? new Set();
    this.#bySource.set(sourceId, all.add(follower));
  }

  remove(sourceId: string, follower: F): void {
    const all = this.#bySource.get(sourceId);
    all?.delete(follower);
    if (all?.size === 0) this.#bySource.delete(sourceId);
  }
}
