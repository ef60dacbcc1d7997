/** The feeds of an emitter: its events, log lines and messages, as they are committed. */
import { isJson } from '../../protocol/json-text.ts';
import { presentEvent, presentLog } from './operations/present.ts';
import { compareEventIds, parseEventId } from '../store/event-id.ts';
import { emittedRecord, type EventRecord } from '../store/history/events.ts';
import type { LogRecord } from '../store/history/logs.ts';
import type { StreamMessage } from '../store/history/streams.ts';
import type { Store } from '../store/store.ts';
import { createResumingFeed, type Feed } from './sse-resuming.ts';
import { message } from './sse-text.ts';
import type { Services } from '../events/services.ts';

/** @typeParam Of what it reads */
export interface FeedOptions<Of extends 'events' | 'logs' | 'streams'> extends Pick<
  Services,
  'signals' | 'report'
> {
  readonly store: Pick<Store, 'flush'> & {
    readonly [Table in Of]: Pick<Store[Table], 'after'>;
  };
}

export function createEventFeed({ store, signals, report }: FeedOptions<'events'>): Feed {
  const feed = createResumingFeed({
    what: 'events',
    parse: (id) => (parseEventId(id) === undefined ? undefined : id),
    idOf: ({ id }) => id,
    isAfter,
    after: (emitterId, id, limit) => store.events.after(emitterId, id, limit),
    messageOf: eventMessage,
    flush: () => store.flush(),
    report,
  });
  signals.on('committed', ({ commit }) => {
    if (!feed.isFollowed(commit.emitterId)) return;
    const records = commit.events.map((event) => emittedRecord(commit, event));
    feed.tell(commit.emitterId, records);
  });
  signals.on('due', ({ emitterId, made }) => feed.tell(emitterId, made.events));
  return feed;
}

/** The platform's observations (P20.5). */
export function createLogFeed({ store, signals, report }: FeedOptions<'logs'>): Feed {
  const feed = createResumingFeed<LogRecord, number>({
    what: 'log lines',
    parse: (id) => (/^\d{1,15}$/.test(id) ? Number(id) : undefined),
    idOf: ({ id }) => id,
    isAfter: (id, mark) => id > mark,
    after: (emitterId, id, limit) => store.logs.after(emitterId, id, limit),
    messageOf: (record) => message(String(record.id), JSON.stringify(presentLog(record))),
    flush: () => store.flush(),
    report,
  });
  signals.on('committed', ({ commit, made }) => {
    if (!feed.isFollowed(commit.emitterId)) return;
    const { n, emitterId, logs } = commit;
    feed.tell(
      emitterId,
      logs.map((line, i) => ({ ...line, id: made.logIds[i] ?? 0, emitterId, invocation: n })),
    );
  });
  signals.on('log', (line) => feed.tell(line.emitterId, [line]));
  return feed;
}

/** Key of one channel of a workflow. No id has a slash in it. */
export function ofChannel(emitterId: string, channel: string): string {
  return `${emitterId}/${channel}`;
}

/**
 * The messages of `$.send.sse`: the channel is the name of the event. A new reader begins with the kept messages
 * (P25.55).
 */
export function createMessageFeed({ store, signals, report }: FeedOptions<'streams'>): Feed {
  const feed = createResumingFeed<StreamMessage, number>({
    what: 'messages',
    parse: (id) => (/^\d{1,15}$/.test(id) ? Number(id) : undefined),
    idOf: ({ id }) => id,
    isAfter: (id, mark) => id > mark,
    after(followed, id, limit) {
      const slash = followed.indexOf('/');
      if (slash === -1) return store.streams.after(followed, undefined, id, limit);
      const channel = followed.slice(slash + 1);
      return store.streams.after(followed.slice(0, slash), channel, id, limit);
    },
    messageOf: ({ id, payload, channel }) => message(String(id), payload, channel),
    flush: () => store.flush(),
    report,
  });
  signals.on('committed', ({ commit: { emitterId }, made: { messages = [] } }) => {
    feed.tell(emitterId, messages);
    for (const channel of new Set(messages.map((one) => one.channel))) {
      const own = messages.filter((one) => one.channel === channel);
      feed.tell(ofChannel(emitterId, channel), own);
    }
  });
  return { start: (stream, followed, seen) => feed.start(stream, followed, seen ?? '0') };
}

/** The event as `events.list` shows it with `expand=event`; a payload that is JSON is passed on as it is. */
export function eventMessage(record: EventRecord): string {
  const { payload } = record;
  const { event: _null, ...rest } = presentEvent({ ...record, payload: 'null' }, true);
  const event = isJson(payload) ? payload : JSON.stringify(payload);
  return message(record.id, `{"event":${event},${JSON.stringify(rest).slice(1)}`);
}

const first = { ms: 0, seq: 0 };

/** Ids count up as numbers, not as text: `5-10` comes after `5-9`. */
export function isAfter(id: string, mark: string): boolean {
  return compareEventIds(parseEventId(id) ?? first, parseEventId(mark) ?? first) > 0;
}
