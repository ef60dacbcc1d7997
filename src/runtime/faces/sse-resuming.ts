/**
 * A feed that can be taken up again. A reader that gives the id of the last record it saw gets
 * everything after it, without gap or repeat: first from the store, page by page at its own pace,
 * then live from the commits. The step from one to the other is made in the turn in which the store
 * has nothing more.
 */
import { WeirError } from '../../protocol/errors.ts';
import { type Feed, Followers } from './sse-feed.ts';
import type { EventStream } from './sse-stream.ts';

export interface FeedParts<R, Id> {
  /** What the feed carries, for messages: "events". */
  readonly what: string;
  /** Undefined for text that is no id of this feed. */
  parse(id: string): Id | undefined;
  idOf(record: R): Id;
  isAfter(id: Id, mark: Id): boolean;
  /** From the store, oldest first. */
  after(sourceId: string, id: Id, limit: number): R[];
  messageOf(record: R): string;
  /** Resolves when what the store answers is on disk: before, it is told to nobody. */
  flush(): Promise<void>;
  readonly report: (where: string, error: unknown) => void;
}

export interface ResumingFeed<R> extends Feed {
  isFollowed(sourceId: string): boolean;
  /** What was just committed, in the order of its ids. */
  tell(sourceId: string, records: readonly R[]): void;
}

interface Follower<Id> {
  readonly stream: EventStream;
  /** Records up to this one were read from the store; their commits may still be told. */
  mark: Id | undefined;
}

const pageSize = 100;

export function createResumingFeed<R, Id>(parts: FeedParts<R, Id>): ResumingFeed<R> {
  const followers = new Followers<Follower<Id>>();

  async function catchUp(follower: Follower<Id>, sourceId: string, seen: Id): Promise<void> {
    const { stream } = follower;
    let cursor = seen;
    while (!stream.closed) {
      const page = parts.after(sourceId, cursor, pageSize);
      const last = page.at(-1);
      if (last === undefined) {
        follower.mark = cursor;
        followers.add(sourceId, follower);
        return;
      }
      await parts.flush();
      stream.queue(page.map((record) => parts.messageOf(record)).join(''));
      await stream.drained();
      cursor = parts.idOf(last);
    }
  }

  return {
    isFollowed: (sourceId) => followers.of(sourceId) !== undefined,
    tell(sourceId, records) {
      const [first] = records;
      const all = followers.of(sourceId);
      if (first === undefined || all === undefined) return;
      const messages = records.map((record) => parts.messageOf(record));
      const whole = messages.join('');
      const firstId = parts.idOf(first);
      for (const { stream, mark } of all) {
        if (mark === undefined || parts.isAfter(firstId, mark)) stream.queue(whole);
        else {
          const isNews = (record: R) => parts.isAfter(parts.idOf(record), mark);
          stream.queue(messages.filter((_text, i) => isNews(records[i] ?? first)).join(''));
        }
      }
    },
    start(stream, sourceId, seen) {
      const follower: Follower<Id> = { stream, mark: undefined };
      if (seen === undefined) {
        followers.add(sourceId, follower);
      } else {
        const id = parts.parse(seen);
        if (id === undefined) {
          throw new WeirError(
            'bad_input',
            `Last-Event-ID "${seen}" is no id of these ${parts.what}.`,
          );
        }
        catchUp(follower, sourceId, id).catch((error: unknown) => {
          parts.report(`sse ${sourceId}`, error);
          stream.end(`The ${parts.what} could not be read; the runtime's log has the details.`);
        });
      }
      return () => followers.remove(sourceId, follower);
    },
  };
}
