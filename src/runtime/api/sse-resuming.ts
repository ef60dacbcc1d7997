/**
 * A feed that can be taken up again. A reader that gives the id of the last record it saw gets
 * everything after it, without gap or repeat: first from the store, page by page at its own pace,
 * then live from the commits. The step from one to the other is made when the store has nothing more
 * and nothing was told since it was asked.
 */
import { WeirError } from '../../protocol/errors.ts';
import type { EventStream } from './sse-stream.ts';
import type { BaseServices } from '../base/services.ts';

/** A feed of an event stream: the events of an emitter, or its log lines. */
export interface Feed {
  /**
   * Begins to queue messages on the stream; returns a function that stops it.
   * @param seen `Last-Event-ID`. Throws `bad_input` if it is not an id of this feed.
   */
  start(stream: EventStream, emitterId: string, seen: string | undefined): () => void;
}

export interface FeedParts<R, Id> extends Pick<BaseServices, 'report'> {
  /** Content of the feed, for messages: "events". */
  readonly what: string;
  /** Undefined for text that is no id of this feed. */
  parse(id: string): Id | undefined;
  idOf(record: R): Id;
  isAfter(id: Id, mark: Id): boolean;
  /** From the store, oldest first. */
  after(emitterId: string, id: Id, limit: number): Promise<R[]>;
  messageOf(record: R): string;
  /** Resolves when the store's answers are on disk: until then, they are sent to nobody. */
  flush(): Promise<void>;
}

export interface ResumingFeed<R> extends Feed {
  isFollowed(emitterId: string): boolean;
  /** Adds the records that were just committed, in the order of their ids. */
  tell(emitterId: string, records: readonly R[]): void;
}

interface Follower<Id> {
  readonly stream: EventStream;
  /** Records up to this one were read from the store; their commits may still be announced. */
  seen: Id | undefined;
  /** It still reads from the store, where it finds records that are announced meanwhile. */
  catchingUp: boolean;
  /** Something was announced since the last read from the store. */
  hasMore: boolean;
}

const pageSize = 100;

export function createResumingFeed<R, Id>(parts: FeedParts<R, Id>): ResumingFeed<R> {
  const followers = new Followers<Follower<Id>>();

  async function catchUp(follower: Follower<Id>, emitterId: string, seen: Id): Promise<void> {
    const { stream } = follower;
    let cursor = seen;
    while (!stream.closed) {
      follower.hasMore = false;
      const page = await parts.after(emitterId, cursor, pageSize);
      const last = page.at(-1);
      if (last === undefined) {
        if (follower.hasMore) continue;
        follower.seen = cursor;
        follower.catchingUp = false;
        return;
      }
      await parts.flush();
      stream.queue(page.map((record) => parts.messageOf(record)).join(''));
      await stream.drained();
      cursor = parts.idOf(last);
    }
  }

  return {
    isFollowed: (emitterId) => followers.of(emitterId) !== undefined,
    tell(emitterId, records) {
      const [first] = records;
      const all = followers.of(emitterId);
      if (first === undefined || all === undefined) return;
      const messages = records.map((record) => parts.messageOf(record));
      const whole = messages.join('');
      const firstId = parts.idOf(first);
      for (const follower of all) {
        const { stream, seen, catchingUp } = follower;
        follower.hasMore = true;
        if (catchingUp) continue;
        if (seen === undefined || parts.isAfter(firstId, seen)) stream.queue(whole);
        else {
          const isNews = (record: R) => parts.isAfter(parts.idOf(record), seen);
          stream.queue(messages.filter((_text, i) => isNews(records[i] ?? first)).join(''));
        }
      }
    },
    start(stream, emitterId, seen) {
      const id = seen === undefined ? undefined : parts.parse(seen);
      const catchingUp = seen !== undefined;
      const follower: Follower<Id> = { stream, seen: undefined, catchingUp, hasMore: false };
      if (catchingUp) {
        if (id === undefined) {
          throw new WeirError(
            'bad_input',
            `Last-Event-ID "${seen}" is not an id of these ${parts.what}.`,
          );
        }
        catchUp(follower, emitterId, id).catch((error: unknown) => {
          parts.report(`sse ${emitterId}`, error);
          stream.end(`The ${parts.what} could not be read; the runtime's log has the details.`);
        });
      }
      followers.add(emitterId, follower);
      return () => followers.remove(emitterId, follower);
    },
  };
}

/** Streams by the emitter they follow. */
class Followers<F> {
  readonly #byEmitter = new Map<string, Set<F>>();

  of(emitterId: string): Iterable<F> | undefined {
    return this.#byEmitter.get(emitterId);
  }

  add(emitterId: string, follower: F): void {
    const all = this.#byEmitter.get(emitterId) ?? new Set();
    this.#byEmitter.set(emitterId, all.add(follower));
  }

  remove(emitterId: string, follower: F): void {
    const all = this.#byEmitter.get(emitterId);
    all?.delete(follower);
    if (all?.size === 0) this.#byEmitter.delete(emitterId);
  }
}
