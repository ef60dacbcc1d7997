/**
 * The events of a source. A reader that gives the id of the last event it saw gets everything after
 * it, without gap or repeat: first from the store, page by page at its own pace, then live from the
 * commits. The step from one to the other is made in the turn in which the store has nothing more.
 */
import { WeirError } from '../../protocol/errors.ts';
import { parseEventId } from '../emit/event-ids.ts';
import type { Committed, Signals } from '../signals.ts';
import type { Store } from '../store/store.ts';
import { type Feed, Followers } from './sse-feed.ts';
import type { EventStream } from './sse-stream.ts';
import { eventMessage, isAfter, recordOf } from './sse-text.ts';

export interface EventFeedOptions {
  readonly store: Pick<Store, 'flush'> & { readonly events: Pick<Store['events'], 'after'> };
  readonly signals: Signals;
  readonly report: (where: string, error: unknown) => void;
}

interface Follower {
  readonly stream: EventStream;
  /** Events up to this one were read from the store; their commits may still be told. */
  after: string | undefined;
}

const pageSize = 100;

export function createEventFeed({ store, signals, report }: EventFeedOptions): Feed {
  const followers = new Followers<Follower>();
  signals.on('committed', tellFollowers);

  function tellFollowers({ commit }: Committed): void {
    const all = followers.of(commit.sourceId);
    if (all === undefined || commit.events.length === 0) return;
    const messages = commit.events.map((event) => eventMessage(recordOf(commit, event)));
    const whole = messages.join('');
    for (const follower of all) {
      const { after, stream } = follower;
      if (after === undefined) {
        stream.queue(whole);
        continue;
      }
      const news = messages.filter((_text, i) => isAfter(commit.events[i]?.id ?? '', after));
      stream.queue(news.join(''));
      if (news.length > 0) follower.after = undefined;
    }
  }

  async function catchUp(follower: Follower, sourceId: string, seen: string): Promise<void> {
    const { stream } = follower;
    let cursor = seen;
    while (!stream.closed) {
      const page = store.events.after(sourceId, cursor, pageSize);
      if (page.length === 0) {
        follower.after = cursor;
        followers.add(sourceId, follower);
        return;
      }
      // What is read may not be on disk yet, and is told to nobody before it is.
      await store.flush();
      stream.queue(page.map(eventMessage).join(''));
      await stream.drained();
      cursor = page.at(-1)?.id ?? cursor;
    }
  }

  return {
    start(stream, sourceId, seen) {
      const follower: Follower = { stream, after: undefined };
      if (seen === undefined) {
        followers.add(sourceId, follower);
      } else {
        checkId(seen);
        catchUp(follower, sourceId, seen).catch((error: unknown) => {
          report(`sse ${sourceId}`, error);
          stream.end("The events could not be read; the runtime's log has the details.");
        });
      }
      return () => followers.remove(sourceId, follower);
    },
  };
}

function checkId(id: string): void {
  if (parseEventId(id) !== undefined) return;
  throw new WeirError('bad_input', `Last-Event-ID "${id}" is no event id.`);
}
